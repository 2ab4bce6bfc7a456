/// The rows of action numbers that belong to each app: a list for each ``Decay``, in no order but for a lowest that is
/// known and then comes first, and after them what is shown, by its places.
///
/// All have the room of the largest limit that is in use: 11 rows of 4 bytes for each of it an app.
@safe
struct AppLists: ~Copyable {
  /// A place that nobody has.
  static let nobody = UInt32.max
  private static let rows = Decay.allCases.count + 1

  private var storage: UnsafeMutablePointer<UInt32>
  private var apps = 8
  private var width: Int

  /// - Parameter width: the largest limit in use, 1 to 20.
  init(width: Int) {
    self.width = width
    unsafe storage = .allocate(capacity: apps * Self.rows * width)
    unsafe storage.initialize(repeating: Self.nobody, count: apps * Self.rows * width)
  }

  deinit {
    unsafe storage.deallocate()
  }

  /// Makes room for apps with numbers below `count`.
  mutating func reserve(apps count: Int) {
    if count > apps { reallocate(apps: max(count, 2 * apps), width: width) }
  }

  /// Makes room for lists of up to `limit`.
  ///
  /// - Complexity: O(apps), if none was as large.
  mutating func widen(to limit: Int) {
    if limit > width { reallocate(apps: apps, width: limit) }
  }

  private mutating func reallocate(apps newApps: Int, width newWidth: Int) {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: newApps * Self.rows * newWidth)
    unsafe larger.initialize(repeating: Self.nobody, count: newApps * Self.rows * newWidth)
    for row in 0..<apps * Self.rows {
      unsafe (larger + row * newWidth).update(from: storage + row * width, count: width)
    }
    unsafe storage.deallocate()
    unsafe storage = larger
    (apps, width) = (newApps, newWidth)
  }

  /// An entry of an app's list.
  subscript(app: UInt32, decay: Decay, index: Int) -> UInt32 {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(address(app, row: Int(decay.rawValue), index)) }
    @inline(__always) unsafeMutableAddress { unsafe address(app, row: Int(decay.rawValue), index) }
  }

  /// Who is shown at an app's place, from 0 on.
  subscript(shown app: UInt32, place: Int) -> UInt32 {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(address(app, row: Self.rows - 1, place)) }
    @inline(__always) unsafeMutableAddress { unsafe address(app, row: Self.rows - 1, place) }
  }

  @inline(__always)
  private func address(_ app: UInt32, row: Int, _ index: Int) -> UnsafeMutablePointer<UInt32> {
    assert(app < apps && index < width)
    return unsafe storage + ((Int(app) &* Self.rows &+ row) &* width &+ index)
  }
}
