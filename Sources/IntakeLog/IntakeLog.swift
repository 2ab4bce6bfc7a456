package import Posix
package import Ranking

/// What comes from sockets, kept in a file of the runtime directory until a commit contains it.
///
/// Everything is written to the file before anything is done with it, and the file lies in memory (tmpfs): it survives
/// the process, however that ends, but not the machine. ``head`` and ``tail`` are offsets into one endless sequence of
/// records, of which the ring holds the last part.
///
/// The room in the ring is allocated whole, so that a full tmpfs is an error at the start and no SIGBUS later. Only the
/// landing area is made present at once; the ring's pages join the process as the first lap reaches them, each at the
/// price of a page fault: a daemon that hears little stays small, and starts sooner.
@safe
package struct IntakeLog: ~Copyable {
  package static let fileName = "intake.log"
  /// The name of a log that is begun while an earlier one still has to be kept; it takes the earlier one's place by
  /// ``takePlace()``. It goes on where the earlier one ends.
  package static let successorName = "intake.log.next"
  /// The sizes that a log may have, bytes.
  package static let sizes = 4 << 20...4 << 30
  /// The most bytes that one call takes from a stream.
  package static let largestShare = LogLayout.streamSlotSize
  /// The most datagrams that one call takes.
  package static let datagramsPerCall = LogLayout.slotCount
  /// The largest datagram that is taken whole.
  package static let largestDatagram = LogLayout.slotSize
  /// The longest blob that ``noteSettings(_:at:)`` takes.
  package static let longestSettings = LogLayout.slotSize

  /// A random number that tells this log from every other one.
  package let identity: UInt64
  /// Up to here everything is contained in a commit.
  package private(set) var head: UInt64 = 0
  /// The end of the log.
  package private(set) var tail: UInt64 = 0

  /// Up to here everything that is released is zero in the ring, but for what later laps have put there.
  private var wiped: UInt64 = 0
  private let memory: MappedMemory
  private let base: UnsafeMutableRawPointer
  private var landing: Landing
  /// Nil: nothing is kept.
  private var ring: Ring?
  private let directory: String
  private var name: String

  /// Makes the file, whole, and puts it in the place of an earlier one.
  ///
  /// - Parameters:
  ///   - size: of the file, bytes; brought into ``sizes`` and to whole pages. 0: no file, and the same calls work with
  ///     plain memory and keep nothing.
  ///   - identity: a random number.
  ///   - name: of the file.
  /// - Throws: ENOSPC if there is not so much room; there is no new file then and the earlier one is as it was.
  package static func create(
    inDirectory path: String, size: Int, identity: UInt64, named name: String = fileName
  ) throws(SystemError) -> IntakeLog {
    let folder = try Directory(opening: path)
    let temporary = AtomicFile.temporaryName(for: name)
    try folder.remove(temporary)
    if size == 0 {
      return IntakeLog(
        try MappedMemory(privateSize: LogLayout.ringPlace), identity: identity, keeps: false, directory: path, name)
    }
    let pages = (min(max(size, sizes.lowerBound), sizes.upperBound) + LogLayout.page - 1) / LogLayout.page
    let memory = try folder.createMapped(temporary, size: pages * LogLayout.page)
    let log = IntakeLog(memory, identity: identity, keeps: true, directory: path, name)
    do {
      try folder.rename(temporary, to: name)
    } catch {
      try? folder.remove(temporary)
      throw error
    }
    return log
  }

  private init(_ memory: consuming MappedMemory, identity: UInt64, keeps: Bool, directory: String, _ name: String) {
    guard let base = unsafe memory.bytes.baseAddress else { preconditionFailure("mapped memory has an address") }
    let size = unsafe memory.bytes.count
    memory.makePresent(first: LogLayout.ringPlace)
    unsafe landing = Landing(in: base)
    if keeps {
      unsafe ring = Ring(base + LogLayout.ringPlace, capacity: size - LogLayout.ringPlace, identity: identity)
      unsafe base.storeBytes(of: Superblock(identity: identity, size: size), as: Superblock.self)
    }
    self.memory = memory
    unsafe self.base = base
    self.identity = identity
    self.directory = directory
    self.name = name
  }

  /// Whether an earlier log is to be kept beside this one.
  package var isSuccessor: Bool { ring != nil && name == Self.successorName }

  /// Puts the file in the place of the earlier log, in one step: for after a commit that contains all of that one.
  package mutating func takePlace() throws(SystemError) {
    try Directory(opening: directory).rename(name, to: Self.fileName)
    name = Self.fileName
  }

  /// Removes the file: for after the last commit, which contains all of it.
  package mutating func remove() throws(SystemError) {
    if ring != nil { try Directory(opening: directory).remove(name) }
    ring = nil
  }

  /// Whether what arrives is kept in a file.
  package var keeps: Bool { ring != nil }

  // MARK: Room

  /// The bytes that the ring holds and no commit contains.
  package var used: Int { Int(tail - head) }

  /// How many bytes the ring has: a record that does not fit before its end begins anew. 0 if nothing is kept.
  package var ringSize: Int { ring?.capacity ?? 0 }

  /// Where the bytes from `offset` to ``tail`` lie, in order, up to two parts; nil if not all of them are there any more,
  /// or nothing is kept.
  ///
  /// They stay there, and as they are, until ``release(upTo:)``, ``discardOldest()`` or the end of this.
  /// - Parameter offset: a value that ``tail`` had.
  package func bytes(from offset: UInt64) -> [UnsafeRawBufferPointer]? {
    guard let ring, offset >= head, offset <= tail else { return nil }
    return unsafe ring.parts(offset..<tail)
  }

  private func hasRoom(for space: Int) -> Bool {
    guard let ring else { return true }
    return used + space <= ring.capacity
  }

  /// Whether the largest batch still has room. If not, nothing is received until a commit has freed some.
  package var hasRoom: Bool { hasRoom(for: LogLayout.largestBatch + LogLayout.reserve) }

  /// Whether three quarters of the ring are used: time for a commit, so that nothing has to wait for room.
  package var isFillingUp: Bool { ring.map { used / 3 * 4 > $0.capacity } ?? false }

  /// Takes note that a commit contains everything before `offset`, a value that ``tail`` had.
  package mutating func release(upTo offset: UInt64) {
    guard offset > head else { return }
    precondition(offset <= tail, "a commit cannot contain more than the log")
    head = offset
    if ring != nil { unsafe storeInOrder(head, to: place(LogLayout.headPlace)) }
  }

  /// Gives up the protection of the oldest records until half of the ring, and what a batch needs, is free: for a disk
  /// that takes no commits.
  ///
  /// What they say is lost if the process is killed before a commit succeeds after all.
  /// - Returns: how many bytes of the log were given up.
  /// - Complexity: O(records given up).
  package mutating func discardOldest() -> Int {
    guard let ring, let reader = reader else { return 0 }
    let before = head
    let most = min(ring.capacity / 2, ring.capacity - LogLayout.largestBatch - LogLayout.reserve)
    var offset = head
    while offset < tail, Int(tail - offset) > most, let entry = reader.entry(at: offset) {
      offset = entry.end
    }
    release(upTo: min(offset, tail))
    return Int(head - before)
  }

  /// Puts zeros in the place of everything that a commit contains, and of what was received last.
  ///
  /// - Complexity: O(bytes released since the last call).
  package mutating func wipe() {
    landing.wipe()
    guard let ring else { return }
    // What lies a whole lap back has newer records in its place.
    let start = max(wiped, tail > UInt64(ring.capacity) ? tail - UInt64(ring.capacity) : 0)
    if start < head { ring.wipe(start..<head) }
    wiped = max(wiped, head)
  }

  private var reader: RingReader? {
    guard let ring else { return nil }
    return unsafe RingReader(
      UnsafeRawBufferPointer(start: base + LogLayout.ringPlace, count: ring.capacity), identity: identity)
  }

  private func place(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe (base + offset).assumingMemoryBound(to: UInt64.self)
  }

  /// Appends records and then, in one step, makes them count.
  private mutating func publish(_ end: UInt64) {
    tail = end
    if ring != nil { unsafe storeInOrder(end, to: place(LogLayout.tailPlace)) }
  }

  // MARK: Receiving

  /// Receives from a stream, once.
  ///
  /// The bytes are in the log when this returns; the slice is for parsing at once, without a copy.
  package mutating func receive(
    from stream: Int32, connection: UInt64, atMost share: Int, clock: () -> ClockReading
  ) throws(SystemError) -> ReceivedChunk {
    guard hasRoom else { return .full }
    precondition(share > 0, "a share is at least one byte")
    arm(.stream, connection: connection, room: min(share, Self.largestShare), clock)
    guard try landing.receive(from: stream, atMost: 1) != nil else { return .nothing }
    let reading = clock()
    guard let bytes = unsafe landing.bytes(0), unsafe !bytes.isEmpty else { return .end }
    var end = tail
    unsafe append(.data, connection: connection, reading, bytes, at: &end)
    publish(end)
    return unsafe .bytes(bytes, reading)
  }

  /// Receives the datagrams that wait, up to ``datagramsPerCall``; ``subscript(datagram:)`` has them.
  package mutating func receiveDatagrams(
    from socket: Int32, clock: () -> ClockReading
  ) throws(SystemError) -> ReceivedDatagrams {
    guard hasRoom else { return .full }
    arm(.datagrams, connection: 0, room: LogLayout.slotSize, clock)
    guard let count = try landing.receive(from: socket, atMost: LogLayout.slotCount) else { return .nothing }
    let reading = clock()
    var end = tail
    for index in 0..<count {
      if let bytes = unsafe landing.bytes(index) {
        unsafe append(.datagram, connection: 0, reading, bytes, at: &end)
      } else {
        unsafe append(.cutDatagram, connection: 0, reading, UnsafeRawBufferPointer(start: nil, count: 0), at: &end)
      }
    }
    publish(end)
    return .datagrams(count, reading)
  }

  /// A datagram of the last call, valid until the next call; nil if it was longer than ``largestDatagram``.
  package subscript(datagram index: Int) -> UnsafeRawBufferPointer? {
    unsafe landing.bytes(index)
  }

  private mutating func arm(_ kind: Arming.Kind, connection: UInt64, room: Int, _ clock: () -> ClockReading) {
    // Without a file nobody will ask when the call began.
    let reading = ring == nil ? ClockReading(boot: 0, wall: 0) : clock()
    landing.arm(
      Arming(kind, connection: connection, at: tail, reading: reading), room: room, identity: identity)
  }

  private mutating func append(
    _ kind: RecordKind, connection: UInt64, _ reading: ClockReading, _ payload: UnsafeRawBufferPointer,
    at end: inout UInt64
  ) {
    if let ring {
      unsafe ring.write(kind, connection: connection, reading: reading, payload, at: &end)
    } else {
      end += UInt64(RecordHeader.space(payload.count))
    }
  }

  // MARK: Noting

  /// Notes a new connection; false if there is no room for it: then it must wait for a commit.
  @discardableResult
  package mutating func noteOpened(connection: UInt64, isControl: Bool, at reading: ClockReading) -> Bool {
    note(isControl ? .openedControl : .opened, connection: connection, reading, [])
  }

  /// Notes that a connection has ended and its unfinished line counts; false if there is no room.
  @discardableResult
  package mutating func noteEnded(connection: UInt64, at reading: ClockReading) -> Bool {
    note(.ended, connection: connection, reading, [])
  }

  /// Notes that a connection's oldest sync was answered; false if there is no room.
  @discardableResult
  package mutating func noteAnswered(connection: UInt64, at reading: ClockReading) -> Bool {
    note(.answered, connection: connection, reading, [])
  }

  /// Notes the settings that what follows is to be read by; false if there is no room.
  @discardableResult
  package mutating func noteSettings(_ blob: [UInt8], at reading: ClockReading) -> Bool {
    precondition(blob.count <= Self.longestSettings, "settings are to be small")
    return note(.settings, connection: 0, reading, blob)
  }

  private mutating func note(
    _ kind: RecordKind, connection: UInt64, _ reading: ClockReading, _ payload: [UInt8]
  ) -> Bool {
    // Twice the space: a gap before the record is smaller than the record.
    guard hasRoom(for: 2 * RecordHeader.space(payload.count)) else { return false }
    var end = tail
    unsafe payload.withUnsafeBytes { unsafe append(kind, connection: connection, reading, $0, at: &end) }
    publish(end)
    return true
  }
}
