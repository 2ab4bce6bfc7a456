/// What actions are worth by the decays that count uses, worked out quickly and to a millionth of itself.
///
/// Two addresses, so that it stays in registers while lists are looked through.
@safe
struct ActionWorths {
  let records: UnsafePointer<ActionRecord>
  let factors: UnsafePointer<SIMD8<Float>>

  /// A lane of an action's counters once its app has had so many uses.
  @inline(__always)
  func worth(_ number: UInt32, _ lane: Int, steps: UInt32, _ fading: borrowing FadingTable) -> Float {
    // The counters come first in a record, and in them the lanes.
    let record = unsafe records + Int(number)
    let value = unsafe UnsafeRawPointer(record).load(fromByteOffset: lane &* 4, as: Float.self)
    let uses = unsafe steps &- record.pointee.counters.step &- 1
    if uses >= FadingTable.size { return value * fading.factor(lane, uses: uses) }
    return unsafe value * UnsafeRawPointer(factors + Int(uses)).load(fromByteOffset: lane &* 4, as: Float.self)
  }

  /// What an action is worth under the power law once its app has had so many uses.
  @inline(__always)
  func power(_ number: UInt32, steps: UInt32, _ fading: borrowing FadingTable) -> Float {
    let record = unsafe records + Int(number)
    let (values, uses) = unsafe (record.pointee.counters.values, steps &- record.pointee.counters.step)
    if uses >= FadingTable.size { return Fading.power(values, fading.factors(uses: uses)) }
    return unsafe Fading.power(values, factors[Int(uses)])
  }
}
