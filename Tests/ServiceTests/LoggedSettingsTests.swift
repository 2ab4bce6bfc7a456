import IntakeLog
import Testing

@testable import Service

struct LoggedSettingsTests {
  private func read(_ bytes: [UInt8]) -> LoggedSettings? { bytes.withUnsafeBytes { LoggedSettings($0) } }

  @Test(
    "what is written is read",
    arguments: [(1, 1), (4096, 604_800_000_000_000), (1 << 30, Int64.max), (256, 0x0102_0304_0506_0708)]
      as [(Int, Int64)])
  func roundTrip(maxLineBytes: Int, halfLife: Int64) {
    let settings = LoggedSettings(maxLineBytes: maxLineBytes, halfLife: halfLife)
    #expect(settings.bytes.count == 16 && settings.bytes.count <= IntakeLog.longestSettings)
    #expect(read(settings.bytes) == settings)
  }

  @Test("the bytes are the same on every machine")
  func fixed() {
    let bytes = LoggedSettings(maxLineBytes: 0x0102, halfLife: 0x0304_0506).bytes
    #expect(bytes == [2, 1, 0, 0, 0, 0, 0, 0, 6, 5, 4, 3, 0, 0, 0, 0])
  }

  @Test("nothing else is believed")
  func others() {
    let sound = LoggedSettings(maxLineBytes: 4096, halfLife: 5).bytes
    #expect(read([]) == nil)
    #expect(read(Array(sound.dropLast())) == nil)
    #expect(read(sound + [0]) == nil)
    #expect(read([UInt8](repeating: 0, count: 16)) == nil)
    #expect(read([UInt8](repeating: 255, count: 16)) == nil)
    #expect(read(LoggedSettings(maxLineBytes: 0, halfLife: 5).bytes) == nil)
    #expect(read(LoggedSettings(maxLineBytes: 1 << 30 + 1, halfLife: 5).bytes) == nil)
    #expect(read(LoggedSettings(maxLineBytes: 4096, halfLife: 0).bytes) == nil)
    #expect(read(Array(sound[..<8]) + [0, 0, 0, 0, 0, 0, 0, 128]) == nil)
  }
}
