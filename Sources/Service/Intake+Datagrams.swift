import IntakeLog
import Posix
import Ranking
import Wire

extension Intake {
  /// Takes what waits, until the turn is over.
  func receiveWaitingDatagrams(from descriptor: Int32) {
    takeTurn { share in
      var left = share
      while left > 0, let bytes = receiveDatagrams(from: descriptor) { left -= max(bytes, Self.leastOfTurn) }
      return left <= 0
    }
  }

  /// Takes one batch.
  ///
  /// - Returns: how many bytes there were; nil if nothing was taken.
  func receiveDatagrams(from descriptor: Int32) -> Int? {
    let batch: ReceivedDatagrams
    do { batch = try intakeLog.receiveDatagrams(from: descriptor, clock: desk.ledger.reading) } catch {
      log.limited(.warning, kind: "datagrams", now: desk.ledger.now().decay, error.description)
      return nil
    }
    switch batch {
    case .full:
      waitForRoom()
      return nil
    case .nothing: return nil
    case .datagrams(let count, let reading):
      let now = desk.ledger.moment(at: reading)
      var bytes = 0
      for index in 0..<count {
        let datagram = unsafe intakeLog[datagram: index]
        unsafe bytes += datagram?.count ?? IntakeLog.largestDatagram
        unsafe desk.take(datagram: datagram, now: now, cutter: &datagramCutter)
      }
      noteArrival()
      return bytes
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
