import Glibc
import Posix

/// `expect --output FILE --ids N --apps N --events N [--seed N]`: how often each id comes, as 32-bit numbers in the order
/// of the ids.
func writeExpectedCounts(_ options: Options) throws {
  let workload = try Workload(options)
  var counts = [UInt32](repeating: 0, count: workload.ids)
  for id in workload.order { counts[Int(id)] += 1 }
  let path = try options.text("output")
  let file = FileDescriptor(
    owning: Int32(try Socket.check("open \(path)", unsafe creat(path, 0o600))))
  try file.writeAll(unsafe counts.withUnsafeBytes { unsafe Array($0) })
}
