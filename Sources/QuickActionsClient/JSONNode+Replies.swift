package import Wire

extension JSONNode {
  /// A line of the daemon.
  static func reply(_ line: [UInt8]) throws(ClientError) -> JSONNode {
    do { return try object(line) } catch { throw .badReply(error.message) }
  }

  /// The value, if this is a whole number that is not negative.
  package var count: UInt64? { integer.flatMap { UInt64(exactly: $0) } }

  /// The value, if this is a whole number, held within the range.
  var whole: Int? { integer.map { Int(clamping: $0) } }

  /// The value, if this is a time.
  package var time: UnixTime? { string.flatMap { UnixTime($0) } }

  /// The value as JSON text.
  package var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension Refusal {
  init(_ error: JSONNode) {
    self.init(
      line: error["line"]?.count, code: error["code"]?.string ?? "", message: error["message"]?.string ?? error.text)
  }
}
