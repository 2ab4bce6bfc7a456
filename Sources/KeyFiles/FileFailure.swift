package import Posix

extension RegularFile.Failure {
  /// What keeps the file from being read, in words that follow its path.
  package var words: String {
    switch self {
    case .missing: "there is no such file"
    case .danglingLink: "a link to a file that does not exist"
    case .notRegular(let kind): "a \(kind.words), not a regular file"
    case .tooLarge(let limit): "larger than \(SizeText.print(limit))"
    case .system(let error): error.words
    }
  }
}

extension SystemError {
  /// What failed, in words that follow the path of what it was done to.
  package var words: String { "can't \(operation) it: \(reason)" }
}
