import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverRateLimit
import CloverSystem
import CloverTables
import Synchronization

/// Compares the records of a destination with those at Clover (`--service`), with a number of requests that is known
/// before the first one is sent.
struct ServiceVerification: Sendable {
    /// Where the records are.
    enum Source: Sendable {
        case directory(String, KnownDestination)
        case database(DatabaseAddress, identifier: String)

        fileprivate var identifier: String {
            switch self {
            case .directory(_, let known): known.identifier
            case .database(_, let identifier): identifier
            }
        }
    }

    /// A list to compare.
    struct List: Sendable {
        let stream: ExportStream
        let plan: ResourcePlan
        var comparison: ListComparison
        var windows: [PlannedWindow]
        /// Changes before this time are exported.
        let end: Int64
        /// The most requests that it may take.
        var requests: Int
    }

    /// What is to be compared, and what cannot be.
    struct Plan: Sendable {
        fileprivate var lists: [List] = []
        var findings: [ExportFinding] = []

        /// The most requests that a run sends.
        var requests: Int { lists.reduce(0) { $0 + $1.requests } }

        init() {}

        init(joining plans: [Plan]) {
            lists = plans.flatMap(\.lists)
            findings = plans.flatMap(\.findings)
        }

        /// One line of JSON. With several merchants, it has the resources of each of them, too.
        var json: String {
            var line = JSONLine()
            line.add("requestsAtMost", Int64(requests))
            line.add("resources", json: Self.json(lists))
            let merchants = Dictionary(grouping: lists, by: \.stream.merchant)
            if merchants.count > 1 {
                var all = JSONLine()
                for (merchant, lists) in merchants.sorted(by: { $0.key < $1.key }) {
                    all.add(merchant, json: Self.json(lists))
                }
                line.add("merchants", json: all.text)
            }
            return line.text
        }

        /// The requests of each resource, in the order of the lists.
        private static func json(_ lists: [List]) -> String {
            var names: [String] = []
            var requests: [String: Int] = [:]
            for list in lists {
                if requests[list.stream.resource] == nil { names.append(list.stream.resource) }
                requests[list.stream.resource, default: 0] += list.requests
            }
            var line = JSONLine()
            for name in names { line.add(name, requests[name].map { Int64($0) }) }
            return line.text
        }

        var text: String {
            (lists.map { "\($0.stream.resource) (\($0.stream.merchant)): at most \($0.requests) requests" }
                + ["in all: at most \(requests) requests; nothing was sent"])
                .map { Diagnostics.printable($0) + "\n" }.joined()
        }
    }

    let source: Source
    let environment: CommandEnvironment

    /// Reads the records of the destination.
    func plan() async throws -> Plan {
        var plan = Plan()
        guard let store = try await ExportStore.existing(in: environment.stateDirectory()) else { return plan }
        let now = environment.clock.wall()
        for stream in try await store.streams() where stream.destination == source.identifier {
            func cannot(_ reason: String) {
                plan.findings.append(
                    ExportFinding(
                        .unreadable, resource: stream.resource, merchant: stream.merchant,
                        "\(stream.resource) cannot be compared with Clover: \(reason)"))
            }
            let resource = try ResourcePlan(
                stream.resource, expand: [], parts: [], by: .lists, merchantID: stream.merchant)
            // Up to the newest record of the last run, which is among them.
            let reached = stream.bookmark.map { $0 + (stream.overlap ?? 0) + 1 }
            let whole = stream.content == nil ? nil : stream.succeededAt
            guard let end = resource.tracking.field == nil ? whole : reached else {
                cannot(
                    stream.succeededAt == nil
                        ? "no run has exported it to its end yet"
                        : "only single days or ranges of it were exported here")
                continue
            }
            let history = resource.historyField
            var comparison = try ListComparison(
                stream.resource, merchant: stream.merchant, changed: resource.tracking.field ?? "modifiedTime",
                history: history, since: resource.path.endpoint?.timeField ?? "createdTime")
            if let reason = try await read(stream, history, into: &comparison) ?? comparison.obstacle {
                cannot(reason)
                continue
            }
            let (records, earliest) = try comparison.facts()
            var windows = [PlannedWindow(field: nil, from: nil, to: now)]
            if let history {
                // What changes meanwhile has a later time.
                windows = PlannedWindow.split(
                    field: history, from: earliest ?? stream.beginning ?? now, to: now + 3_600_000,
                    length: PlannedWindow.longest)
            }
            let page = Int64(resource.path.endpoint?.maximumPage ?? 100) - 1
            // Pages that are read one by one repeat one record of the page before, up to a tenth more may have come since,
            // and each window takes up to three requests to prove its end.
            let requests = (records + records / 10) / max(page, 1) + 1 + 3 * Int64(windows.count)
            plan.lists.append(
                List(
                    stream: stream, plan: resource, comparison: comparison, windows: windows, end: end,
                    requests: Int(requests)))
        }
        return plan
    }

