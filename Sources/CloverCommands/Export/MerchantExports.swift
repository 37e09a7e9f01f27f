import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverFleet
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverPayments
import CloverSystem
import CloverTables
import Glibc

/// Runs an export of several merchants to a PostgreSQL database, where each merchant has a schema.
///
/// Each resource of a merchant is a separate run. With the setting `state`, all machines that run the same command share this
/// work: each takes the next resource that no other has, also of a machine that was killed, and ends when all are done.
struct MerchantExports: Sendable {
    private let request: ExportRequest
    private let environment: CommandEnvironment
    private let begin: Double
    /// When `--max-time` ends the run, in seconds of the clock since the machine started; nil without it.
    private let end: Double?

    /// Seconds between two records of progress, and between two looks at what others do.
    private static let pause = 2.0
    /// Seconds to try to record the end of a unit, without `--max-time`.
    private static let patience = 60.0

    init(_ request: ExportRequest, in environment: CommandEnvironment) {
        self.request = request
        self.environment = environment.quietUnderCron
        begin = Double(environment.clock.boot()) / 1000
        end = environment.end(of: request.maximumTime)
    }

    /// Exports everything that was requested, or waits for the machines that do.
    ///
    /// - Throws: `ExportFailure` when part of it is missing.
    func run() async throws {
        if let jitter = request.jitter { try await environment.sleep(Double.random(in: 0...jitter)) }
        var outcome = Outcome()
        let choices = try await choices(&outcome)
        let units = choices.keys.sorted { ($0.merchant, $0.environment) < ($1.merchant, $1.environment) }
            .flatMap { merchant in request.resources.map { merchant.unit($0) } }
        if let url = try environment.sharedState() {
            try await share(units, choices, url, &outcome)
        } else {
            for unit in units {
                do {
                    outcome.done.append((unit, try await export(unit, choices, isShared: false) { _ in true }))
                } catch {
                    outcome.failed.append((Self.name(of: unit), try details(of: error)))
                }
            }
        }
        try await finish(outcome)
    }

    /// A merchant whose resources are units of work.
    private struct Merchant: Hashable {
        let environment: String
        let merchant: String
        let profile: String?

        func unit(_ resource: String) -> FleetExports.Unit {
            FleetExports.Unit(environment: environment, merchant: merchant, profile: profile, resource: resource)
        }
    }

    private struct Outcome {
        var done: [(unit: FleetExports.Unit, records: Int)] = []
        var failed: [(name: String, facts: FailureDetails)] = []

        /// Adds what became of a unit on any machine.
        mutating func add(_ found: FleetExportUnit) {
            let unit = FleetExports.Unit(
                environment: found.environment, merchant: found.merchant, profile: found.profile,
                resource: found.resource)
            guard found.state == .failed else {
                done.append((unit, Int(found.records)))
                return
            }
            let place = found.machine.map { " (on \($0))" } ?? ""
            failed.append(
                (
                    MerchantExports.name(of: unit),
                    FailureDetails(
                        code: "export_failed", status: Int32(clamping: found.status ?? 1),
                        message: (found.message ?? "failed") + place, hints: [], http: nil, path: nil)
                ))
        }
    }

    /// The sign-ins by their merchants. Two of one merchant are exported once.
    private func choices(_ outcome: inout Outcome) async throws -> [Merchant: ConnectionChoice] {
        var choices: [Merchant: ConnectionChoice] = [:]
        var known: Set<String> = []
        for choice in try await request.connections(in: environment) {
            do {
                let connection = try await Connection.resolve(
                    choice, in: environment.waitingForSignIns(atMost: request.maximumTime))
                guard known.insert("\(connection.environment.name) \(connection.merchantID)").inserted else { continue }
                let merchant = Merchant(
                    environment: connection.environment.name, merchant: "\(connection.merchantID)",
                    profile: choice.profile)
                choices[merchant] = choice
            } catch CredentialError.databaseAway(let address, let message) {
                // It has the sign-ins of the others, too.
                throw CredentialError.databaseAway(address: address, message: message)
            } catch {
                outcome.failed.append(("everything of \(choice.profile ?? "?")", try details(of: error)))
            }
        }
        return choices
    }

    // MARK: Sharing

    private func share(
        _ units: [FleetExports.Unit], _ choices: [Merchant: ConnectionChoice], _ url: String, _ outcome: inout Outcome
    ) async throws {
        let diagnostics = environment.diagnostics
        let onAway: @Sendable (JournalError) -> Void = { error in
            diagnostics.warning("waiting for the database: \(ErrorReport(error).message)")
        }
        let (name, destination, waits) = (roundName, request.address ?? "", environment.databaseWaits)
        let exports = try await patiently(url) {
            try FleetExports(url, name: name, destination: destination, units, waits: waits, onAway: onAway)
        }
        var hasNotified = false
        while true {
            try checkTime()
            if let taken = try await patiently(url, { try exports.next() }) {
                try await work(taken, exports, choices)
                hasNotified = false
                continue
            }
            let all = try await patiently(url) { try exports.all() }
            let left = all.filter { $0.state == .waiting || $0.state == .running }
            guard !left.isEmpty else {
                for unit in all { outcome.add(unit) }
                return
            }
            if !hasNotified {
                diagnostics.notice(
                    "waiting for other machines: "
                        + left.prefix(3).map { unit in
                            "\(unit.resource) of \(unit.merchant)" + (unit.machine.map { " (\($0))" } ?? "")
                        }.joined(separator: ", ") + (left.count > 3 ? ", and \(left.count - 3) more" : ""))
            }
            hasNotified = true
            try await environment.sleep(Self.pause / 2)
        }
    }

