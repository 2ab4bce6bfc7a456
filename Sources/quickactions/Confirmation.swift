import Posix

/// Asks the person before something that can't be taken back.
enum Confirmation {
  private static let longestAnswer = 256

  /// Asks on the terminal, unless the options say yes already.
  ///
  /// - Parameter question: what would be done, as a question without its mark.
  /// - Throws: ``CommandFailure`` if the answer is no, or if nobody can be asked.
  static func ask(_ question: String, _ invocation: Invocation) throws {
    if invocation.has(.yes) { return }
    guard StandardStream.input.isTerminal else {
      throw CommandFailure.failed(
        "this can't be taken back, and there is no terminal to ask at", code: "notConfirmed", hint: "say --yes to do it"
      )
    }
    Process.writeToStandardError("\(VisibleText.of(question))? It can't be taken back. [y/N] ")
    let answer = try StandardStream.input.read(limit: longestAnswer)
    let text = String(decoding: answer, as: UTF8.self).lowercased()
    guard ["y\n", "yes\n"].contains(text) else {
      throw CommandFailure.failed("nothing was done", code: "notConfirmed")
    }
  }
}