    /// Adds the destination's records of a resource.
    ///
    /// - Returns: why they cannot be read; nil when they can.
    private func read(
        _ stream: ExportStream, _ history: String?, into comparison: inout ListComparison
    ) async throws -> String? {
        let found = comparison
        let (reason, filled) = try await DedicatedThread.run { [source] () throws -> (String?, ListComparison) in
            var comparison = found
            switch source {
            case .directory(let path, let known):
                let reason = try ExportedRecords.read(
                    of: stream.resource, merchant: stream.merchant, in: path, known
                ) { try comparison.add($0, areFailed: $1) }
                return (reason, comparison)
            case .database(let address, _):
                try Self.read(stream.resource, history, of: address) { try comparison.add($0) }
                return (nil, comparison)
            }
        }
        comparison = filled
        return reason
    }

    private static func read(
        _ resource: String, _ history: String?, of address: DatabaseAddress, _ body: (RecordBatch) throws -> Void
    ) throws {
        let table = TableDatabase.table(of: resource)
        var known: Set<String> = []
        let columns = try DatabaseQuery(
            address, "SELECT column_name AS id FROM clover_export_columns WHERE table_name = '\(table)'")
        while let batch = try columns.next() { known.formUnion(batch.records.compactMap { batch.id(of: $0) }) }
        // No window had records.
        guard !known.isEmpty else { return }
        let fields = Set(["modifiedTime"] + [history].compactMap(\.self)).sorted()
        let times = fields.compactMap { field -> String? in
            let column = TableColumn.name(of: field)
            return known.contains(column) ? ", \(TableColumn.quoted(column)) AS \(TableColumn.quoted(field))" : nil
        }
        let isThere = known.contains("deleted_at") ? " WHERE deleted_at IS NULL" : ""
        // A record without an id has a hash in place of it.
        let id = "CASE WHEN substr(id, 1, 1) <> '#' THEN id END AS id"
        let rows = try DatabaseQuery(
            address, "SELECT \(id)\(times.joined()) FROM \(TableColumn.quoted(table))\(isThere)")
        while let batch = try rows.next() { try body(batch) }
    }

    /// Asks Clover.
    func run(_ plan: Plan) async throws -> [ExportFinding] {
        let limit = RequestLimit(plan.requests)
        var limited = environment
        limited.makeTransport = { [make = environment.makeTransport] in
            LimitedTransport(transport: make($0), limit: limit)
        }
        var findings: [ExportFinding] = []
        var later = 0
        for var list in plan.lists {
            let connection = try await Connection.resolve(
                ConnectionChoice(profile: list.stream.profile), in: limited)
            guard connection.merchantID == list.stream.merchant else {
                throw ExportError.otherMerchant(
                    path: source.identifier, known: list.stream.merchant, merchant: connection.merchantID)
            }
            var pacing = RateLimitOptions()
            pacing.pacingClass = .bulk
            let client = try connection.makeClient(retries: 5, pacing: pacing, in: limited)
            do {
                try await compare(&list, client)
                findings += try list.comparison.findings()
                later += list.comparison.later
            } catch {
                guard limit.isUsedUp else { throw error }
                findings.append(
                    ExportFinding(
                        .unreadable, resource: list.stream.resource, merchant: list.stream.merchant,
                        "\(list.stream.resource) was not compared to its end: \(plan.requests) requests were not enough"
                    ))
            }
        }
        if later > 0 {
            environment.diagnostics.notice(
                "\(ExportVerification.count(later, "record")) came or changed at Clover since the last export")
        }
        return findings
    }

    private func compare(_ list: inout List, _ client: ServiceClient) async throws {
        var largestPage = 0
        let (start, beginning) = (environment.clock.wall(), list.windows.first?.from)
        for window in list.windows {
            var comparison = list.comparison
            let end = list.end
            let summary = try await list.plan.read(
                window, from: client, start: start, beginning: beginning, largestPage: &largestPage,
                readsAhead: false
            ) { batch in
                try comparison.compare(batch, exportedTo: end)
                return .more
            }
            list.comparison = comparison
            let problem = ResourcePlan.problem(
                summary, of: list.plan.path, try list.plan.query(window), now: window.to)
            if let problem { throw problem }
        }
    }
}

/// How many requests may still be sent.
final class RequestLimit: Sendable {
    private let rest: Mutex<Int>

    init(_ count: Int) { rest = Mutex(count) }

    /// Whether more were wanted than there were.
    var isUsedUp: Bool { rest.withLock { $0 < 0 } }

    /// - Returns: false when there is none left.
    @inline(never)
    func take() -> Bool {
        rest.withLock { rest in
            rest = rest > 0 ? rest - 1 : -1
            return rest >= 0
        }
    }
}

/// A transport that sends no more requests than its limit.
struct LimitedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let limit: RequestLimit

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        guard limit.take() else {
            _ = departure.withdraw()
            onEnd()
            throw .other(code: 0, detail: "the number of requests is used up")
        }
        return try await transport.send(request, departure: departure, onEnd: onEnd)
    }
}
