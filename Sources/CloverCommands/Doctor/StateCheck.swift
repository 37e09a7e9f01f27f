import CloverConfiguration
import CloverCore
import CloverDatabase
import CloverFleet
import CloverPayments
import CloverRateLimit
import CloverReaders
import CloverSystem
import Glibc

/// Checks the state directory: its location, owner and file system, and that it can be written.
struct StateCheck: DoctorCheck {
    /// Warn if there is less free space than this, in bytes.
    private static let minimumSpace: UInt64 = 64 << 20

    func run(_ context: DoctorContext) async throws -> [Finding] {
        let state = try context.state()
        let path = context.shortened(state.path)
        if let finding = SuggestedFix.deadLink(state.path, variable: "CLOVER_STATE_DIR", context) {
            return finding
        }
        var repaired: [String] = []
        if context.repairs, let repair = try DirectoryFacts.restorePermissions(to: state.path) {
            repaired.append(repair)
        }
        if let fault = try PermissionFault.find(state.path, rule: .own) {
            guard context.repairs, let repair = try fault.mend() else { return .fail(fault.error) }
            repaired.append(repair)
        }
        guard let facts = try DirectoryFacts(of: state.path) else {
            // The first command that stores something creates it, so check that this is possible.
            try DirectoryFacts.checkCreatable(state.path)
            return .ok("state directory \(path) is created at the first sign-in")
        }
        if let network = facts.network, !state.allowsNetworkFileSystem {
            return .fail(StorageError.networkFileSystem(path: state.path, network))
        }
        try DirectoryFacts.checkWritable(in: state.path)
        guard facts.bytesFree >= Self.minimumSpace else {
            return .warn(
                "state directory \(path) has \(facts.bytesFree >> 20) MB left",
                next: ["df -h \(state.path)", "make room, or set CLOVER_STATE_DIR to another disk"])
        }
        // The directory is created with mode 700, and its files rely on that: anyone who can list it sees which merchants
        // are used, and when.
        if let fault = try PermissionFault.find(state.path, rule: .secret) {
            guard context.repairs, let repair = try fault.mend() else {
                return .warn(
                    "state directory \(path) is open to other users: mode " + String(facts.mode, radix: 8),
                    next: ["chmod 700 \(path)", "or: clover doctor --fix"])
            }
            repaired.append(repair)
        }
        // Read the facts again: a repair may have changed the mode.
        let now = try DirectoryFacts(of: state.path) ?? facts
        let description = now.words(note: ", accepted by CLOVER_ALLOW_NETWORK_STATE")
        return .ok("state directory \(path) (\(description))", repairs: repaired)
    }
}

extension DirectoryFacts {
    /// A description such as `local disk, mode 700, yours, 67 GB free`.
    ///
    /// - Parameter note: text to add after the name of a network file system.
    func words(note: String = "") -> String {
        let disk = network.map { $0.rawValue + note } ?? "local disk"
        let user = owner == geteuid() ? "yours" : owner == 0 ? "root's" : "user \(owner)'s"
        return "\(disk), mode \(String(mode, radix: 8)), \(user), \(Self.words(bytes: bytesFree)) free"
    }

    private static func words(bytes: UInt64) -> String {
        bytes >= 10 << 30 ? "\(bytes >> 30) GB" : "\(bytes >> 20) MB"
    }
}

/// Checks that other users can neither read secrets nor change files in the state directory.
struct PermissionCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        let survey = try PermissionInspector(of: try context.state())
        var findings: [Finding] = []
        var repaired: [String] = []
        for fault in survey.faults {
            if context.repairs, let repair = try fault.mend() {
                repaired.append(repair)
            } else {
                findings += .fail(fault.error)
            }
        }
        guard findings.isEmpty else { return findings }
        let text =
            survey.count == 0
            ? "no files yet" : "\(survey.count) files and directories are protected from other users"
        return .ok(text, repairs: repaired)
    }
}

