private import CGLib

/// A key file as GLib understands it.
@safe
package struct KeyFile: ~Copyable {
  private let pointer: OpaquePointer

  /// Where its sections and keys stand.
  package let lines: KeyFileLines

  /// Reads UTF-8 text; a byte order mark in front is skipped.
  ///
  /// - Complexity: O(*n*) in the bytes of a text that is well-formed, O(*n* log *n*) of one that is not.
  /// - Throws: ``KeyFileError`` with the first line that cannot be there.
  package init(_ bytes: [UInt8]) throws(KeyFileError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]  // Some editors put U+FEFF in front.
    var text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    // GLib drops a CR only where a LF follows.
    if text.last == 0x0D { text.removeLast() }
    lines = KeyFileLines(text)
    if let (line, fault) = lines.firstThatIsNotText() { throw KeyFileError(line: line, fault: fault) }
    let (file, code) = unsafe Self.load(text)
    guard let file = unsafe file else {
      let line = lines.firstThatFails { text in
        guard let file = unsafe Self.load(text).file else { return false }
        unsafe g_key_file_free(file)
        return true
      }
      throw KeyFileError(line: line, fault: KeyFileFault(code: code, line: lines.text(of: line)))
    }
    unsafe pointer = file
  }

  deinit { unsafe g_key_file_free(pointer) }

  /// Parses a text that has no NUL bytes; the caller frees the file, or there is none and a reason.
  ///
  /// The corresponding C function is `g_key_file_load_from_data`. Translations are kept, so that a key such as
  /// `Name[de]` means the same in every locale.
  private static func load(_ text: ArraySlice<UInt8>) -> (file: OpaquePointer?, code: Int32) {
    guard let file = unsafe g_key_file_new() else { fatalError("g_key_file_new never returns NULL") }
    var error: UnsafeMutablePointer<GError>? = nil
    let isLoaded = unsafe text.withUnsafeBytes { bytes in
      unsafe bytes.isEmpty
        || g_key_file_load_from_data(
          file, bytes.bindMemory(to: CChar.self).baseAddress, gsize(bytes.count), G_KEY_FILE_KEEP_TRANSLATIONS,
          &error) != 0
    }
    if isLoaded { return unsafe (file, 0) }
    let code = unsafe error?.pointee.code ?? 0
    unsafe g_clear_error(&error)
    unsafe g_key_file_free(file)
    return (nil, code)
  }

  /// The raw value of a key, or nothing if there is none.
  ///
  /// The corresponding C function is `g_key_file_get_value`. Escapes are left as they are.
  package borrowing func value(section: String, key: String) -> String? {
    guard let value = unsafe g_key_file_get_value(pointer, section, key, nil) else { return nil }
    defer { unsafe g_free(value) }
    return unsafe String(cString: value)
  }

  /// The value of a key with its escapes replaced, or nothing if there is none; an unknown escape stays as it is.
  ///
  /// The corresponding C function is `g_key_file_get_string`.
  package borrowing func string(section: String, key: String) -> String? {
    guard let value = unsafe g_key_file_get_string(pointer, section, key, nil) else { return nil }
    defer { unsafe g_free(value) }
    return unsafe String(cString: value)
  }

  /// The elements of a list that is separated by semicolons, or nothing if there is no such key.
  ///
  /// The corresponding C function is `g_key_file_get_string_list`.
  package borrowing func strings(section: String, key: String) -> [String]? {
    var count: gsize = 0
    guard let list = unsafe g_key_file_get_string_list(pointer, section, key, &count, nil) else { return nil }
    defer { unsafe g_strfreev(list) }
    return (0..<Int(count)).compactMap { unsafe list[$0].map { unsafe String(cString: $0) } }
  }
}

extension KeyFileFault {
  fileprivate init(code: Int32, line: String) {
    self =
      switch UInt32(bitPattern: code) {
      case G_KEY_FILE_ERROR_GROUP_NOT_FOUND.rawValue: .keyBeforeSection
      case G_KEY_FILE_ERROR_UNKNOWN_ENCODING.rawValue: .encoding
      default: .badLine(line)
      }
  }
}
