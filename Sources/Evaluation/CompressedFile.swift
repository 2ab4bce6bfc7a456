private import CZlib
import Posix

/// A file that is read from its begin to its end, uncompressed on the way if its first bytes are gzip's.
@safe struct CompressedFile: ~Copyable {
  private let file: gzFile

  /// Opens a file, a pipe or a device. The corresponding C function is `gzopen`.
  ///
  /// - Throws: `system`.
  init(_ path: String) throws(TraceFailure) {
    var code: Int32 = 0
    guard let file = unsafe czlib_open(path, &code) else { throw .system(SystemError("open", path, code: code)) }
    unsafe self.file = file
  }

  deinit { _ = unsafe gzclose_r(file) }

  /// Fills `buffer` as far as there is something left. The corresponding C function is `gzread`.
  ///
  /// - Returns: how many bytes that were; 0 at the end.
  /// - Throws: `system`, or `damaged` where the compressed bytes are wrong or end too early.
  func read(_ buffer: inout [UInt8]) throws(TraceFailure) -> Int {
    var code: Int32 = 0
    let count = unsafe czlib_read(file, &buffer, UInt32(buffer.count), &code)
    if count >= 0 { return Int(count) }
    throw code == 0 ? .damaged : .system(SystemError("read", code: code))
  }
}
