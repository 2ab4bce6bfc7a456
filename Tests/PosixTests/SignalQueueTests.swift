import Glibc
import Posix
import Testing

struct SignalQueueTests {
  @Test("a signal waits until it is taken, and makes the descriptor readable meanwhile")
  func takes() throws {
    let queue = try SignalQueue([.windowChange])
    #expect(try queue.take() == nil)
    // To this thread, so that no other has to block it.
    #expect(raise(SIGWINCH) == 0)
    let ready = try Poll.wait(for: [(queue.raw, .read)], milliseconds: 0)
    #expect(ready == [.read])
    let (first, second) = (try queue.take(), try queue.take())
    #expect(first == .windowChange && second == nil)
  }

  @Test("what is no terminal has no size and no keys")
  func noTerminal() {
    if StandardStream.input.isTerminal { return }
    #expect(StandardStream.input.size == nil)
    #expect(TerminalMode(readingKeysOf: .input) == nil)
  }
}
