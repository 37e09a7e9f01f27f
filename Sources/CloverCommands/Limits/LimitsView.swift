import CloverCore
import CloverOutput
import CloverRateLimit
import CloverSystem

/// A budget as text: a bar for each limit, and below them the processes that use it and those that wait.
struct LimitsView {
    var isColored: Bool
    var isUnicode: Bool
    /// Time of the budget, for the ages of its clients.
    var now: BootInstant

    /// Maximum columns of a bar; a smaller limit has one column for each request.
    private static let barWidth = 32
    private static let headingWidth = 8

    /// - Parameter owner: owner of the budget, for the heading.
    func lines(_ owner: String, _ budget: LedgerBudget) -> [String] {
        let limits = budget.limits
        var lines = [style(.strong, TerminalText.line(owner))]
        let perSecond = budget.perSecondInUse ?? limits.requestsPerSecond
        var bars = [(heading: "a second", taken: budget.granted, limit: perSecond)]
        bars += budget.lower.reversed().map { ("at \($0.limit)/s", $0.granted, $0.limit) }
        bars.append(("at once", budget.underWay, budget.inFlightInUse ?? limits.inFlight))
        // As narrow as possible, for narrow windows.
        let width = bars.flatMap { [$0.taken, $0.limit] }.reduce(0) { max($0, String($1).count) }
        lines += bars.map { bar($0.heading, $0.taken, of: $0.limit, numberWidth: width) }
        if limits != budget.configured {
            let configured = budget.configured
            lines.append(
                style(
                    .warning,
                    "  the service allowed less than the configured \(configured.requestsPerSecond) a second and "
                        + "\(configured.inFlight) in flight; the limits rise again slowly"))
        }
        if let pause = budget.pause {
            let cause = budget.pauseCause.map { " (\(TerminalText.line($0)))" } ?? ""
            lines.append(style(.bad, "  paused for \(ServiceEventText.rounded(pause / .seconds(1))) s more\(cause)"))
        }
        let clients =
            budget.holding.map {
                LockHolder.isStopped($0.pid) ? ("stopped", TextStyle.bad, $0) : ("in flight", nil, $0)
            }
            + budget.waiting.map { ("waiting", TextStyle.warning, $0) }
        var table = TableWriter(
            columns: [
                TableWriter.Column(""), TableWriter.Column(""), TableWriter.Column("", alignment: .trailing),
                TableWriter.Column("", alignment: .trailing), TableWriter.Column(""),
            ], terminalWidth: nil, hasHeader: false, isColored: isColored)
        let rows = clients.flatMap { words, style, client in
            table.add([
                TableWriter.Cell(words, style: style), TableWriter.Cell(client.priority.name),
                TableWriter.Cell("\(ServiceEventText.rounded(age(client))) s"),
                TableWriter.Cell("process \(client.pid)", style: .faint), TableWriter.Cell(client.command),
            ])
        }
        return lines + (rows + table.finish()).map { "  " + $0 }
    }

    private func bar(_ heading: String, _ taken: Int, of limit: Int, numberWidth: Int) -> String {
        let width = min(limit, Self.barWidth)
        let share = limit > 0 ? min(1, Double(taken) / Double(limit)) : 1
        let full = Int((share * Double(width)).rounded(.up))
        let level: TextStyle = share >= 1 ? .bad : share >= 0.75 ? .warning : .good
        // The numbers come first, so that a narrow window shows them.
        return "  " + heading + String(repeating: " ", count: max(0, Self.headingWidth - heading.count))
            + " " + Self.trailing(taken, numberWidth) + " of " + Self.trailing(limit, numberWidth) + "  "
            + style(level, String(repeating: isUnicode ? "█" : "#", count: full))
            + style(.faint, String(repeating: isUnicode ? "░" : ".", count: width - full))
    }

    private static func trailing(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private func age(_ client: LedgerClient) -> Double { max(0, Double(now.nanoseconds(since: client.since)) / 1e9) }

    private func style(_ style: TextStyle, _ text: String) -> String { isColored ? style.applied(to: text) : text }
}
