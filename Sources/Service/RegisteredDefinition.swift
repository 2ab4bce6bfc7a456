import Catalogue
import Wire

/// An action as a program registers it: what it means in the daemon's language, and as it came.
struct RegisteredDefinition {
  let action: ActionDefinition
  /// An object in JSON, with all languages.
  let text: [UInt8]

  /// Reads what the op `define` was given.
  init(_ node: JSONNode, languages: Languages) throws(LineError) {
    var writer = JSONWriter()
    writer.value(node)
    text = writer.bytes
    if text.count > Registry.longestDefinition {
      throw .refusedOp("a definition is over \(Registry.longestDefinition) bytes")
    }
    do { action = try ActionDefinition(json: node, languages: languages, source: .client) } catch {
      throw .refusedOp(error.message)
    }
  }

  /// Reads what was stored; nil if it can't be read, which this program never wrote.
  init?(stored text: [UInt8], languages: Languages) {
    guard let node = try? JSONNode.object(text),
      let action = try? ActionDefinition(json: node, languages: languages, source: .client)
    else { return nil }
    self.action = action
    self.text = text
  }
}
