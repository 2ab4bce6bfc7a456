import Posix
import Service

Process.exit(Launcher.run(Array(CommandLine.arguments.dropFirst())))
