import Foundation

/// A fact that did not come about, or a call that failed.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// How long any fact may take before a test gives up, seconds. Passing tests never wait for it.
let patience = 30.0

/// Waits until `fact` holds.
func wait(for what: @autoclosure () -> String, _ fact: () throws -> Bool) throws {
  let end = Date(timeIntervalSinceNow: patience)
  while try !fact() {
    if Date() > end { throw Failure("waited \(patience) s in vain for \(what())") }
    Thread.sleep(forTimeInterval: 0.005)
  }
}

/// A temporary folder, short enough for sockets; gone with its owner.
final class Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/qc-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no temporary folder") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file below it, with the folders that it needs, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let url = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }
}
