private import CGLib

/// A key file as GLib understands it.
@safe
struct KeyFile: ~Copyable {
  private let pointer: OpaquePointer

  /// Why GLib does not take a text.
  enum Fault: Error {
    case keyBeforeSection
    case encoding
    case badLine
  }

  /// Parses a text that has no NUL bytes.
  ///
  /// The corresponding C function is `g_key_file_load_from_data`. Translations are kept, so that a key such as
  /// `HalfLife[de]` means the same in every locale.
  init(parsing text: ArraySlice<UInt8>) throws(Fault) {
    guard let file = unsafe g_key_file_new() else { fatalError("g_key_file_new never returns NULL") }
    var error: UnsafeMutablePointer<GError>? = nil
    let isLoaded = unsafe text.withUnsafeBytes { bytes in
      unsafe bytes.isEmpty
        || g_key_file_load_from_data(
          file, bytes.bindMemory(to: CChar.self).baseAddress, gsize(bytes.count), G_KEY_FILE_KEEP_TRANSLATIONS,
          &error) != 0
    }
    guard isLoaded else {
      let code = unsafe error?.pointee.code ?? 0
      unsafe g_clear_error(&error)
      unsafe g_key_file_free(file)
      throw Fault(code: code)
    }
    unsafe self.pointer = file
  }

  deinit { unsafe g_key_file_free(pointer) }

  /// The raw value of a key, or nothing if there is none.
  ///
  /// The corresponding C function is `g_key_file_get_value`. Escapes are left as they are.
  borrowing func value(section: String, key: String) -> String? {
    guard let value = unsafe g_key_file_get_value(pointer, section, key, nil) else { return nil }
    defer { unsafe g_free(value) }
    return unsafe String(cString: value)
  }
}

extension KeyFile.Fault {
  fileprivate init(code: Int32) {
    self =
      switch UInt32(bitPattern: code) {
      case G_KEY_FILE_ERROR_GROUP_NOT_FOUND.rawValue: .keyBeforeSection
      case G_KEY_FILE_ERROR_UNKNOWN_ENCODING.rawValue: .encoding
      default: .badLine
      }
  }
}
