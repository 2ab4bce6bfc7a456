/// The ids of actions. What most of them begin with, the id of their app and a dot, is kept once for all of an app.
@safe
struct ActionNames: ~Copyable {
  private var names = NameArena()
  private var prefixes = NameArena()
  /// By the number of the app.
  private var prefixOfApp = GrowingBuffer<NameReference>()
  /// Where ids are put together: two, so that they can be compared.
  private let scratch: UnsafeMutableRawPointer
  private static let longest = 255
  private static let dot = UInt8(ascii: ".")

  init() {
    unsafe scratch = .allocate(byteCount: 2 * Self.longest, alignment: 1)
  }

  deinit {
    unsafe scratch.deallocate()
  }

  /// Keeps a copy of an id.
  ///
  /// - Parameters:
  ///   - app: the number of the app that owns the action.
  ///   - appID: the id of that.
  /// - Complexity: O(1) amortised.
  mutating func append(
    _ id: UnsafeRawBufferPointer, app: UInt32, appID: UnsafeRawBufferPointer
  ) -> NameReference {
    let rest = appID.count + 1
    guard id.count > rest, unsafe id[rest - 1] == Self.dot, unsafe NameArena.begins(id, with: appID) else {
      return unsafe names.append(id)
    }
    unsafe keep(appID, of: app)
    var name = unsafe names.append(UnsafeRawBufferPointer(rebasing: id[rest...]))
    name.isPart = true
    return name
  }

  private mutating func keep(_ appID: UnsafeRawBufferPointer, of app: UInt32) {
    while prefixOfApp.count <= app { _ = prefixOfApp.append(.none) }
    if prefixOfApp[app] == .none { prefixOfApp[app] = unsafe prefixes.append(appID) }
  }

  /// Wipes an id out.
  mutating func remove(_ name: NameReference) { names.remove(name) }

  /// Wipes out what is kept of an app that has no actions any more.
  mutating func remove(app: UInt32) {
    if app >= prefixOfApp.count || prefixOfApp[app] == .none { return }
    prefixes.remove(prefixOfApp[app])
    prefixOfApp[app] = .none
  }

  /// Reads what ``equals(_:app:_:)`` reads first of an id itself; what it returns means nothing.
  @inline(__always)
  func reach(_ name: NameReference) -> UInt64 { UInt64(names.length(name)) }

  /// Whether an action of an app has this very id.
  @inline(__always)
  func equals(_ name: NameReference, app: UInt32, _ id: UnsafeRawBufferPointer) -> Bool {
    if !name.isPart { return unsafe names.equals(name, id) }
    let prefix = prefixOfApp[app]
    let rest = prefixes.length(prefix) &+ 1
    guard id.count > rest, unsafe id[rest &- 1] == Self.dot else { return false }
    return unsafe names.equals(name, UnsafeRawBufferPointer(rebasing: id[rest...])) && prefixes.begins(id, with: prefix)
  }

  /// An action's id, valid until the next call of anything here.
  func bytes(_ name: NameReference, app: UInt32) -> UnsafeRawBufferPointer {
    unsafe bytes(name, app: app, place: 0)
  }

  private func bytes(_ name: NameReference, app: UInt32, place: Int) -> UnsafeRawBufferPointer {
    let part = unsafe names.bytes(name)
    if !name.isPart { return unsafe part }
    let prefix = unsafe prefixes.bytes(prefixOfApp[app])
    let whole = unsafe UnsafeMutableRawBufferPointer(
      start: scratch + place * Self.longest, count: prefix.count + 1 + part.count)
    unsafe whole.copyMemory(from: prefix)
    unsafe whole[prefix.count] = Self.dot
    unsafe UnsafeMutableRawBufferPointer(rebasing: whole[(prefix.count + 1)...]).copyMemory(from: part)
    return UnsafeRawBufferPointer(whole)
  }

  /// Whether one action's id sorts before another's, by its bytes.
  func precedes(_ first: NameReference, app: UInt32, _ second: NameReference, app secondApp: UInt32) -> Bool {
    if first.isPart, second.isPart, app == secondApp { return names.precedes(first, second) }
    return unsafe bytes(first, app: app, place: 0).lexicographicallyPrecedes(bytes(second, app: secondApp, place: 1))
  }
}
