/// Who owns an action when the event does not say.
package enum DefaultApp {
  private static let nameless: StaticString = "default"

  /// Where the TYPE of an action id ends: at the first `#`, else with the id.
  static func typeEnd(_ id: UnsafeRawBufferPointer) -> Int {
    unsafe id.firstIndex(of: UInt8(ascii: "#")) ?? id.count
  }

  /// The app of an action id: its TYPE up to the last dot, else `default`.
  ///
  /// - Parameter id: `TYPE` or `TYPE#TARGET`.
  /// - Returns: bytes of `id` itself, or static ones.
  package static func of(_ id: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if let dot = unsafe id[..<typeEnd(id)].lastIndex(of: UInt8(ascii: ".")), dot > 0 {
      return unsafe UnsafeRawBufferPointer(rebasing: id[..<dot])
    }
    return unsafe UnsafeRawBufferPointer(start: nameless.utf8Start, count: nameless.utf8CodeUnitCount)
  }
}
