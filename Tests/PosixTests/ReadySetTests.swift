import Posix
import Testing

struct ReadySetTests {
  private static func take(_ set: borrowing ReadySet, atMost count: Int = ReadySet.capacity) throws -> [UInt64] {
    var keys = [UInt64](repeating: .max, count: count)
    return Array(keys[..<(try set.take(into: &keys))])
  }

  private static func write(_ descriptor: Int32) throws { #expect(try UnixSocket.send(descriptor, [1]) == 1) }

  @Test("what is ready is known by its key, until it is read")
  func keys() throws {
    let set = try ReadySet()
    let first = try Pair.sockets()
    let second = try Pair.sockets()
    try set.add(first.first.raw, key: 7, alsoWritable: false)
    try set.add(second.first.raw, key: .max - 1, alsoWritable: false)
    #expect(try Self.take(set) == [])
    try Self.write(second.second.raw)
    #expect(try Poll.wait(for: [(set.raw, .read)], milliseconds: 0) == [.read])
    #expect(try Self.take(set) == [.max - 1])
    #expect(try Self.take(set) == [.max - 1])
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(try UnixSocket.receive(second.first.raw, into: &buffer) == .bytes(1))
    #expect(try Self.take(set) == [])
    #expect(try Poll.wait(for: [(set.raw, .read)], milliseconds: 0) == [[]])
  }

  @Test("those that stay ready take turns, however few are taken at a time")
  func turns() throws {
    final class Pairs {
      let pair: Pair
      init() throws { pair = try Pair.sockets() }
    }
    let set = try ReadySet()
    let all = try (0..<10).map { _ in try Pairs() }
    for (key, each) in all.enumerated() {
      try set.add(each.pair.first.raw, key: UInt64(key), alsoWritable: false)
      try Self.write(each.pair.second.raw)
    }
    for _ in 0..<3 {
      let round = try (0..<5).flatMap { _ in try Self.take(set, atMost: 2) }
      #expect(round.sorted() == Array(0..<10))
    }
  }

  @Test("room to write is told only while it is asked for, and nothing once a descriptor is removed")
  func writable() throws {
    let set = try ReadySet()
    let pair = try Pair.sockets()
    try set.add(pair.first.raw, key: 1, alsoWritable: true)
    #expect(try Self.take(set) == [1])
    try set.change(pair.first.raw, key: 2, alsoWritable: false)
    #expect(try Self.take(set) == [])
    try Self.write(pair.second.raw)
    #expect(try Self.take(set) == [2])
    try set.remove(pair.first.raw)
    #expect(try Self.take(set) == [])
    #expect(failure { () throws(SystemError) in try set.remove(pair.first.raw) } != nil)
  }

  @Test("the end of a peer makes its descriptor ready, also if nothing but that has come")
  func end() throws {
    let set = try ReadySet()
    let first = try Pair.sockets().closeSecond()
    try set.add(first.raw, key: 3, alsoWritable: false)
    #expect(try Self.take(set) == [3])
  }
}
