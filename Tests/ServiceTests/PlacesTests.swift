import Service
import Testing

struct PlacesTests {
  private typealias Variables = [String: String]

  private func places(_ arguments: [String], _ variables: [String: String]) throws(StartFailure) -> Places {
    try Places(try Options(arguments)) { variables[$0] }
  }

  @Test(
    "a flag wins over what systemd sets, which wins over the XDG folders, which win over HOME",
    arguments: [
      (
        [], ["XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/h"], "/run/user/7/quickactions", "/h/.local/state/quickactions"
      ),
      ([], ["XDG_RUNTIME_DIR": "/x", "XDG_STATE_HOME": "/s", "HOME": "/h"], "/x/quickactions", "/s/quickactions"),
      (
        [], ["RUNTIME_DIRECTORY": "/run/q", "STATE_DIRECTORY": "/var/q", "XDG_RUNTIME_DIR": "/x", "HOME": "/h"],
        "/run/q", "/var/q"
      ),
      ([], ["RUNTIME_DIRECTORY": "/a:/b", "STATE_DIRECTORY": "/c:/d:/e"], "/a", "/c"),
      (
        ["--runtime-dir", "/f", "--state-dir", "/g"], ["RUNTIME_DIRECTORY": "/run/q", "STATE_DIRECTORY": "/var/q"],
        "/f", "/g"
      ),
      (["--runtime-dir", "/a:b/", "--state-dir", "relative"], [:], "/a:b", "relative"),
      (["--runtime-dir", "/", "--state-dir", "/s/"], [:], "/", "/s"),
    ] as [([String], [String: String], String, String)])
  func order(arguments: [String], variables: [String: String], runtime: String, state: String) throws {
    let places = try places(arguments, variables)
    #expect(places.runtimeDirectory == runtime)
    #expect(places.stateDirectory == state)
  }

  @Test("without any place for sockets or state the message says what to set")
  func missing() {
    let sockets = #expect(throws: StartFailure.self) { try places([], ["HOME": "/h"]) }
    #expect(sockets?.status.rawValue == 73)
    #expect(sockets?.message == "no place for the sockets: give --runtime-dir, or set XDG_RUNTIME_DIR")
    let state = #expect(throws: StartFailure.self) { try places([], ["XDG_RUNTIME_DIR": "/x"]) }
    #expect(state?.status.rawValue == 73)
    #expect(state?.message == "no place for the state: give --state-dir, or set XDG_STATE_HOME or HOME")
  }

  @Test(
    "settings are where the flag says, and only then have to be there",
    arguments: [
      (["--config", "/c"], ["CONFIGURATION_DIRECTORY": "/etc/q"], "/c", true),
      ([], ["CONFIGURATION_DIRECTORY": "/etc/q:/etc/r", "HOME": "/h"], "/etc/q/quickactions.conf", false),
      ([], ["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/quickactions/quickactions.conf", false),
      ([], ["HOME": "/h"], "/h/.config/quickactions/quickactions.conf", false),
      ([], [:], "/etc/quickactions/quickactions.conf", false),
    ] as [([String], [String: String], String, Bool)])
  func settings(arguments: [String], variables: [String: String], path: String, mustExist: Bool) throws {
    let source = Places.settings(try Options(arguments)) { variables[$0] }
    #expect(source == (path, mustExist))
  }
}