    /// Exports one unit, and records how it ended.
    private func work(
        _ taken: FleetExports.Taken, _ exports: FleetExports, _ choices: [Merchant: ConnectionChoice]
    ) async throws {
        let result: FleetExports.End
        do {
            let count = try await export(taken.unit, choices, isShared: true) { records in
                do {
                    return try await DedicatedThread.run { try exports.note(records, of: taken) }
                } catch is JournalError {
                    // Its row keeps others away for a while; the destination notices if one took it.
                    return true
                }
            }
            result = .done(records: count)
        } catch is Overtaken {
            environment.diagnostics.notice("another machine has taken over \(Self.name(of: taken.unit))")
            return
        } catch TableError.overtaken {
            result = .overtaken
        } catch {
            if case ExportFailure.timeRanOut = error { throw error }
            let facts = try details(of: error)
            result = .failed(
                status: facts.status, message: environment.diagnostics.mask.masked(facts.message))
        }
        let patience = end.map { max(0, $0 - now) } ?? Self.patience
        try await DedicatedThread.run { try exports.end(taken, result, for: patience) }
    }

    /// Another process has the unit.
    private struct Overtaken: Error {}

    /// The same for all machines that run the same command.
    private var roundName: String {
        let parts = [
            request.address ?? "", "\(request.range)", request.expand.joined(separator: ","), "\(request.isForReports)",
            "\(request.marksDeleted)", request.timeZone ?? "",
        ]
        return StableHash.words(for: parts.joined(separator: "\n"))
    }

    /// Runs work on a thread that may block, again while the database of the state is away.
    private func patiently<Value: Sendable>(
        _ url: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        var hasWarned = false
        while true {
            do {
                // A server that does not respond takes longer to give up.
                return try await TimeLimit.run(
                    seconds: end.map { max(1, $0 - now) }, sleep: environment.sleep,
                    timeRanOut: { JournalError.away(address: url, message: "no response in time") }
                ) { try await DedicatedThread.run(work) }
            } catch let error as JournalError {
                guard case .away = error, end.map({ now + 1 < $0 }) ?? true else { throw error }
                if !hasWarned {
                    environment.diagnostics.warning("waiting for the database: \(ErrorReport(error).message)")
                }
                hasWarned = true
                environment.databaseWaits.begin(url)
                defer { environment.databaseWaits.end() }
                try await environment.sleep(1)
            }
        }
    }

    // MARK: One unit

    /// - Parameter onProgress: called every two seconds with the number of records so far; returns false when the unit is no longer
    ///   this process's.
    /// - Returns: number of records.
    private func export(
        _ unit: FleetExports.Unit, _ choices: [Merchant: ConnectionChoice], isShared: Bool,
        onProgress: @escaping @Sendable (Int) async throws -> Bool
    ) async throws -> Int {
        var own = request
        own.resources = [unit.resource]
        own.profiles = []
        own.connection = choices.first { $0.key.unit(unit.resource) == unit }?.value ?? request.connection
        own.schema = Self.schema(of: unit.merchant)
        own.address = try request.address.map {
            try DatabaseAddress.parsed($0, of: "--to")?.inSchema(own.schema ?? "") ?? $0
        }
        own.isShared = isShared
        // Another run of this machine has another resource of the same merchant.
        if isShared { own.ifRunning = .wait }
        own.writesSummary = false
        own.jitter = nil
        let run = RunExports(own, in: environment)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await run.run()
                return true
            }
            group.addTask { [environment] in
                while true {
                    try await environment.sleep(Self.pause)
                    guard try await onProgress(run.records) else { throw Overtaken() }
                }
            }
            _ = try await group.next()
            group.cancelAll()
        }
        return run.records
    }

    /// The schema of a merchant's tables.
    static func schema(of merchant: String) -> String { "clover_" + merchant.lowercased() }

    private static func name(of unit: FleetExports.Unit) -> String { "\(unit.resource) of \(unit.merchant)" }

    // MARK: The end

    private var now: Double { Double(environment.clock.boot()) / 1000 }

    private func checkTime() throws {
        guard let end, now >= end else { return }
        throw ExportFailure.timeRanOut(
            seconds: request.maximumTime ?? 0, progress: [], notReached: [],
            obstacle: environment.databaseWaits.obstacle)
    }

    /// The facts of an error that concerns one merchant or resource; rethrows one that ends the run.
    private func details(of error: any Error) throws -> FailureDetails {
        if case ExportFailure.timeRanOut = error { throw error }
        guard !(error is CancellationError), !Task.isCancelled,
            case .report(let report) = ErrorReport.ending(of: error)
        else { throw error }
        return report.facts
    }

    private func finish(_ outcome: Outcome) async throws {
        if request.writesSummary {
            var line = JSONLine()
            line.add("event", "summary")
            line.add("ok", outcome.failed.isEmpty)
            line.add("resources", Int64(outcome.done.count))
            line.add("failed", Int64(outcome.failed.count))
            line.add("records", Int64(outcome.done.reduce(0) { $0 + $1.records }))
            line.add("seconds", json: (now - begin).secondsText)
            try await environment.standardOutput.write(Array((line.text + "\n").utf8))
        }
        guard !outcome.failed.isEmpty else { return }
        let names = outcome.failed.map(\.name)
        for failure in outcome.failed {
            environment.diagnostics.failure(failure.facts, of: failure.name)
        }
        throw outcome.done.isEmpty
            ? ExportFailure.allFailed(names, status: outcome.failed[0].facts.status)
            : ExportFailure.someFailed(names, done: outcome.done.count)
    }
}
