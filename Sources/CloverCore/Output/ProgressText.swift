import CloverRecords

/// A line of progress in words and a bar.
package struct ProgressText {
    /// Columns of the bar.
    private static let barWidth = 20
    private static let gap = "   "

    /// Columns of the terminal.
    var width: Int
    /// Columns of the longest title.
    var titleWidth: Int
    var isUnicode: Bool

    package init(width: Int, titleWidth: Int, isUnicode: Bool) {
        self.width = width
        self.titleWidth = titleWidth
        self.isUnicode = isUnicode
    }

    /// - Parameter now: seconds since the machine started.
    /// - Returns: one line, shorter than the terminal is wide; what tells least is left out first.
    package func line(_ facts: ProgressFacts, _ pace: ProgressPace, now: Double) -> String {
        let title = TerminalText.line(facts.title)
        let head = title + String(repeating: " ", count: max(0, titleWidth - DisplayWidth.of(title)))
        switch facts.phase {
        case .waiting: return cut(head + "  waiting")
        case .finished(let words):
            return cut(head + "  " + [words, Self.count(facts.records, "record")].joined(separator: Self.gap))
        case .underWay: break
        }
        let parts = parts(facts, pace, now: now)
        var kept = parts
        while kept.count > 1, DisplayWidth.of(text(head, kept)) >= width {
            guard let last = kept.indices.min(by: { kept[$0].weight < kept[$1].weight }) else { break }
            kept.remove(at: last)
        }
        return cut(text(head, kept))
    }

    private struct Part {
        var text: String
        /// What has the least goes first.
        var weight: Int
    }

    private func text(_ head: String, _ parts: [Part]) -> String {
        head + "  " + parts.map(\.text).joined(separator: Self.gap)
    }

    private func parts(_ facts: ProgressFacts, _ pace: ProgressPace, now: Double) -> [Part] {
        var parts: [Part] = []
        if let share = facts.shareDone { parts.append(Part(text: bar(share), weight: 1)) }
        if let total = facts.total, total > 0 {
            let done = min(facts.done + (facts.unit == "window" ? 1 : 0), total)
            let words =
                facts.unit == "window"
                ? "window \(done) of \(total)" : "\(Self.grouped(done)) of \(Self.count(total, facts.unit))"
            parts.append(Part(text: words, weight: 5))
        }
        if let words = facts.words {
            parts.append(Part(text: words, weight: 6))
        } else if facts.total == nil, facts.unit == "line" {
            parts.append(Part(text: Self.count(facts.done, facts.unit), weight: 6))
        } else if facts.total == nil || facts.unit != "record" {
            parts.append(Part(text: Self.count(facts.records, "record"), weight: 6))
        }
        if facts.pages > 0, facts.total == nil || facts.unit == "window" {
            parts.append(Part(text: Self.count(facts.pages, "page"), weight: 0))
        }
        if let rate = pace.requestsPerSecond { parts.append(Part(text: "\(Self.tenths(rate)) req/s", weight: 3)) }
        if let until = facts.pausedUntil, until > now {
            parts.append(Part(text: "the service limits us, \(Int((until - now).rounded(.up))) s more", weight: 7))
        } else if pace.wait >= 0.05 {
            parts.append(Part(text: "waiting for budget \(Self.tenths(pace.wait)) s", weight: 2))
        }
        if let left = pace.secondsLeft(facts) { parts.append(Part(text: "about \(Self.span(left)) left", weight: 4)) }
        return parts
    }

    private func bar(_ share: Double) -> String {
        let full = Int((share * Double(Self.barWidth)).rounded(.down))
        return String(repeating: isUnicode ? "█" : "#", count: full)
            + String(repeating: isUnicode ? "░" : ".", count: Self.barWidth - full)
    }

    /// The last column stays free: some terminals go to the next line when it is written to.
    private func cut(_ line: String) -> String { StyledText.cut(line, to: width - 1) }

    /// `1 min`, rounded so that nobody counts the seconds.
    private static func span(_ left: Double) -> String {
        // What is no more than the error of a division is not rounded up.
        let seconds = left - 1e-6
        if seconds < 10 { return "\(max(1, Int(seconds.rounded(.up)))) s" }
        if seconds < 55 { return "\(Int((seconds / 5).rounded(.up)) * 5) s" }
        let minutes = Int((seconds / 60).rounded(.up))
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(grouped(number)) \(noun)s"
    }

    /// `41,200`.
    private static func grouped(_ number: Int) -> String {
        var result = ""
        let digits = String(number)
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
