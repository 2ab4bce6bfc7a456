import TestSupport

/// Which ids are used, in which order: the same for the same options, whoever asks.
///
/// Every id comes at least once, and the rest is drawn by Zipf's law with exponent 1; all of it is shuffled.
struct Workload {
  enum Form: String { case plain, json, redis }

  let ids: Int
  let apps: Int
  /// The number of the id of each event.
  private(set) var order: [UInt32]

  init(_ options: Options) throws {
    ids = try options.number("ids")
    apps = try options.number("apps")
    let events = try options.number("events")
    guard (1...10_000_000).contains(ids), (1...10_000).contains(apps), events >= ids else {
      throw LoadFailure("at most 10,000,000 ids of 10,000 apps, and as many events as ids")
    }
    var random = SeededRandom(seed: UInt64(try options.number("seed", default: 1)))
    order = (0..<UInt32(ids)).map { $0 }
    order.reserveCapacity(events)
    var (reached, sum) = ([Double](), 0.0)
    for rank in 1...ids {
      sum += 1 / Double(rank)
      reached.append(sum)
    }
    while order.count < events {
      let drawn = Double(random.next() >> 11) * 0x1p-53 * sum
      // The first rank whose sum is above what was drawn.
      var (low, high) = (0, ids - 1)
      while low < high {
        let middle = (low + high) / 2
        if reached[middle] > drawn { high = middle } else { low = middle + 1 }
      }
      order.append(UInt32(low))
    }
    for place in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(place, Int(random.next(upperBound: UInt64(place + 1))))
    }
  }

  /// The events of one of several streams, as they are sent. All have one length.
  func bytes(_ form: Form, stream: Int = 0, of streams: Int = 1) -> [UInt8] {
    let part = order.count * stream / streams..<order.count * (stream + 1) / streams
    let (before, after) = frame(form)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(part.count * (before.count + 27 + after.count))
    for id in order[part] {
      bytes += before
      append(Int(id), to: &bytes)
      bytes += after
    }
    return bytes
  }

  /// How long each event is, bytes.
  func size(_ form: Form) -> Int {
    let (before, after) = frame(form)
    return before.count + 27 + after.count
  }

  private func frame(_ form: Form) -> (before: [UInt8], after: [UInt8]) {
    switch form {
    case .plain: ([], Array("\n".utf8))
    case .json: (Array("{\"type\":\"".utf8), Array("\"}\n".utf8))
    case .redis: (Array("*4\r\n$7\r\nZINCRBY\r\n$1\r\nq\r\n$1\r\n1\r\n$27\r\n".utf8), Array("\r\n".utf8))
    }
  }

  /// An id of 27 bytes: `com.example.ap0123.a0001234`. Neighbours in popularity belong to different apps.
  private func append(_ id: Int, to bytes: inout [UInt8]) {
    bytes += "com.example.ap".utf8
    append(id % apps, digits: 4, to: &bytes)
    bytes += ".a".utf8
    append(id, digits: 7, to: &bytes)
  }

  private func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
    var power = 1
    for _ in 1..<digits { power *= 10 }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / power % 10))
      power /= 10
    }
  }
}
