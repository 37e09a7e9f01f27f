import CloverCore
import CloverTestSupport
import Synchronization
import Testing

@Suite("Standard error with temporary lines")
struct MessageScreenTests {
    private final class Sink: Sendable {
        private let text = Mutex("")
        var sent: String { text.withLock(\.self) }
        func add(_ more: String) { text.withLock { $0 += more } }
        /// As a terminal shows it, which ends lines as a terminal does.
        var screen: TerminalScreen {
            TerminalScreen(showing: Array(sent.replacing("\n", with: "\r\n").utf8), columns: 80)
        }
    }

    @Test("messages are printed above the lines, which are gone at the end")
    func messages() {
        let sink = Sink()
        let diagnostics = Diagnostics { sink.add($0) }
        diagnostics.screen.show(["orders    1", "payments  waiting"])
        #expect(sink.screen.lines == ["orders    1", "payments  waiting"])
        diagnostics.notice("first")
        #expect(sink.screen.lines == ["clover: first", "orders    1", "payments  waiting"])
        diagnostics.screen.show(["orders    2", "payments  3", "items     4"])
        diagnostics.notice("second")
        #expect(
            sink.screen.lines == ["clover: first", "clover: second", "orders    2", "payments  3", "items     4"])
        diagnostics.screen.show([])
        #expect(sink.screen.lines == ["clover: first", "clover: second", ""])
    }

    @Test("messages wait while a pager has the screen, and are all written afterwards")
    func held() {
        let sink = Sink()
        let diagnostics = Diagnostics { sink.add($0) }
        diagnostics.screen.show(["orders  1"])
        diagnostics.screen.hold()
        #expect(sink.screen.lines == [""])
        let before = sink.sent
        diagnostics.notice("first")
        diagnostics.screen.show(["orders  2"])
        diagnostics.notice("second")
        #expect(sink.sent == before)
        diagnostics.screen.release()
        #expect(sink.screen.lines == ["clover: first", "clover: second", ""])
    }

    @Test("unchanged lines are not redrawn")
    func unchanged() {
        let sink = Sink()
        let diagnostics = Diagnostics { sink.add($0) }
        diagnostics.screen.show(["orders  1"])
        let before = sink.sent
        diagnostics.screen.show(["orders  1"])
        #expect(sink.sent == before)
    }
}
