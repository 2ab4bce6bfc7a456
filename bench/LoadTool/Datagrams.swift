import Glibc
import Posix

/// `datagrams --socket PATH --ids N --apps N --events N [--seed N] [--lines N] [--short N]`: sends datagrams of so many
/// plain lines each (1), and waits whenever the receiver has no room.
func sendDatagrams(_ options: Options) throws {
  let workload = try Workload(options)
  let size = workload.size(.plain)
  let lines = try options.number("lines", default: 1)
  let bytes = workload.bytes(.plain).dropLast(try options.number("short", default: 0) * size)
  let socket = try Socket.connect(.datagram, to: try options.text("socket"))
  let start = Clocks.monotonic()
  try Socket.sendAll(socket, bytes, size: lines * size)
  report([("events", "\(workload.order.count)"), ("seconds", "\(Double(Clocks.monotonic() - start) / 1e9)")])
}
