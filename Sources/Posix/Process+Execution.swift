import Glibc

extension Process {
  /// The bytes of each argument, the program's name first; they need not be UTF-8.
  package static var arguments: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
        .map { $0.map(UInt8.init(bitPattern:)) }
    }
  }

  /// Makes this process run another program, looked for in PATH unless its name holds a slash. Returns only if that
  /// fails. Descriptors that are not close-on-exec stay open.
  ///
  /// The corresponding C function is `execvp`.
  ///
  /// - Parameter command: the bytes of the program's name and of its arguments, at least one, without NULs.
  package static func replace(by command: [[UInt8]]) -> SystemError {
    precondition(!command.isEmpty)
    let texts = command.map { ($0 + [0]).map(CChar.init(bitPattern:)) }
    var arguments = unsafe texts.map { unsafe strdup($0) }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    unsafe arguments.append(nil)
    _ = unsafe execvp(texts[0], arguments)
    let code = errno
    return SystemError("run", String(decoding: command[0], as: UTF8.self), code: code)
  }
}
