import CloverAuth
import CloverPacing
import CloverStorage

/// `clover limits`: the shared budget of a connection at one moment, and who is at it.
package struct LimitsReport: Sendable {
    private let merchantID: String
    private let appID: String?
    /// The token's, then its app's where it has one.
    private let budgets: [LedgerBudget]
    /// Milliseconds since 1970, and nanoseconds since the machine started, at the same moment.
    private let now: (wall: Int64, boot: BootInstant)

    /// Looks at the budget that requests of this connection would be taken from; takes nothing of it.
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

    /// One line for each budget, line breaks included.
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

    /// The same for a person: lines without line breaks.
    package func lines(on screen: ScreenAccess) -> [String] {
        let picture = LimitsPicture(isColored: screen.isColored, isUnicode: screen.isUnicode, now: now.boot)
        return scopes.flatMap { _, owner, budget in picture.lines(owner, budget) }
    }

    private func json(_ parties: [LedgerParty]) -> String {
        let objects = parties.map { party in
            var line = JSONLine()
            line.add("pid", Int64(party.pid))
            line.add("class", party.pacingClass.name)
            line.add("command", party.command)
            line.add("limitInFlight", party.inFlightLimit.map(Int64.init))
            let age = now.boot.nanoseconds(since: party.since) / 1_000_000
            line.add("stopped", LockHolder.isStopped(party.pid))
            line.add("since", InstantText.utc(milliseconds: now.wall - age))
            return line.text
        }
        return "[" + objects.joined(separator: ",") + "]"
    }

    /// What runs with lower limits than the largest one share.
    private static func json(_ shares: [LedgerBudget.Share]) -> String {
        let objects = shares.map { share in
            var line = JSONLine()
            line.add("perSecond", Int64(share.limit))
            line.add("granted", Int64(share.granted))
            return line.text
        }
        return "[" + objects.joined(separator: ",") + "]"
    }

    /// Rounded up: whoever believes it comes late rather than early.
    private func pausedUntil(_ pause: Duration) -> String {
        InstantText.utc(milliseconds: now.wall + Int64((pause / .milliseconds(1)).rounded(.up)))
    }
}
