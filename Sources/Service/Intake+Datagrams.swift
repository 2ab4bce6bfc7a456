import IntakeLog
import Posix
import Ranking
import Wire

extension Intake {
  /// Takes one batch.
  ///
  /// - Returns: how many datagrams there were.
  @discardableResult
  func receiveDatagrams(from descriptor: Int32) -> Int {
    let batch: ReceivedDatagrams
    do { batch = try intakeLog.receiveDatagrams(from: descriptor, clock: desk.ledger.reading) } catch {
      log.limited(.warning, kind: "datagrams", now: desk.ledger.now().decay, error.description)
      return 0
    }
    switch batch {
    case .full:
      waitForRoom()
      return 0
    case .nothing: return 0
    case .datagrams(let count, let reading):
      let now = desk.ledger.moment(at: reading)
      for index in 0..<count {
        unsafe desk.take(datagram: intakeLog[datagram: index], now: now, cutter: &datagramCutter)
      }
      noteArrival()
      return count
    }
  }
}

extension LineDesk {
  /// Takes the lines of one datagram; nil is one that was cut short, which is refused as a whole.
  func take(datagram: UnsafeRawBufferPointer?, now: Moment, cutter: inout LineCutter) {
    ledger.counters.datagrams += 1
    guard var bytes = unsafe datagram else {
      return noteRefusal(.datagramCut(limit: IntakeLog.largestDatagram), from: "a datagram", now: now)
    }
    var tally = Tally()
    while let cut = unsafe cutter.next(&bytes) { take(cut, cutter.maxLineBytes, now, &tally) }
    if let cut = cutter.finish() { take(cut, cutter.maxLineBytes, now, &tally) }
    ledger.add(tally)
  }

  private func take(_ cut: Cut, _ lineLimit: Int, _ now: Moment, _ tally: inout Tally) {
    switch take(cut, lineLimit: lineLimit, now: now, tally: &tally) {
    case .taken: break
    case .refused(let error): noteRefusal(error, from: "a datagram", now: now)
    case .request: noteRefusal(.notPermitted(.streamOnly), from: "a datagram", now: now)
    }
  }
}