/// Finds files that killed processes left behind, and ledgers that were set aside.
struct LeftoverCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        let leftovers = try LeftoverFinder(of: try context.state()).leftovers
        if context.repairs {
            for leftover in leftovers { try LeftoverFinder.remove(leftover) }
            return .ok("no leftover files", repairs: leftovers.map { "removed \($0.path)" })
        }
        // A ledger set aside because of a restart needs no attention.
        let notable = leftovers.filter { $0.kind != .setAside("other-boot") }
        guard let first = notable.first else {
            let count = leftovers.count
            return .ok(
                count == 0
                    ? "no leftover files"
                    : "\(count) old \(count == 1 ? "ledger" : "ledgers") from before a restart, which --fix removes")
        }
        let more = notable.count == 1 ? "" : ", and \(notable.count - 1) more"
        let text =
            switch first.kind {
            case .unfinished: "a killed process left \(first.path)\(more)"
            case .setAside(let reason): "a ledger was set aside because it was \(reason): \(first.path)\(more)"
            }
        return .warn(text, next: ["clover doctor --fix"])
    }
}

/// Checks the databases of charges and readers, and reports charges without a certain outcome.
struct DatabaseCheck: DoctorCheck {
    /// The version of the journal in a file; nil if there is none, or if its rows are in the database in effect.
    private func version(of state: StateDirectory, _ context: DoctorContext) async throws -> Int? {
        do {
            return try await ChargeJournal.inspect(in: state)
        } catch let error as StateDatabaseError {
            guard case .storage(.moved(_, _, .left)) = error, try await context.database() != nil else { throw error }
            return nil
        }
    }

    func run(_ context: DoctorContext) async throws -> [Finding] {
        let state = try context.state()
        var findings: [Finding] = []
        var databases: [String] = []
        var shared: SharedJournal?
        do {
            let address = try await context.database()
            if let version = try await version(of: state, context) {
                databases.append("charge journal (version \(version))")
                if address == nil {
                    findings += try await unsettled(ChargeJournal.existing(in: state))
                } else {
                    let count = try await context.environment.openChargesInFile()
                    if count > 0 {
                        findings += .warn(
                            try State.leftInFile(count, in: context.environment),
                            next: ["clover state move", "env \(State.recoveryInFiles)"])
                    }
                }
            }
            if let address { shared = try await self.shared(address, context) }
        } catch let error as JournalError {
            findings += .fail(error)
        } catch let error as StateDatabaseError {
            findings += Self.finding(error)
        }
        do {
            let store = ReaderStore(directory: state)
            if let version = try await DedicatedThread.run({ try store.inspect() }) {
                databases.append("known readers (version \(version))")
            }
        } catch let error as StateDatabaseError {
            findings += Self.finding(error)
        }
        findings += shared?.findings ?? []
        guard findings.isEmpty else { return findings }
        let own = databases.isEmpty ? nil : databases.joined(separator: ", ") + ": intact"
        guard let shared else { return .ok(own ?? "no charge was made and no reader connected yet") }
        let text = [own, shared.words].compactMap(\.self).joined(separator: "; ")
        return shared.isRead || own != nil ? .ok(text) : .skip(text)
    }

    /// What is known of the journal in the database in effect.
    private struct SharedJournal {
        let words: String
        let isRead: Bool
        var findings: [Finding] = []
    }

    private func shared(_ address: String, _ context: DoctorContext) async throws -> SharedJournal {
        let name = "the charge journal in \(address)"
        guard let journal = try await context.environment.existingJournal() else {
            return SharedJournal(words: "\(name) not checked", isRead: false)
        }
        let kept = try await journal.keptOutcomes()
        let findings: [Finding] =
            kept.isEmpty
            ? []
            : .warn(
                "this machine keeps outcomes that the database may not have: " + kept.joined(separator: ", "),
                next: ["clover charge recover --all"])
        guard !context.isOffline else {
            return SharedJournal(words: "\(name) not checked: --offline", isRead: false, findings: findings)
        }
        do {
            return SharedJournal(
                words: "\(name) can be read", isRead: true, findings: try await findings + unsettled(journal))
        } catch is JournalError {
            // The check of requests says why.
            return SharedJournal(
                words: "\(name) not checked: the database cannot be used", isRead: false, findings: findings)
        }
    }

