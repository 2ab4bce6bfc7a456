// A mail program's jump list: it registers two actions, records what its user does, and shows the list as it changes.
//
//     jump-list [RUNTIME-DIR STATE-DIR]      without places: the user's own daemon, or the machine's

import QuickActionsClient

let app: AppID = "com.example.mail"
let arguments = CommandLine.arguments.dropFirst()
let daemon: DaemonChoice =
  if let runtime = arguments.first, let state = arguments.dropFirst().first {
    .at(DaemonPlaces(runtimeDirectory: runtime, stateDirectory: state))
  } else {
    .automatic
  }

func show(_ title: String, _ shortcuts: [Shortcut]) {
  print(title)
  for row in shortcuts { print("  \(row.rank). \(row.localizedTitle ?? row.action.text)") }
}

// What it can offer from the start, and that it wants to hear of changes.
let control = try ControlConnection(daemon)
try control.define(
  [
    Definition("com.example.mail.write#alice", title: "Write to Alice", icon: .symbol("square.and.pencil")),
    Definition("com.example.mail.write#bob", title: "Write to Bob", icon: .symbol("square.and.pencil")),
  ], app: app)
try control.subscribe(to: app)

// What its user does. This line is all that most programs need; it never waits, and nothing comes back.
let sender = UseSender(daemon)
try sender.record("com.example.mail.write#alice")

// Where every use has to count, a stream says when it is safe.
let stream = try UseStream(daemon)
for _ in 0..<3 { try stream.send(Use("com.example.mail.write#bob")) }
guard try stream.sync().isDurable else { fatalError("the uses are not on the disk") }

// What to show: the list that is published anyway, without asking the daemon.
if let list = try Snapshot.read(of: app, daemon) { show("Published", list.shortcuts) }

// And again, whenever it has changed; here until nothing has for a while.
while let change = try control.nextChange(timeout: .seconds(2)) { show("Changed", change.shortcuts) }
