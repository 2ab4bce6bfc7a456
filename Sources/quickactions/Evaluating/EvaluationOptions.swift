import Evaluation
import KeyFiles
import Ranking

extension Option {
  fileprivate static let halfLife = Option(
    "--half-life", value: "VALUE", help: "also by this half-life, in time (7d) or in uses (20u); several times for more"
  )
  fileprivate static let peers = Option(
    "--peers", value: "NAMES", help: "by these peers, with commas between them, or none; else by all of them")
  fileprivate static let margin = Option(
    "--margin", value: "PERCENT", help: "how far ahead an action has to be to take another's place, 0 to 1000, else 25")
  fileprivate static let keepPlaces = Option(
    "--keep-places", value: "yes|no", help: "whether those on the menu keep their places by that, too; else yes")
  fileprivate static let all = Option(
    "--all", help: "show all the half-lives that the best is chosen from")
  fileprivate static let whatIf = Option(
    "--what-if", help: "say what another half-life would have made of your own uses")
}

/// What `evaluate` is to try, and what of that to show.
struct EvaluationOptions {
  static let options: [Option] = [.halfLife, .peers, .margin, .keepPlaces, .all, .whatIf]

  /// As they are written on the command line, without blanks.
  static let peerNames = Contender.peers.map { written($0.name) }

  /// The daemon, half-lives and peers that were asked for, and behind them what only the best is chosen from.
  let rankers: [Contender]
  /// Whether it is to be said what other half-lives would have done.
  let asksWhatIf: Bool
  /// The half-lives that were asked for, by their names.
  let halfLives: [String]
  private let shown: Set<String>

  static let daemon = "adaptive"

  init(_ invocation: Invocation) throws(CommandFailure) {
    var asked: [Contender] = []
    for text in invocation.arguments.values(.halfLife) {
      let contender = try Self.halfLife(text)
      if !asked.contains(where: { $0.name == contender.name }) { asked.append(contender) }
    }
    halfLives = asked.map(\.name)
    asksWhatIf = invocation.has(.whatIf)
    let daemon = Contender.daemon(
      swapMargin: Double(try invocation.number(.margin, in: 0...1000) ?? 25) / 100,
      keepPlaces: try Self.switched(invocation.value(.keepPlaces)))
    let wanted = [daemon] + asked + (try Self.peers(invocation.arguments.values(.peers)))
    let names = Set(wanted.map(\.name))
    rankers = wanted + Contender.fixedHalfLives.filter { !names.contains($0.name) }
    shown = invocation.has(.all) ? Set(rankers.map(\.name)) : names
  }

  /// Whether the ranker of this name is among what is shown.
  func isShown(_ name: String) -> Bool { shown.contains(name) }

  /// What fades by uses is written as `20 uses`, `20u` or `20 u`; anything else is a duration.
  private static func halfLife(_ text: String) throws(CommandFailure) -> Contender {
    let count = text.utf8.prefix { (0x30...0x39).contains($0) }
    let unit = text.utf8.dropFirst(count.count).drop { $0 == 0x20 }
    if !count.isEmpty, ["u", "use", "uses"].contains(where: { $0.utf8.elementsEqual(unit) }) {
      guard let uses = Int(String(decoding: count, as: UTF8.self)), (1...mostUses).contains(uses) else {
        throw .usage("a half-life in uses is 1 to \(mostUses), not '\(VisibleText.of(text))'")
      }
      return .halfLife(uses: uses)
    }
    do throws(ValueFault) {
      let nanoseconds = try DurationText.parse(text)
      guard RankingRanges.halfLife.contains(nanoseconds) else { throw .outOfRange }
      return .halfLife(HalfLife(nanoseconds: nanoseconds), named: DurationText.print(nanoseconds))
    } catch {
      throw .usage(
        "'\(VisibleText.of(text))' is no half-life: \(error.words)",
        hint: "write a time from 1s to 100y, as 7d, or a number of uses, as 20u")
    }
  }

  private static let mostUses = 1_000_000_000

  private static func peers(_ values: [String]) throws(CommandFailure) -> [Contender] {
    if values.isEmpty { return Contender.peers }
    var names: Set<String> = []
    for name in values.flatMap({ $0.split(separator: ",") }).map({ written(String($0)) }) where name != "none" {
      if name == "all" { return Contender.peers }
      guard peerNames.contains(name) else {
        throw .usage(
          "'\(VisibleText.of(name))' is no peer",
          hint: Suggestion.words(for: name, among: peerNames + ["none", "all"])
            ?? "peers are \(peerNames.joined(separator: ", "))")
      }
      names.insert(name)
    }
    return Contender.peers.filter { names.contains(written($0.name)) }
  }

  private static func written(_ name: String) -> String { name.replacing(" ", with: "-") }

  private static func switched(_ text: String?) throws(CommandFailure) -> Bool {
    do throws(ValueFault) {
      return try text.map { (text) throws(ValueFault) in try SwitchText.parse(text) } ?? true
    } catch {
      throw .usage("--keep-places takes yes or no, not '\(VisibleText.of(text ?? ""))'")
    }
  }
}
