import Glibc
import Service

exit(Launcher.run(Array(CommandLine.arguments.dropFirst())))
