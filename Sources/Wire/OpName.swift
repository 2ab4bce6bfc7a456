/// The ops that only `control.sock` takes, by their names. `docs/CONTROL.md` describes each.
package enum OpName: String, CaseIterable, Sendable {
  case define, undefine, enable, disable, pin, unpin, block, unblock, forget, pause, resume
  case top, apps, explain, stats, subscribe, recompute, export, status

  init?(_ name: Bytes) { self.init(rawValue: unsafe String(decoding: name.raw, as: UTF8.self)) }
}
