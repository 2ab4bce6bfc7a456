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
    while let remark = unsafe take(&bytes, with: &cutter, now: now, tally: &tally) { note(remark, now: now) }
    if let remark = finish(&cutter, now: now, tally: &tally) { note(remark, now: now) }
    ledger.add(tally)
  }

  /// A datagram's sender gets no reply.
  private func note(_ remark: Remark, now: Moment) {
    switch remark {
    case .refused(let error): noteRefusal(error, from: "a datagram", now: now)
    case .request: noteRefusal(.notPermitted(.streamOnly), from: "a datagram", now: now)
    }
  }
}
