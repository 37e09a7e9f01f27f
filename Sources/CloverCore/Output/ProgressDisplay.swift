import CloverAuth
import CloverOutput
import CloverSystem
import Synchronization

/// Progress lines on a terminal, one for each task of a command. They appear after a second, are redrawn a few times a
/// second below any messages, and are erased at the end.
///
/// Nothing is shown with `--quiet` or JSON, or when standard error is not a terminal or a dumb one. Where records go to the
/// same terminal, the lines are erased before the first record.
package final class ProgressDisplay: Sendable {
    private struct Line {
        var facts: ProgressStatus
        let read: @Sendable (inout ProgressStatus) -> Void
        var pace = ProgressRate()
    }

    private struct State {
        var lines: [Line] = []
        var isOver = false
        /// Whether something is being written where the lines are.
        var isHeld = false
    }

    private let state = Mutex(State())
    private let environment: CommandEnvironment

    /// Seconds before the first line, and between redraws.
    private static let initialDelay = 1.0
    private static let interval = 0.2

    /// Runs `body` and shows its progress.
    ///
    /// - Parameter sharesTerminal: whether `body` writes to standard output only through `aside`, so that the lines can stay
    ///   below its output.
    package static func during<Value: Sendable>(
        in environment: CommandEnvironment, sharesTerminal: Bool = false,
        _ body: (ProgressDisplay) async throws -> Value
    ) async throws -> Value {
        let board = ProgressDisplay(environment)
        guard board.isWanted else { return try await body(board) }
        if environment.terminal.isOutputTerminal, !sharesTerminal {
            await environment.standardOutput.beforeNextWrite { board.end() }
        }
        // Cancelled and awaited at the end of this call.
        async let _: Void = board.draw()
        defer { board.end() }
        return try await body(board)
    }

    private init(_ environment: CommandEnvironment) {
        self.environment = environment
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - title: title such as `orders`.
    ///   - read: updates the facts; called a few times a second, on any thread.
    @inline(never)
    package func line(_ title: String, read: @escaping @Sendable (inout ProgressStatus) -> Void) {
        state.withLock { $0.lines.append(Line(facts: ProgressStatus(title: title), read: read)) }
    }

    /// Erases the lines while something else is written.
    package func aside(_ write: () async throws -> Void) async rethrows {
        if !hold(true), isWanted { environment.diagnostics.screen.show([]) }
        defer { hold(false) }
        try await write()
    }

    /// Not inlined: Swift 6.3 can keep the address of a thread's own data, such as a lock's owner, across a suspension.
    ///
    /// - Returns: whether the lines are shown no more.
    @inline(never) @discardableResult
    private func hold(_ isHeld: Bool) -> Bool {
        state.withLock { state in
            state.isHeld = isHeld
            return state.isOver
        }
    }

    private var isWanted: Bool {
        environment.terminal.isErrorTerminal && environment.screen.movesCursor
            && environment.diagnostics.level >= .normal && environment.diagnostics.style == .text
    }

    /// Erases the lines and stops showing them. Not inlined, as `hold`.
    @inline(never)
    private func end() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { environment.diagnostics.screen.show([]) }
    }

    private func draw() async {
        do {
            try await environment.sleep(Self.initialDelay)
            let isMixed = !environment.terminal.isOutputTerminal && environment.screen.isSharedWithReader()
            while !isMixed {
                show()
                try await environment.sleep(Self.interval)
            }
        } catch {
            // The command ended or was cancelled.
        }
    }

    @inline(never)
    private func show() {
        let now = Double(environment.clock.boot()) / 1000
        let size = environment.screen.errorSize() ?? environment.terminal.errorSize
        // Draw under the lock, so that nothing is drawn after the end.
        state.withLock { state in
            guard !state.isOver, !state.isHeld else { return }
            for index in state.lines.indices {
                state.lines[index].read(&state.lines[index].facts)
                state.lines[index].pace.note(state.lines[index].facts, at: now)
            }
            let places = ProgressLayout.places(state.lines.map(\.facts.phase), rows: size?.rows)
            let titles = state.lines.map { DisplayWidth.of(TerminalText.line($0.facts.title)) }
            let text = ProgressText(
                width: size?.columns ?? 80, titleWidth: titles.max() ?? 0, isUnicode: environment.screen.isUnicode)
            environment.diagnostics.screen.show(
                places.map { text.line(state.lines[$0].facts, state.lines[$0].pace, now: now) })
        }
    }
}

/// The progress of one task, such as the export of one resource, for a progress line.
package struct ProgressStatus: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        /// Not started.
        case waiting
        case underWay
        /// Finished, with a word such as `done`.
        case finished(String)
    }

    /// Title such as `orders`.
    package var title: String
    package var phase = Phase.underWay
    /// Unit of `done` and `total`, in the singular: `window`, `record`, `line`.
    package var unit = "record"
    package var done = 0
    /// Total number of units; nil when unknown.
    package var total: Int?
    /// Finished share, from 0 to 1, where it is known more exactly than by counting units; nil otherwise.
    package var share: Double?
    /// Text where nothing is counted, such as `waiting for the response`.
    package var words: String?
    package var records = 0
    package var pages = 0
    /// Requests sent so far, for the rate.
    package var requests = 0
    /// Seconds that requests waited for the shared budget so far, summed over parallel requests.
    package var secondsWaited = 0.0
    /// End of the service's pause, in seconds since the machine started; nil without a pause.
    package var pausedUntil: Double?

    package init(title: String) {
        self.title = title
    }

    /// Finished share, from 0 to 1; nil when unknown.
    var shareDone: Double? {
        if let share { return min(1, max(0, share)) }
        guard let total, total > 0 else { return nil }
        return min(1, Double(done) / Double(total))
    }
}

