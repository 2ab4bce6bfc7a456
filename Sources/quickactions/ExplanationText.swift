import QuickActionsClient
import Wire

/// Why an action stands where it stands, in sentences.
struct ExplanationText {
  private let found: Explanation
  private let disabledSince: UnixTime?
  private let now: UnixTime

  /// - Parameter reply: of the daemon.
  init(_ reply: JSONNode, now: UnixTime) throws(ClientError) {
    found = try Explanation(reply)
    disabledSince = reply["disabledSince"]?.time
    self.now = now
  }

  /// The sentences, each a line of its own: where it stands, why, its uses, and what became of them.
  var lines: [String] {
    ([standing] + choices + [uses, decay, place, ahead, margin].compactMap { $0 }).map(VisibleText.of)
  }

  private var name: String {
    found.action.text + (found.localizedTitle.map { " (“\($0)”)" } ?? "")
  }

  private var standing: String {
    if let rank = found.rank {
      return "\(name) has rank \(rank) of at most \(found.limit) in the list of \(found.app.text)."
    }
    return "\(name) is not in the list of \(found.app.text): \(reason)."
  }

  private var reason: String {
    switch found.absence {
    case .outranked: "\(AmountText.count(found.limit, "action")) fit in, and others stand before it"
    case .blocked: "it is blocked, and its uses are not recorded"
    case .appBlocked: "its app is blocked, and its uses are not recorded"
    case .disabled: "it is disabled; its uses are counted all the same"
    case .undefined: "nobody has defined it, and the settings (OnlyDefined=yes) want that"
    case nil where found.uses == 0: "it was never used, and nobody has defined it"
    case nil: "the daemon gives a reason that this client does not know"
    }
  }

  /// What a person or a program has decided about it.
  private var choices: [String] {
    var sentences: [String] = []
    switch found.definedBy {
    case .static: sentences.append("It is static: declared in the catalogue, and shown before all dynamic ones.")
    case .catalogue: sentences.append("The catalogue declares it.")
    case .registered: sentences.append("A program has registered it.")
    case nil: break
    }
    func add(_ what: String, since time: UnixTime?) {
      if let time { sentences.append("It has been \(what) since \(date(time)), \(TimeText.ago(time, now: now)).") }
    }
    add("blocked", since: found.blockedSince)
    add("disabled", since: disabledSince)
    add("pinned", since: found.pinnedSince)
    if found.pinnedSince != nil {
      sentences.append("Pinned actions stand in the order of pinning, whatever their scores.")
    }
    return sentences
  }

  private var uses: String? {
    guard found.uses > 0 else { return found.absence == nil && found.rank == nil ? nil : "It was never used." }
    let first = found.firstUsed.map { ", first \(TimeText.ago($0, now: now)) (\(date($0)))" } ?? ""
    let last = found.lastUsed.map { ", last \(TimeText.ago($0, now: now)) (\(date($0)))" } ?? ""
    return "It was used \(found.uses == 1 ? "once" : "\(found.uses) times")\(found.uses == 1 ? "" : first)\(last)."
  }

  private var decay: String? {
    guard found.uses > 0 else { return nil }
    let weight =
      found.weightOfLastUse.map { "; one at the time of the last is worth \(AmountText.score($0)) now" } ?? ""
    return "Its score is \(AmountText.score(found.score)): what its uses are worth in uses of just now. "
      + "A use loses \(fading), \(choice)\(weight)."
  }

  /// Whether uses lose their worth by other uses, not with time.
  private var fadesByUses: Bool { found.halfLife.contains("use") }

  private var fading: String {
    let isHalfLife = found.halfLife.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    if !isHalfLife { return "its worth by the \(found.halfLife) of the app" }
    return "half of its worth every \(found.halfLife)\(fadesByUses ? " of the app" : "")"
  }

  /// Why it is this half-life.
  private var choice: String {
    if found.isHalfLifeOfApp { return "the app's own half-life" }
    guard let method = found.method, method.kind == .adaptive else { return "the half-life" }
    guard let rate = method.hitRate else { return "with which every app begins" }
    return
      "the way by which the list had \(AmountText.percent(rate)) of the latest uses, and no other did clearly better"
  }

  private var place: String? {
    guard let dynamic = found.place.dynamic else { return nil }
    let before = [(found.place.statics, "static"), (found.place.pinned, "pinned")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }
    let others =
      before.isEmpty || found.pinnedSince != nil
      ? "" : " Before all of them the list has \(before.joined(separator: " and ")) ones."
    return
      "By score it is \(Self.ordinal(dynamic)) of the app's \(AmountText.count(found.place.competitors, "dynamic action"))."
      + others
  }

  /// Why it is, say, fifth and not fourth.
  private var ahead: String? {
    guard found.pinnedSince == nil, let dynamic = found.place.dynamic, dynamic > 1, let ahead = found.place.ahead else {
      return nil
    }
    let place = Self.ordinal(dynamic - 1)
    let other = ahead.action.text
    switch ahead.decision {
    case .score:
      let lead = "\(other) is \(place), as it has the higher score: \(AmountText.score(ahead.score))."
      // Another use would change what both are worth.
      if fadesByUses { return lead }
      let missing = max(1, (ahead.score - found.score).rounded(.up))
      let uses = missing < 1e9 ? AmountText.count(Int(missing), "more use") : "more uses than anyone makes"
      return "\(lead) To pass it takes \(uses) now."
    case .lastUse: return "\(other) is \(place): the scores are equal, and it was used later. \(Self.oneMore)"
    case .arrival:
      return
        "\(other) is \(place): scores and times of the last use are equal, and its use arrived later. \(Self.oneMore)"
    case .id: return "\(other) is \(place): all else is equal, and its id comes first byte by byte. \(Self.oneMore)"
    case nil: return "\(other) is \(place)."
    }
  }

  /// Where the list is not in the order of scores.
  private var margin: String? {
    if let other = found.keptOutBy?.text {
      return
        "\(other), which is in the list, has a lower score: to take its place takes a lead of the margin (SwapMargin=)."
    }
    return found.heldAgainst.map {
      "\($0.text), which is not in the list, has a higher score: it does not lead by the margin (SwapMargin=)."
    }
  }

  private static let oneMore = "To pass it takes 1 more use now."

  private func date(_ time: UnixTime) -> String { RFC3339.string(nanoseconds: time.nanoseconds, fractionDigits: 0) }

  private static func ordinal(_ number: Int) -> String {
    let suffix =
      switch (number % 10, number % 100) {
      case (_, 11...13): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }
}
