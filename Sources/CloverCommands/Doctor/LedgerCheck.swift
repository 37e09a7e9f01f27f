import CloverCore
import CloverRateLimit
import CloverSystem

/// Checks that the rate ledgers can be read and that no pause is in effect.
struct LedgerCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        let state = try context.state()
        let survey = try LedgerInspector(of: state)
        // A restart of the machine is no fault.
        let faults = survey.faults.filter { $0.fault != .otherBoot }
        guard faults.isEmpty else {
            let own = await ownLedgers(context)
            return faults.flatMap { Self.finding($0, isOwn: own.contains(Self.name(of: $0.path))) }
        }
        guard survey.count > 0 else { return .ok("no request was sent yet") }
        let budgets: [LedgerBudget]
        do {
            budgets = try await Connection.resolve(context.choice, in: context.environment)
                .budgets(in: context.environment)
        } catch let error as CancellationError {
            throw error
        } catch {
            // A missing sign-in is reported by another check.
            return .ok("\(survey.count) \(survey.count == 1 ? "ledger" : "ledgers") of requests, all readable")
        }
        if let paused = budgets.first(where: { $0.pause != nil }), let pause = paused.pause {
            let cause = paused.pauseCause.map { " (\($0))" } ?? ""
            return .warn(
                "the service asked for a pause: requests resume in \(ServiceEventText.span(pause / .seconds(1)))\(cause)",
                next: ["clover limits --watch"])
        }
        let budget = budgets.first
        let waiting = budget?.waiting.count ?? 0
        return .ok(
            "budget: \(budget?.granted ?? 0) of \(budget?.limits.requestsPerSecond ?? 0) requests in the last second, "
                + "\(budget?.underWay ?? 0) under way, \(waiting) waiting")
    }

    /// The names of the current sign-in's ledgers; empty without a sign-in.
    private func ownLedgers(_ context: DoctorContext) async -> [String] {
        // A missing sign-in is reported by another check.
        (try? await Connection.resolve(context.choice, in: context.environment).ledgerNames) ?? []
    }

    private static func name(of path: String) -> String {
        String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
    }

    private static func finding(_ fault: LedgerInspector.Fault, isOwn: Bool) -> [Finding] {
        let whose = isOwn ? "the next request" : "the next request of the sign-in that it belongs to"
        let steps =
            isOwn
            ? ["send any request: clover get orders --limit 1"]
            : [
                "send a request of that sign-in: clover get orders --limit 1 --profile NAME",
                "list the sign-ins: clover auth list",
            ]
        return .warn(
            "the ledger \(fault.path) is \(describe(fault.fault)): \(whose) sets it aside and waits a second",
            next: fault.fault == .newer ? SuggestedFix.update : steps)
    }

    private static func describe(_ fault: LedgerFault) -> String {
        switch fault {
        case .empty: "empty"
        case .cut: "truncated"
        case .foreign: "not a ledger"
        case .damaged: "damaged"
        case .older: "from an earlier version"
        case .newer: "from a later version"
        case .otherBoot: "from before the last restart"
        case .implausible: "implausible"
        }
    }
}
