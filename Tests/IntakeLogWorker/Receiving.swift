import Glibc
import IntakeLog
import Posix
import Ranking

func readClocks() -> ClockReading { ClockReading(boot: Clocks.boot(), wall: Clocks.wall()) }

/// Does what a daemon does until it is killed: recovers, then receives from the stream at descriptor 0 and the
/// datagram socket at descriptor 1 and commits every few rounds. Says so at descriptor 3 once it has recovered.
///
/// - Parameter waits: whether it sleeps while there is nothing to receive.
func receiveUntilKilled(in folder: String, waits: Bool) throws(SystemError) -> Never {
  let traffic = Traffic()
  var commit = Commit(in: folder)
  if let log = try IntakeLog.recover(inDirectory: folder) {
    guard commit.takeIn(log, traffic), commit.found.isRight else { exit(3) }
    commit.store(in: folder)
  }
  var log = try IntakeLog.create(inDirectory: folder, size: 4 << 20, identity: .random(in: 1 ... .max))
  unsafe _ = write(3, "r", 1)
  var rounds = 0
  while true {
    rounds += 1
    var (isIdle, isFull) = (true, false)
    switch try log.receive(from: 0, connection: 7, atMost: .random(in: 1...IntakeLog.largestShare), clock: readClocks) {
    case .bytes(let bytes, let reading):
      unsafe commit.found.take(stream: bytes, traffic)
      isIdle = false
      if rounds % 7 == 0 { log.noteSettings([1, 2, 3], at: reading) }
    case .nothing: break
    case .end: exit(4)
    case .full: isFull = true
    }
    switch try log.receiveDatagrams(from: 1, clock: readClocks) {
    case .datagrams(let count, _):
      for index in 0..<count { unsafe commit.found.take(datagram: log[datagram: index], traffic) }
      isIdle = false
    case .nothing: break
    case .full: isFull = true
    }
    guard commit.found.isRight else { exit(3) }
    if isFull || rounds % 16 == 0 {
      (commit.identity, commit.offset) = (log.identity, log.tail)
      commit.store(in: folder)
      log.release(upTo: commit.offset)
    }
    if isIdle, !isFull, waits {
      var sockets: [pollfd] = [0, 1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      unsafe _ = poll(&sockets, 2, -1)
    }
  }
}
