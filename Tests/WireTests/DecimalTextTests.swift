import Foundation
import Testing
import TestSupport
import Wire

private func text(_ value: Double) -> String {
  var bytes: [UInt8] = []
  DecimalText.append(sixSignificantDigits: value, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}

@Suite("Six significant digits")
struct DecimalTextTests {
  @Test(
    "A number is written short",
    arguments: [
      (0, "0"), (1, "1"), (3.25, "3.25"), (57, "57"), (10, "10"), (0.1, "0.1"), (0.5, "0.5"), (100_000, "100000"),
      (1_234_567, "1234570"), (123_456.5, "123456"), (123_457.5, "123458"), (999_999.5, "1000000"), (9.999995, "10"),
      (0.000123456789, "0.000123457"), (0.00001, "0.00001"), (0.0000123456789, "0.0000123457"),
      (0.000009999999, "0.00001"),
      (1.5e-7, "1.5e-07"), (1e-6, "1e-06"), (1e20, "100000000000000000000"), (1e21, "1e+21"), (1.5e22, "1.5e+22"),
      (1e100, "1e+100"), (.leastNonzeroMagnitude, "5e-324"), (2.2250738585072014e-308, "2.22507e-308"),
      (.greatestFiniteMagnitude, "1.79769e+308"), (123.456789, "123.457"), (99.99995, "99.9999"), (100.5, "100.5"),
      (0.1234565, "0.123456"), (0.1234575, "0.123457"), (1.000005, "1.00001"), (1.0000050000000001, "1.00001"),
      (2_097_153.0 / 2, "1048580"), (1_000_005, "1000000"), (1_000_015, "1000020"),
    ] as [(Double, String)])
  func isShort(value: Double, expected: String) {
    #expect(text(value) == expected)
  }

  @Test("The rounding is the C library's, whatever the size of the number")
  func agreesWithC() {
    var random = SeededRandom()
    func check(_ value: Double) {
      let expected = String(format: "%.6g", value)
      let written = text(value)
      #expect(Double(written) == Double(expected), "\(value): \(written), not \(expected); seed \(random.seed)")
    }
    for _ in 0..<20_000 {
      let bits = Double(bitPattern: random.next() & 0x7fff_ffff_ffff_ffff)
      if bits.isFinite { check(bits) }
      check(Double.random(in: 0...1e7, using: &random))
      // Near and at the middle between two six-digit numbers.
      let power = Int.random(in: -320...300, using: &random)
      let middle = Double("\(Int.random(in: 100_000...999_999, using: &random))5e\(power)") ?? 0
      if middle.isFinite {
        check(middle)
        check(middle.nextUp)
        check(max(middle.nextDown, 0))
      }
      check(Double(Int.random(in: 100_000...999_999, using: &random)) + 0.5)
    }
  }
}