/// Chooses the progress lines that fit a terminal.
package enum ProgressLayout {
    /// Indices of the lines to show, in order. Tasks in progress take precedence over waiting ones, and those over
    /// finished ones, of which the ones that ended last are kept.
    ///
    /// - Parameter rows: rows of the terminal, the last of which stays free for messages; nil when unknown.
    package static func places(_ phases: [ProgressStatus.Phase], rows: Int?) -> [Int] {
        let room = max(1, (rows ?? .max) - 1)
        guard phases.count > room else { return Array(phases.indices) }
        func places(_ matches: (ProgressStatus.Phase) -> Bool) -> [Int] {
            phases.indices.filter { matches(phases[$0]) }
        }
        let ended = places { if case .finished = $0 { true } else { false } }
        let wanted = places { $0 == .underWay } + places { $0 == .waiting } + ended.reversed()
        return wanted.prefix(room).sorted()
    }
}

/// Text of a progress line with a bar.
package struct ProgressText {
    private static let barWidth = 20
    private static let gap = "   "

    var width: Int
    var titleWidth: Int
    var isUnicode: Bool

    package init(width: Int, titleWidth: Int, isUnicode: Bool) {
        self.width = width
        self.titleWidth = titleWidth
        self.isUnicode = isUnicode
    }

    /// - Parameter now: seconds since the machine started.
    /// - Returns: one line, shorter than the terminal's width; the least important parts are omitted first.
    package func line(_ facts: ProgressStatus, _ pace: ProgressRate, now: Double) -> String {
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
        /// Importance: the part with the least is omitted first.
        var weight: Int
    }

    private func text(_ head: String, _ parts: [Part]) -> String {
        head + "  " + parts.map(\.text).joined(separator: Self.gap)
    }

    private func parts(_ facts: ProgressStatus, _ pace: ProgressRate, now: Double) -> [Part] {
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
            parts.append(
                Part(text: "the service limits requests, \(Int((until - now).rounded(.up))) s more", weight: 7))
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

    /// Cuts a line to the width. The last column stays free, because some terminals wrap when it is written to.
    private func cut(_ line: String) -> String { StyledText.cut(line, to: width - 1) }

    /// A remaining time such as `1 min`, rounded up coarsely.
    private static func span(_ left: Double) -> String {
        // Do not round up a mere rounding error.
        let seconds = left - 1e-6
        if seconds < 10 { return "\(max(1, Int(seconds.rounded(.up)))) s" }
        if seconds < 55 { return "\(Int((seconds / 5).rounded(.up)) * 5) s" }
        let minutes = Int((seconds / 60).rounded(.up))
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(grouped(number)) \(noun)s"
    }

    /// A number such as `41,200`.
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

/// Measures the pace of a task: recent values for the rates, the whole run for the remaining time.
package struct ProgressRate: Sendable {
    private struct Sample {
        var at: Double
        var requests: Int
        var secondsWaited: Double
    }

    /// Seconds that count as recent.
    private static let span = 3.0

    private var samples: [Sample] = []
    private var begun: (at: Double, share: Double)?
    /// Time and value of the last increase of the share.
    private var latest: (at: Double, share: Double)?

    package init() {}

    /// Adds a sample.
    ///
    /// - Parameter now: seconds by a monotonic clock.
    package mutating func note(_ facts: ProgressStatus, at now: Double) {
        if facts.phase == .underWay {
            let share = facts.shareDone ?? 0
            if begun == nil { begun = (now, share) }
            if share > latest?.share ?? -1 { latest = (now, share) }
        }
        samples.append(Sample(at: now, requests: facts.requests, secondsWaited: facts.secondsWaited))
        while samples.count > 2, samples[1].at <= now - Self.span { samples.removeFirst() }
    }

    /// Requests per second; nil while there are too few samples.
    var requestsPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.at - first.at >= 0.5 else { return nil }
        return Double(last.requests - first.requests) / (last.at - first.at)
    }

    /// Mean seconds that a request waited for the budget.
    var wait: Double {
        guard let first = samples.first, let last = samples.last, last.requests > first.requests else { return 0 }
        return (last.secondsWaited - first.secondsWaited) / Double(last.requests - first.requests)
    }

    /// Estimated seconds until everything is done; nil when unknown. The share grows in steps, one page or window each:
    /// between steps the last estimate counts down, and when it runs out there is none.
    func secondsLeft(_ facts: ProgressStatus) -> Double? {
        guard let begun, let latest, let last = samples.last, facts.phase == .underWay, latest.share < 1 else {
            return nil
        }
        let done = latest.share - begun.share
        let seconds = latest.at - begun.at
        guard done > 0, seconds >= 1 else { return nil }
        let left = seconds / done * (1 - latest.share) - (last.at - latest.at)
        return left > 0 ? left : nil
    }
}
