import Posix

// The inventory of subcommands, in the order in which the help lists them.
let program = Program(subcommands: [
  .use, .run, .top, .apps, .watch, .explain, .stats, .status,
  .define, .undefine, .enable, .disable, .pin, .unpin, .block, .unblock, .forget, .pause, .resume, .recompute,
  .import, .export, .evaluate, .validate,
])

Process.exit(program.run(Array(Process.arguments.dropFirst())).rawValue)
