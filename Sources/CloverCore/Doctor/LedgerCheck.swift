import CloverPacing
import CloverStorage

/// The ledgers of the shared budget: that they can be read, and that nobody is made to wait.
struct LedgerCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let state = try patient.state()
        let survey = try LedgerSurvey(of: state)
        // That the machine was started anew is no fault.
        let faults = survey.faults.filter { $0.fault != .otherBoot }
        guard faults.isEmpty else {
            let own = await ownLedgers(patient)
            return faults.map { Self.finding($0, isOwn: own.contains(Self.name(of: $0.path))) }
        }
        guard survey.count > 0 else { return [.ok(.ledger, "no request was sent yet")] }
        let budgets: [LedgerBudget]
        do {
            budgets = try await Connection.resolve(patient.choice, in: patient.environment)
                .budgets(in: patient.environment)
        } catch let error as CancellationError {
            throw error
        } catch {
            // Whoever is not signed in is told so by another check.
            return [
                .ok(.ledger, "\(survey.count) \(survey.count == 1 ? "ledger" : "ledgers") of requests, all readable")
            ]
        }
        if let paused = budgets.first(where: { $0.pause != nil }), let pause = paused.pause {
            let cause = paused.pauseCause.map { " (\($0))" } ?? ""
            return [
                .warn(
                    .ledger,
                    "the service asked for a pause: requests leave in \(ServiceEventText.span(pause / .seconds(1)))\(cause)",
                    next: ["clover limits --watch"])
            ]
        }
        let budget = budgets.first
        let waiting = budget?.waiting.count ?? 0
        return [
            .ok(
                .ledger,
                "budget: \(budget?.granted ?? 0) of \(budget?.limits.requestsPerSecond ?? 0) requests in the last second, "
                    + "\(budget?.underWay ?? 0) under way, \(waiting) waiting")
        ]
    }

    /// Names of the ledgers of whoever is signed in; none of somebody who is not.
    private func ownLedgers(_ patient: Patient) async -> [String] {
        // Whoever is not signed in is told so by another check.
        (try? await Connection.resolve(patient.choice, in: patient.environment).ledgerNames) ?? []
    }

    private static func name(of path: String) -> String {
        String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
    }

    private static func finding(_ fault: LedgerSurvey.Fault, isOwn: Bool) -> Finding {
        let whose = isOwn ? "the next request" : "the next request of the sign-in that it belongs to"
        let remedy =
            isOwn
            ? ["any request will do: clover get orders --limit 1"]
            : [
                "a request of that sign-in will do: clover get orders --limit 1 --profile NAME",
                "which there are: clover auth list",
            ]
        return .warn(
            .ledger, "the ledger \(fault.path) is \(word(fault.fault)): \(whose) sets it aside and waits a second",
            next: fault.fault == .newer ? Remedy.update : remedy)
    }

    private static func word(_ fault: LedgerFault) -> String {
        switch fault {
        case .empty: "empty"
        case .cut: "cut off"
        case .foreign: "no ledger"
        case .damaged: "damaged"
        case .older: "of an earlier version"
        case .newer: "of a later version"
        case .otherBoot: "of before the last restart"
        case .implausible: "implausible"
        }
    }
}
