import CloverAuth
import CloverOutput
import CloverRateLimit
import CloverSystem

/// Runs `clover limits`: the shared budget of a connection at one time, and the processes that use it.
package struct LimitsReport: Sendable {
    private let merchantID: String
    private let appID: String?
    /// The token's budget, then its app's if it has one.
    private let budgets: [LedgerBudget]
    /// The same time by both clocks: milliseconds since 1970, and nanoseconds since the machine started.
    private let now: (wall: Int64, boot: BootInstant)

    /// Reads the budgets of a connection without using them.
    package static func look(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> LimitsReport {
        let connection = try await Connection.resolve(choice, in: environment)
        let budgets = try await connection.budgets(in: environment)
        return LimitsReport(
            merchantID: connection.merchantID, appID: connection.appID, budgets: budgets,
            now: (environment.clock.wall(), .now))
    }

    private var scopes: [(name: String, owner: String, budget: LedgerBudget)] {
        zip(["token", "app"], budgets).map { name, budget in
            (name, name == "app" ? "app \(appID ?? "")" : "token of merchant \(merchantID)", budget)
        }
    }

    /// One line of JSON for each budget, with newlines.
    package var json: String {
        scopes.map { name, _, budget in
            var line = JSONLine()
            line.add("scope", name)
            line.add("merchant", merchantID)
            line.add("app", appID)
            line.add("perSecond", Int64(budget.perSecondInUse ?? budget.limits.requestsPerSecond))
            line.add("configuredPerSecond", Int64(budget.configured.requestsPerSecond))
            line.add("granted", Int64(budget.granted))
            line.add("lowerLimits", json: Self.json(budget.lower))
            line.add("inFlight", Int64(budget.underWay))
            line.add("limitInFlight", Int64(budget.inFlightInUse ?? budget.limits.inFlight))
            line.add("configuredInFlight", Int64(budget.configured.inFlight))
            line.add("holding", json: json(budget.holding))
            line.add("waiting", json: json(budget.waiting))
            line.add("pausedUntil", budget.pause.map { pausedUntil($0) })
            line.add("pauseCause", budget.pauseCause)
            return line.text + "\n"
        }.joined()
    }

    /// The budgets as text: lines without newlines.
    package func lines(on screen: TerminalCapabilities) -> [String] {
        let view = LimitsView(isColored: screen.isColored, isUnicode: screen.isUnicode, now: now.boot)
        return scopes.flatMap { _, owner, budget in view.lines(owner, budget) }
    }

    private func json(_ clients: [LedgerClient]) -> String {
        let objects = clients.map { client in
            var line = JSONLine()
            line.add("pid", Int64(client.pid))
            line.add("class", client.priority.name)
            line.add("command", client.command)
            line.add("limitInFlight", client.inFlightLimit.map(Int64.init))
            let age = now.boot.nanoseconds(since: client.since) / 1_000_000
            line.add("stopped", LockHolder.isStopped(client.pid))
            line.add("since", InstantText.utc(milliseconds: now.wall - age))
            return line.text
        }
        return "[" + objects.joined(separator: ",") + "]"
    }

    /// The shares of runs with lower limits than the largest.
    private static func json(_ shares: [LedgerBudget.Share]) -> String {
        let objects = shares.map { share in
            var line = JSONLine()
            line.add("perSecond", Int64(share.limit))
            line.add("granted", Int64(share.granted))
            return line.text
        }
        return "[" + objects.joined(separator: ",") + "]"
    }

    /// End of a pause, rounded up, so that a client that relies on it is late rather than early.
    private func pausedUntil(_ pause: Duration) -> String {
        InstantText.utc(milliseconds: now.wall + Int64((pause / .milliseconds(1)).rounded(.up)))
    }
}

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
            ], terminalWidth: nil, hasHeader: false)
        let rows = clients.flatMap { words, style, client in
            table.add([
                TableWriter.Cell(words, style: style), TableWriter.Cell(client.priority.name),
                TableWriter.Cell("\(ServiceEventText.rounded(age(client))) s"),
                TableWriter.Cell("process \(client.pid)", style: .faint), TableWriter.Cell(client.command),
            ])
        }
        return lines + (rows + table.finish()).map { "  " + (isColored ? $0.styledText : $0.text) }
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
