import Posix

// The sender, reader and counter of `bench/bench.py`: LoadTool SUBCOMMAND --option value…
// Each subcommand is a file; what it has found stands on standard output, as one JSON object.
let words = Array(CommandLine.arguments.dropFirst())
do {
  let options = try Options(words.dropFirst())
  switch words.first {
  case "send": try sendLines(options)
  case "datagrams": try sendDatagrams(options)
  case "redis": try sendToRedis(options)
  case "count": try countLines(options)
  case "count-datagrams": try countDatagrams(options)
  case "hold": try holdConnections(options)
  case "churn": try churnConnections(options)
  case "expect": try writeExpectedCounts(options)
  default: throw LoadFailure("no such subcommand: \(words.first ?? "none")")
  }
} catch {
  Process.writeToStandardError("LoadTool: \(error)\n")
  Process.exit(1)
}
