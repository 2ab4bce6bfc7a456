/// Where the daemon's files are.
package struct Places: Equatable, Sendable {
  /// Sockets and the instance's lock.
  package var runtimeDirectory: String
  /// Snapshots and the database.
  package var stateDirectory: String
  /// Where actions are declared; later folders win.
  package var catalogueFolders: [String]

  package static let eventsStream = "events.sock"
  package static let eventsDatagram = "events.dgram"
  package static let control = "control.sock"

  /// A flag wins over what systemd sets, which wins over the XDG folders.
  ///
  /// - Parameter environment: the value of a variable; nil if it is not set or empty.
  package init(_ options: Options, environment: (String) -> String?) throws(StartFailure) {
    runtimeDirectory = try Self.directory(
      options.runtimeDirectory, environment("RUNTIME_DIRECTORY"), environment("XDG_RUNTIME_DIR"),
      missing: "no place for the sockets: give --runtime-dir, or set XDG_RUNTIME_DIR")
    stateDirectory = try Self.directory(
      options.stateDirectory, environment("STATE_DIRECTORY"),
      environment("XDG_STATE_HOME") ?? environment("HOME").map { $0 + "/.local/state" },
      missing: "no place for the state: give --state-dir, or set XDG_STATE_HOME or HOME")
    catalogueFolders = Self.catalogue(options, environment: environment)
  }

  private static func catalogue(_ options: Options, environment: (String) -> String?) -> [String] {
    if !options.catalogueDirectories.isEmpty { return options.catalogueDirectories }
    let shared = ["/usr/share/quickactions", "/etc/quickactions"]
    let own = settingsFolder(environment)
    return (shared + (shared.contains(own) ? [] : [own])).map { $0 + "/catalogue.d" }
  }

  /// The settings file, and whether it was named by hand and so must be there.
  package static func settings(
    _ options: Options, environment: (String) -> String?
  ) -> (path: String, mustExist: Bool) {
    if let path = options.settingsFile { return (path, true) }
    return (settingsFolder(environment) + "/quickactions.conf", false)
  }

  private static func settingsFolder(_ environment: (String) -> String?) -> String {
    environment("CONFIGURATION_DIRECTORY").map(firstOfList)
      ?? (environment("XDG_CONFIG_HOME") ?? environment("HOME").map { $0 + "/.config" }).map { $0 + "/quickactions" }
      ?? "/etc/quickactions"
  }

  private static func directory(
    _ flag: String?, _ systemd: String?, _ base: String?, missing: String
  ) throws(StartFailure) -> String {
    guard let path = flag ?? systemd.map(firstOfList) ?? base.map({ $0 + "/quickactions" }) else {
      throw StartFailure(status: .cannotCreate, message: missing)
    }
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Systemd separates several folders by colons.
  private static func firstOfList(_ list: String) -> String { String(list.prefix { $0 != ":" }) }
}
