import CTracing
import Glibc
import IntakeLog
import Posix
import Testing
import TestSupport

@testable import IntakeLogWorker

struct KillTests {
  private let folder = TemporaryFolder()

  /// A process that receives from both kinds of socket and commits is killed, again and again, at random moments of its
  /// work and of its recovery. After each kill, what its log and its commit say plus what is still in the socket is
  /// what the kernel took, byte by byte and in order.
  @Test func `nothing that has left a socket is lost or found twice by a kill`() throws {
    let kills = Int(Process.environment("QUICKACTIONS_KILLS") ?? "") ?? 50
    var generator = SeededRandom()
    print("seed \(generator.seed)")
    let (stream, datagrams) = (SocketPair(SOCK_STREAM), SocketPair(SOCK_DGRAM))
    let traffic = Traffic()
    var sent = Found()
    var (lost, twice, landed, early) = (0, 0, 0, 0)

    for _ in 0..<kills {
      var ready: [Int32] = [0, 0]
      precondition(pipe(&ready) == 0)
      let child = try Child(
        [Child.worker, "receive", folder.path], descriptors: [stream.raw, datagrams.raw, STDERR_FILENO, ready[1]])
      close(ready[1])
      let waits = Int.random(in: 0..<5, using: &generator) > 0
      var byte: UInt8 = 0
      // Ready, or dead already: then the pipe ends.
      if waits { _ = read(ready[0], &byte, 1) }
      let end = Clocks.monotonic() + Int64.random(in: 0..<8_000_000, using: &generator)
      repeat { send(&sent, traffic, stream, datagrams, &generator) } while Clocks.monotonic() < end
      kill(child.number, SIGKILL)
      close(ready[0])
      #expect(child.wait() == -SIGKILL, "it was at work until it was killed")

      var commit = Commit(in: folder.path)
      if let log = try IntakeLog.recover(inDirectory: folder.path) {
        let before = log.tail
        let isWhole = commit.takeIn(log, traffic)
        #expect(isWhole)
        if commit.offset > before { landed += 1 }
      } else {
        early += 1
      }
      #expect(commit.found.isRight)
      if !commit.found.isRight { break }
      let there = commit.found.bytes + UInt64(try UnixSocket.bytesWaiting(stream.raw))
      if there < sent.bytes { lost += 1 }
      if there > sent.bytes { twice += 1 }
    }

    // The rest, received as the next process would.
    let rest = TemporaryFolder()
    var commit = Commit(in: folder.path)
    if let log = try IntakeLog.recover(inDirectory: folder.path) { _ = commit.takeIn(log, traffic) }
    var log = try IntakeLog.create(inDirectory: rest.path, size: 0, identity: 1)
    while case .bytes(let bytes, _) = try log.receive(from: stream.raw, connection: 1, atMost: .max, clock: readClocks)
    {
      commit.found.take(stream: bytes, traffic)
    }
    while case .datagrams(let count, _) = try log.receiveDatagrams(from: datagrams.raw, clock: readClocks) {
      for index in 0..<count { commit.found.take(datagram: log[datagram: index], traffic) }
    }
    #expect(commit.found == sent)
    if commit.found.datagrams < sent.datagrams { lost += 1 }
    if commit.found.datagrams > sent.datagrams { twice += 1 }
    #expect(lost == 0 && twice == 0)
    print(
      "kill: \(kills) kills, \(lost) lost, \(twice) twice; \(sent.bytes) bytes and \(sent.datagrams) datagrams; "
        + "\(landed) kills found a batch that had landed and was not copied yet, \(early) came before the first log")
  }

  /// The same at every instruction: a process is stopped after each one of several rounds, and what it would leave if it
  /// were killed there is looked at wherever the file or a socket has changed.
  @Test func `there is no instruction at which a kill would lose anything`() throws {
    let rounds = Int(Process.environment("QUICKACTIONS_STEPS") ?? "") ?? 3
    var generator = SeededRandom()
    print("seed \(generator.seed)")
    let (stream, datagrams) = (SocketPair(SOCK_STREAM), SocketPair(SOCK_DGRAM))
    let traffic = Traffic()
    var ready: [Int32] = [0, 0]
    precondition(pipe(&ready) == 0)
    defer { close(ready[0]) }
    let child = try Child(
      [Child.worker, "spin", folder.path], descriptors: [stream.raw, datagrams.raw, STDERR_FILENO, ready[1]])
    close(ready[1])
    defer {
      kill(child.number, SIGKILL)
      _ = child.wait()
    }
    var byte: UInt8 = 0
    _ = read(ready[0], &byte, 1)
    guard ctracing_attach(child.number) == 0 else {
      print("skipped: processes may not be traced here")
      return
    }
    let log = FileDescriptor(owning: open(folder.file(), O_RDWR))
    let pages = try MappedMemory(sharing: log, size: 8192, subject: "the log")
    var sent = Found()
    var (instructions, looks) = (0, 0)
    for _ in 0..<rounds {
      let before = sent
      let count = stream.send(traffic.stream(from: sent.bytes, Int.random(in: 1...200, using: &generator)))
      sent.bytes += UInt64(count)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let datagram = traffic.datagram(sent.datagrams)
        if datagrams.send(datagram) == datagram.count { sent.datagrams += 1 }
      }
      var (last, left) = (UInt64.max, 20_000)
      while left > 0 {
        #expect(ctracing_step(child.number) == 0)
        instructions += 1
        let waiting = UInt64(try UnixSocket.bytesWaiting(stream.raw))
        // One call takes all of the round's datagrams.
        let waits = recv(datagrams.raw, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0
        // Everything has been received: some instructions more, for what follows.
        if waiting == 0, !waits { left -= 1 }
        let state = UInt64(crc32c(UnsafeRawBufferPointer(pages.bytes))) << 32 | waiting << 1 | (waits ? 1 : 0)
        if state == last { continue }
        last = state
        looks += 1
        var commit = Commit(in: folder.path)
        var isWhole = false
        if let log = try IntakeLog.recover(inDirectory: folder.path) { isWhole = commit.takeIn(log, traffic) }
        try #require(isWhole && commit.found.isRight)
        try #require(commit.found.bytes + waiting == sent.bytes)
        try #require(commit.found.datagrams + (waits ? sent.datagrams - before.datagrams : 0) == sent.datagrams)
      }
    }
    print("steps: \(instructions) instructions, \(looks) states of the file and the sockets, 0 lost, 0 twice")
  }

  private func send(
    _ sent: inout Found, _ traffic: borrowing Traffic, _ stream: SocketPair, _ datagrams: SocketPair,
    _ generator: inout SeededRandom
  ) {
    let most = Bool.random(using: &generator) ? 200 : 65_536
    let count = stream.send(traffic.stream(from: sent.bytes, Int.random(in: 1...most, using: &generator)))
    if count > 0 { sent.bytes += UInt64(count) }
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let datagram = traffic.datagram(sent.datagrams)
      if datagrams.send(datagram) == datagram.count { sent.datagrams += 1 }
    }
  }
}
