// The calls on streams for bytes that lie in arrays.
extension UnixSocket {
  /// Sends what the kernel takes now: how many bytes, 0 if none. Never raises SIGPIPE.
  package static func send(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemError) -> Int {
    try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
      try unsafe send(descriptor, UnsafeRawBufferPointer(bytes))
    }
  }

  /// Receives from a stream into `buffer`, which has room for at least one byte.
  package static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) throws(SystemError) -> Received {
    try unsafe buffer.withUnsafeMutableBufferPointer { (buffer) throws(SystemError) in
      try unsafe receive(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
