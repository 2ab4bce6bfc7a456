import Glibc
import IntakeLog
import Posix

// A process for tests: IntakeLogWorker receive FOLDER | spin FOLDER | create FOLDER BYTES | measure
let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.dropFirst().first) {
  case ("receive", let folder?): try receiveUntilKilled(in: folder, waits: true)
  case ("spin", let folder?): try receiveUntilKilled(in: folder, waits: false)
  case ("create", let folder?):
    _ = try IntakeLog.create(inDirectory: folder, size: Int(arguments.last ?? "") ?? 0, identity: 1)
  case ("measure", _): try measure()
  default: exit(64)
  }
} catch {
  Process.writeToStandardError("\(error)\n")
  exit(1)
}
