import CloverCore
import Testing

@Suite("Lines of progress")
struct ProgressTextTests {
    private func underWay() -> (facts: ProgressStatus, pace: ProgressRate) {
        var facts = ProgressStatus(title: "orders")
        facts.unit = "window"
        facts.total = 12
        var pace = ProgressRate()
        pace.note(facts, at: 0)
        facts.done = 8
        facts.records = 41200
        facts.requests = 48
        facts.secondsWaited = 19.2
        pace.note(facts, at: 3)
        return (facts, pace)
    }

    @Test("show the position, the records, the rate, the wait and the time left")
    func export() {
        let (facts, pace) = underWay()
        let text = ProgressText(width: 150, titleWidth: 8, isUnicode: true)
        #expect(
            text.line(facts, pace, now: 3)
                == "orders    █████████████░░░░░░░   window 9 of 12   41,200 records   16.0 req/s   "
                + "waiting for budget 0.4 s   about 2 s left")
    }

    @Test(
        "fit any width, and drop the least informative parts first",
        arguments: [1, 10, 20, 30, 40, 60, 80, 100, 120])
    func width(_ width: Int) {
        let (facts, pace) = underWay()
        let line = ProgressText(width: width, titleWidth: 6, isUnicode: false).line(facts, pace, now: 3)
        #expect(line.count < max(width, 2) && line.unicodeScalars.allSatisfy { $0.isASCII })
        if width >= 30 { #expect(line.contains("41,200 records")) }
        if width == 60 { #expect(line == "orders  window 9 of 12   41,200 records   about 2 s left") }
    }

    @Test("show what has not begun, what has ended, and a pause that the service asks for")
    func phases() {
        let text = ProgressText(width: 80, titleWidth: 8, isUnicode: true)
        var facts = ProgressStatus(title: "payments")
        facts.phase = .waiting
        #expect(text.line(facts, ProgressRate(), now: 0) == "payments  waiting")
        facts.phase = .finished("done")
        facts.records = 1
        #expect(text.line(facts, ProgressRate(), now: 0) == "payments  done   1 record")
        facts.phase = .underWay
        facts.pausedUntil = 12.2
        #expect(
            text.line(facts, ProgressRate(), now: 10) == "payments  1 record   the service limits requests, 3 s more")
        #expect(text.line(facts, ProgressRate(), now: 13) == "payments  1 record")
    }

    @Test("the time left is shown only when it is known, in text that does not flicker")
    func left() {
        let text = ProgressText(width: 150, titleWidth: 1, isUnicode: true)
        for (total, words) in [(11, "1 s"), (60, "5 s"), (300, "30 s"), (1000, "2 min"), (100_000, "2 h 47 min")] {
            var facts = ProgressStatus(title: "x")
            facts.total = total
            var pace = ProgressRate()
            pace.note(facts, at: 0)
            facts.done = 10
            pace.note(facts, at: 1)
            #expect(text.line(facts, pace, now: 1).hasSuffix("about \(words) left"), "\(total)")
        }
        var facts = ProgressStatus(title: "x")
        facts.total = 10
        var pace = ProgressRate()
        pace.note(facts, at: 0)
        pace.note(facts, at: 9)
        #expect(!text.line(facts, pace, now: 9).contains("left"))
    }

    @Test("an estimate counts down until the next step, and disappears when it was too short")
    func runsDown() {
        let text = ProgressText(width: 150, titleWidth: 1, isUnicode: true)
        var facts = ProgressStatus(title: "x")
        facts.total = 4
        var pace = ProgressRate()
        pace.note(facts, at: 0)
        facts.done = 1
        pace.note(facts, at: 3)
        #expect(text.line(facts, pace, now: 3).hasSuffix("about 9 s left"))
        pace.note(facts, at: 8)
        #expect(text.line(facts, pace, now: 8).hasSuffix("about 4 s left"))
        pace.note(facts, at: 13)
        #expect(!text.line(facts, pace, now: 13).contains("left"))
        facts.done = 2
        pace.note(facts, at: 14)
        #expect(text.line(facts, pace, now: 14).hasSuffix("about 15 s left"))
    }

    @Test("the share that is done gives the time left when the total is unknown")
    func share() {
        var facts = ProgressStatus(title: "items")
        facts.unit = "line"
        facts.share = 0
        var pace = ProgressRate()
        pace.note(facts, at: 0)
        facts.done = 3
        facts.share = 0.25
        pace.note(facts, at: 2)
        #expect(
            ProgressText(width: 150, titleWidth: 5, isUnicode: true).line(facts, pace, now: 2)
                == "items  █████░░░░░░░░░░░░░░░   3 lines   0.0 req/s   about 6 s left")
    }

    @Test("control characters in a title do not reach the terminal")
    func title() {
        let text = ProgressText(width: 80, titleWidth: 3, isUnicode: true)
        let line = text.line(ProgressStatus(title: "a\u{1B}[2Jb\u{202E}\n"), ProgressRate(), now: 0)
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }, "\(line.debugDescription)")
    }
}
