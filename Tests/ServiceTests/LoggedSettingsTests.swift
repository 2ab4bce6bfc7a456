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
    let settings = LoggedSettings(maxLineBytes: maxLineBytes, halfLife: halfLife, records: halfLife % 2 == 0)
    #expect(settings.bytes.count == 17 && settings.bytes.count <= IntakeLog.longestSettings)
    #expect(read(settings.bytes) == settings)
  }

  @Test("the bytes are the same on every machine")
  func fixed() {
    let bytes = LoggedSettings(maxLineBytes: 0x0102, halfLife: 0x0304_0506, records: true).bytes
    #expect(bytes == [2, 1, 0, 0, 0, 0, 0, 0, 6, 5, 4, 3, 0, 0, 0, 0, 1])
  }

  @Test("nothing else is believed")
  func others() {
    let sound = LoggedSettings(maxLineBytes: 4096, halfLife: 5, records: true).bytes
    #expect(read([]) == nil)
    #expect(read(Array(sound.dropLast(2))) == nil)
    #expect(read(sound + [0]) == nil)
    #expect(read([UInt8](repeating: 0, count: 17)) == nil)
    #expect(read([UInt8](repeating: 255, count: 17)) == nil)
    #expect(read(LoggedSettings(maxLineBytes: 0, halfLife: 5, records: true).bytes) == nil)
    #expect(read(LoggedSettings(maxLineBytes: 1 << 30 + 1, halfLife: 5, records: true).bytes) == nil)
    #expect(read(LoggedSettings(maxLineBytes: 4096, halfLife: 0, records: true).bytes) == nil)
    #expect(read(Array(sound[..<8]) + [0, 0, 0, 0, 0, 0, 0, 128]) == nil)
  }

  @Test("what was logged before there was a choice of recording is read as recorded")
  func older() {
    let settings = LoggedSettings(maxLineBytes: 4096, halfLife: 5, records: true)
    #expect(read(Array(settings.bytes.dropLast())) == settings)
  }
}
