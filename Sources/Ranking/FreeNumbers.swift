/// Numbers of what was removed. They come into use again only when nobody can mean the old bearer any more.
struct FreeNumbers {
  private var usable: [UInt32] = []
  private var waiting: [UInt32] = []

  var count: Int { usable.count + waiting.count }

  /// Takes a number that may be used again.
  mutating func take() -> UInt32? { usable.popLast() }

  /// Notes that a number's bearer was removed.
  mutating func add(_ number: UInt32) { waiting.append(number) }

  /// Lets those that were added last, so many, be used again, and returns them.
  @discardableResult
  mutating func recycle(last count: Int) -> ArraySlice<UInt32> {
    let numbers = waiting.suffix(count)
    usable += numbers
    waiting.removeLast(count)
    return numbers
  }

  /// Lets the numbers that were added be used again.
  mutating func recycle() {
    usable += waiting
    waiting = []
  }
}
