import Catalogue
import Ranking
import Storage

extension Registry {
  /// Has the titles of what is registered in other languages.
  func translate(to languages: Languages) {
    for (number, entry) in entries {
      guard let text = entry.registered?.text,
        let definition = RegisteredDefinition(stored: text, languages: languages)
      else { continue }
      change(number) { $0.registered?.definition = definition.action }
    }
  }

  /// Takes over what was stored. To be called when the actions are restored, before the catalogue is applied.
  func restore(_ stored: StoredState, languages: Languages) {
    for row in stored.registrations {
      guard let definition = RegisteredDefinition(stored: row.definition, languages: languages) else { continue }
      let number = ledger.ranking.insert(row.action, app: row.app)
      ledger.ranking.setAppNamed(row.isAppNamed, ofUnused: number)
      change(number) {
        $0.registered = Registration(definition: definition.action, position: row.position, text: definition.text)
      }
      lastPosition = max(lastPosition, row.position)
    }
    for row in stored.choices.sorted(by: { $0.pinPosition < $1.pinPosition }) {
      lastPosition = max(lastPosition, row.pinPosition)
      let choice = Choice(row)
      if row.action.isEmpty {
        let app = ledger.ranking.insertApp(row.app)
        ledger.ranking.setBlocked(choice.blockedAt != nil, app: app)
        updateApp(app) { $0.choice = choice }
      } else {
        let number = ledger.ranking.insert(row.action, app: row.app)
        ledger.ranking.setAppNamed(row.isAppNamed, ofUnused: number)
        change(number) { $0.choice = choice }
      }
    }
  }
}