    /// Charges whose outcome is unknown, contradicts the outcome entered by hand, or rests on records that were read once.
    private func unsettled(_ journal: ChargeJournal?) async throws -> [Finding] {
        guard let journal else { return [] }
        func warning(_ count: Int, _ text: (_ charges: String) -> String) -> [Finding] {
            guard count > 0 else { return [] }
            let charges = count == 1 ? "1 charge" : "\(count) charges"
            return .warn(text(charges), next: ["clover charge recover --all"])
        }
        let unknown = try await journal.unsettled().count
        let doubtful = try await journal.doubtful(since: .max, now: 0)
        let contradicted = doubtful.count { $0.outcome.contradiction != nil }
        return warning(unknown) { charges in "the outcome of \(charges) is not known yet" }
            + warning(contradicted) { charges in "\(charges) did not end as entered by hand" }
            + warning(doubtful.count - contradicted) { charges in
                "the records showed no payment of \(charges) that failed, and were not read again since"
            }
    }

    private static func finding(_ error: StateDatabaseError) -> [Finding] {
        if case .busy = error { return .warn(error) }
        return .fail(error)
    }
}

/// Checks that the rate ledgers, or the database in their place, can be read and that no pause is in effect.
struct LedgerCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        if let database = try await context.database() {
            guard !context.isOffline else { return .skip("ledger in \(database) not checked: --offline") }
            return try await findings(of: database, context)
        }
        let state = try context.state()
        let survey = try LedgerInspector(of: state)
        // A restart of the machine is no fault.
        let faults = survey.faults.filter { $0.fault != .otherBoot }
        guard faults.isEmpty else {
            let own = await ownLedgers(context)
            return faults.flatMap { Self.finding($0, isOwn: own.contains(Self.name(of: $0.path))) }
        }
        guard survey.count > 0 else { return .ok("no request was sent yet") }
        return try await use(context)
            ?? .ok("\(survey.count) \(survey.count == 1 ? "ledger" : "ledgers") of requests, all readable")
    }

    /// Checks the database that several machines share.
    private func findings(of address: String, _ context: DoctorContext) async throws -> [Finding] {
        let found: FleetMigration.Check
        do {
            let limit = context.environment.databaseLimit
            found = try await DedicatedThread.run { () throws(LedgerError) in
                try FleetMigration(address, openLimit: limit).check()
            }
        } catch {
            return .fail(error, next: ["clover state check"])
        }
        if !found.missing.isEmpty {
            return .fail(State.PrivilegesMissing(address, found), next: ["clover state check"])
        }
        if found.isBloated { return .warn(found.bloat, next: ["clover state check"]) }
        let server =
            "\(address): PostgreSQL \(found.server), tables of version \(found.version), \(found.roundTrip) ms away"
        guard let use = try await use(context)?.first, case .text(let text) = use.message else { return .ok(server) }
        return [Finding(grade: use.grade, message: .text("\(server); \(text)"), next: use.next)]
    }

    /// What the sign-in's budget is used for, or paused by; nil without a sign-in, which another check reports.
    private func use(_ context: DoctorContext) async throws -> [Finding]? {
        let budgets: [LedgerBudget]
        do {
            budgets = try await Connection.resolve(context.choice, in: context.environment)
                .budgets(in: context.environment)
        } catch  where !(error is CancellationError) {
            return nil
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

extension DoctorContext {
    /// The address of the database in effect; nil for files.
    fileprivate func database() async throws -> String? {
        do {
            return try environment.sharedState()
        } catch  where !(error is CancellationError) {
            // Unreadable settings are reported by another check.
            return nil
        }
    }
}
