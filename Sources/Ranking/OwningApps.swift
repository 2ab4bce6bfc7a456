/// The apps that own what is named after them, before ``DefaultApp`` decides.
struct OwningApps: ~Copyable {
  private let hash: SeededHash
  private var index = SlotIndex()
  private var names = NameArena()
  private var references: [NameReference] = []

  /// - Parameter apps: ids of 1 to 255 bytes; one that comes twice counts once.
  init(_ apps: [[UInt8]], hash: SeededHash) {
    self.hash = hash
    for app in apps {
      unsafe app.withUnsafeBytes { app in
        if unsafe contains(app) { return }
        unsafe index.insert(SlotIndex.tag(hash.hash(app)), UInt32(references.count))
        unsafe references.append(names.append(app))
      }
    }
  }

  private func contains(_ app: UnsafeRawBufferPointer) -> Bool {
    unsafe index.find(SlotIndex.tag(hash.hash(app))) { unsafe names.equals(references[Int($0)], app) } != nil
  }

  /// The default owner of an action: the longest of the apps that, with a dot after it, begins the action's TYPE, else
  /// ``DefaultApp``.
  ///
  /// - Returns: bytes of `id` itself, or static ones.
  /// - Complexity: O(dots in the TYPE).
  func owner(of id: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if references.isEmpty { return unsafe DefaultApp.of(id) }
    var end = unsafe DefaultApp.typeEnd(id)
    while let dot = unsafe id[..<end].lastIndex(of: UInt8(ascii: ".")), dot > 0 {
      let app = unsafe UnsafeRawBufferPointer(rebasing: id[..<dot])
      if unsafe contains(app) { return unsafe app }
      end = dot
    }
    return unsafe DefaultApp.of(id)
  }
}
