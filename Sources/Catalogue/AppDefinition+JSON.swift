import KeyFiles
import Wire

// The JSON form of a file:
//
//     app = { "app": string, ["localizedName": string,] ["halfLife": duration,] ["limit": 1…20,]
//             ["actions": [ *action ]] }

extension AppDefinition {
  /// Those that mean something, to us or, as `$schema`, to an editor.
  private static let known = ["app", "localizedName", "halfLife", "limit", "actions", "$schema"]

  /// Reads a file's text.
  ///
  /// - Throws: the first thing that is wrong.
  static func read(json text: [UInt8], languages: Languages) throws(DefinitionError)
    -> (definition: AppDefinition, warnings: [DefinitionError])
  {
    let node: JSONNode
    do throws(LineError) { node = try JSONNode.object(text) } catch { throw DefinitionError(json: error) }
    let members = try MemberReader(node, "an app")
    let app = try checkedApp(Array(try members.requiredText("app").utf8), at: members.offset(of: "app"))
    var warnings = node.unknownMembers(known: known)
    var actions = ActionList()
    for element in try members.elements("actions") {
      try actions.append(
        ActionDefinition(json: element, languages: languages, source: .catalogue), at: element.offset)
      warnings += ActionDefinition.unknownMembers(element)
    }
    let definition = AppDefinition(
      app: app, localizedName: try members.text("localizedName"), halfLife: try halfLife(members),
      limit: try limit(members), actions: actions.actions)
    return (definition, warnings)
  }

  /// An id that was held against the rules.
  static func checkedApp(_ id: [UInt8], at offset: Int?) throws(DefinitionError) -> [UInt8] {
    do throws(LineError) {
      try IdRules.checkApp(id)
      return id
    } catch {
      throw DefinitionError(.id(error), at: offset)
    }
  }

  private static func halfLife(_ members: MemberReader) throws(DefinitionError) -> Int64? {
    guard let text = try members.text("halfLife") else { return nil }
    let range = RankingRanges.halfLife
    do throws(ValueFault) {
      let value = try DurationText.parse(text)
      guard range.contains(value) else { throw .outOfRange }
      return value
    } catch {
      let allowed = "\(DurationText.print(range.lowerBound)) to \(DurationText.print(range.upperBound))"
      throw DefinitionError(.duration("halfLife", error, allowed: allowed), at: members.offset(of: "halfLife"))
    }
  }

  private static func limit(_ members: MemberReader) throws(DefinitionError) -> Int? {
    guard members.has("limit") else { return nil }
    let range = RankingRanges.limit
    guard let value = members.integer("limit"), let limit = Int(exactly: value), range.contains(limit) else {
      let allowed = "whole numbers from \(range.lowerBound) to \(range.upperBound)"
      throw DefinitionError(.notAllowed("limit", allowed: allowed), at: members.offset(of: "limit"))
    }
    return limit
  }
}

/// The actions of one app while they are read.
struct ActionList {
  private(set) var actions: [ActionDefinition] = []
  private var ids: Set<[UInt8]> = []

  /// - Throws: if it is one too many, or its id was there before.
  mutating func append(_ action: ActionDefinition, at offset: Int) throws(DefinitionError) {
    if actions.count == DefinitionLimits.actions {
      throw DefinitionError(.tooManyActions(limit: DefinitionLimits.actions), at: offset)
    }
    if !ids.insert(action.id).inserted { throw DefinitionError(.duplicateAction, at: offset) }
    actions.append(action)
  }
}
