/// The rows of action numbers that belong to each app: a list for each ``Decay``, in no order, and after them what is
/// shown, by its places.
///
/// All have the room of the largest limit that is in use: 12 bytes an app, and 44 for each of it.
@safe
struct AppLists: ~Copyable {
  /// A place that nobody has.
  static let nobody = UInt32.max
  private static let rows = Decay.allCases.count + 1

  /// Of each app a byte for each list, how many stand in it, and then the rows.
  private var storage: UnsafeMutablePointer<UInt32>
  private static let header = 3
  private var apps = 8
  private var width: Int

  /// - Parameter width: the largest limit in use, 1 to 20.
  init(width: Int) {
    self.width = width
    unsafe storage = Self.allocate(apps: apps, width: width)
  }

  deinit {
    unsafe storage.deallocate()
  }

  private static func stride(width: Int) -> Int { header &+ rows &* width }

  private static func allocate(apps: Int, width: Int) -> UnsafeMutablePointer<UInt32> {
    let count = apps * stride(width: width)
    let storage = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    unsafe storage.initialize(repeating: nobody, count: count)
    for app in 0..<apps { unsafe (storage + app * stride(width: width)).update(repeating: 0, count: header) }
    return unsafe storage
  }

  /// Empties the lists of an app.
  mutating func clear(_ app: UInt32) { unsafe address(app, 0).update(repeating: 0, count: Self.header) }

  /// Makes room for apps with numbers below `count`.
  mutating func reserve(apps count: Int) {
    if count > apps { reallocate(apps: max(count, apps + apps / 4), width: width) }
  }

  /// Makes room for lists of up to `limit`.
  ///
  /// - Complexity: O(apps), if none was as large.
  mutating func widen(to limit: Int) {
    if limit > width { reallocate(apps: apps, width: limit) }
  }

  private mutating func reallocate(apps newApps: Int, width newWidth: Int) {
    let larger = unsafe Self.allocate(apps: newApps, width: newWidth)
    let (old, new) = (Self.stride(width: width), Self.stride(width: newWidth))
    for app in 0..<apps {
      let (from, to) = unsafe (storage + app * old, larger + app * new)
      unsafe to.update(from: from, count: Self.header)
      for row in 0..<Self.rows {
        unsafe (to + Self.header + row * newWidth).update(from: from + Self.header + row * width, count: width)
      }
    }
    unsafe storage.deallocate()
    unsafe storage = larger
    (apps, width) = (newApps, newWidth)
  }

  /// How many actions stand in a list.
  subscript(count app: UInt32, decay: Decay) -> UInt8 {
    @inline(__always) get {
      unsafe UnsafeRawPointer(address(app, 0)).load(fromByteOffset: Int(decay.rawValue), as: UInt8.self)
    }
    @inline(__always) set {
      unsafe UnsafeMutableRawPointer(address(app, 0)).storeBytes(
        of: newValue, toByteOffset: Int(decay.rawValue), as: UInt8.self)
    }
  }

  /// An entry of an app's list.
  subscript(app: UInt32, decay: Decay, index: Int) -> UInt32 {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(address(app, row: Int(decay.rawValue), index)) }
    @inline(__always) unsafeMutableAddress { unsafe address(app, row: Int(decay.rawValue), index) }
  }

  /// An app's list, which holds so many; valid until room is made.
  @inline(__always)
  func row(_ app: UInt32, _ decay: Decay, count: Int) -> UnsafeMutableBufferPointer<UInt32> {
    unsafe UnsafeMutableBufferPointer(start: address(app, row: Int(decay.rawValue), 0), count: count)
  }

  /// Who is shown at an app's place, from 0 on.
  subscript(shown app: UInt32, place: Int) -> UInt32 {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(address(app, row: Self.rows - 1, place)) }
    @inline(__always) unsafeMutableAddress { unsafe address(app, row: Self.rows - 1, place) }
  }

  @inline(__always)
  private func address(_ app: UInt32, row: Int, _ index: Int) -> UnsafeMutablePointer<UInt32> {
    assert(index < width)
    return unsafe address(app, Self.header &+ row &* width &+ index)
  }

  @inline(__always)
  private func address(_ app: UInt32, _ offset: Int) -> UnsafeMutablePointer<UInt32> {
    assert(app < apps)
    return unsafe storage + (Int(app) &* Self.stride(width: width) &+ offset)
  }
}
