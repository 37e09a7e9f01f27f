import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverSystem
import Synchronization

/// Runs `clover api` for a GET: one request, or all pages of a list of the Ecommerce API.
struct APIRead: Sendable {
    let request: WriteRequest
    let call: RawCall
    let isPaginated: Bool
    let environment: CommandEnvironment
    private let pause = RateLimitPause()

    init(_ request: WriteRequest, _ call: RawCall, isPaginated: Bool, in environment: CommandEnvironment) {
        self.request = request
        self.call = call
        self.isPaginated = isPaginated
        self.environment = environment
    }

    /// Reads and prints, or throws.
    func run() async throws -> FilterReport {
        let connection = try await Connection.resolve(
            request.connection, in: environment.waitingForSignIns(atMost: request.maximumTime, noting: pause))
        let client = try connection.makeClient(
            retries: request.maximumRetries, pacing: request.effectivePacing, stallTimeout: call.address.stallTimeout,
            pause: pause, onRefusal: call.refusal.note, in: environment)
        let plan = try await WritePlan.located(request, merchantID: connection.merchantID, in: environment) { client }
        let inspection = try RecordInspection(
            plan.path, isEnvelope: true, showsSensitive: request.showsSensitive, validates: false,
            environment.diagnostics)
        let filter = try await request.printing.makeFilter(
            request.printing.plan(.unknown, in: environment), FieldValidator(plan.path, model: nil, expand: []), client,
            merchantID: connection.merchantID, in: environment)
        defer { inspection.finish() }
        do {
            let report = try await TimeLimit.run(
                seconds: environment.timeLeft(of: request.maximumTime), sleep: environment.sleep,
                timeRanOut: {
                    CoreError.timeRanOut(
                        seconds: request.maximumTime ?? 0, records: 0,
                        obstacle: pause.obstacle(at: environment.clock.boot()))
                }
            ) {
                try await ProgressDisplay.during(in: environment) { board in
                    board.line("GET \(plan.path.display)") { facts in
                        facts.words = "waiting for the response"
                        facts.requests = client.statistics.requests
                        facts.secondsWaited = client.statistics.secondsWaited
                        facts.pausedUntil = pause.until
                    }
                    return isPaginated
                        ? try await CursorPages(call.address, client, inspection).read(into: filter)
                        : try await read(plan, client, inspection, filter)
                }
            }
            try request.printing.check(report)
            return report
        } catch {
            throw try await TokenDiagnosis(connection, in: environment).explained(error, at: plan.path)
        }
    }

    private func read(
        _ plan: WritePlan, _ client: ServiceClient, _ inspection: RecordInspection, _ filter: any RecordFilter
    ) async throws -> FilterReport {
        let sent = plan.request(at: plan.path, body: nil, base: client.url(path: "", query: ""))
        let shape = plan.path.endpoint?.shape
        let response = try await client.read(
            sent, isJSON: request.printing.program != nil || shape == .list || shape == .object)
        try await call.printHead(response.status, response.headers, in: environment)
        switch response.content {
        case .json(let body):
            if !call.isSilent { _ = try await filter.consume(try inspection.pass(body)) }
        case .other(let start, let body):
            if call.isSilent {
                body.cancel()
            } else {
                try await StandardOutput.pass(body, after: start, in: environment)
            }
        }
        return try await filter.finish()
    }
}

/// Reads all pages of a list of the Ecommerce API: each page begins after a record (Clover: paginating requests).
struct CursorPages {
    private let address: APIAddress
    private let client: ServiceClient
    private let inspection: RecordInspection

    /// The largest page, by Clover's documentation.
    private static let largestPage = 100

    init(_ address: APIAddress, _ client: ServiceClient, _ inspection: RecordInspection) {
        self.address = address
        self.client = client
        self.inspection = inspection
    }

    /// Passes on each page as `{"data":[...]}`, without records that came before.
    ///
    /// - Throws: `CursorPagesError` if the end is not proved.
    func read(into filter: any RecordFilter) async throws -> FilterReport {
        var parameters = address.parameters
        let typed = parameters.first { $0.name == "limit" }
        if typed == nil { parameters.append(try RecordQuery.Parameter(name: "limit", text: "\(Self.largestPage)")) }
        var paginator = CursorPaginator(pageSize: typed.flatMap { Int($0.value) } ?? Self.largestPage)
        var query = RecordQuery()
        // The contents of each record, as a hash, by its ID.
        var known: [String: Int] = [:]
        var twins: [String] = []
        while !paginator.isOver {
            query.parameters = parameters
            if let cursor = paginator.cursor {
                query.parameters.append(try RecordQuery.Parameter(name: "starting_after", text: cursor))
            }
            var request = ServiceRequest(.get, address.base + address.path.encoded + "?" + query.encoded(page: nil))
            address.apply(to: &request)
            let notList = CursorPagesError.notList(path: address.path.display, after: paginator.cursor)
            guard case .json(let body) = try await client.read(request, isJSON: true).content,
                let record = body.records.first
            else {
                _ = try await filter.finish()
                throw notList
            }
            guard var entries = body.entries(of: "data", in: record) ?? body.entries(of: "elements", in: record) else {
                guard paginator.cursor == nil, address.path.endpoint?.shape != .list else {
                    _ = try await filter.finish()
                    throw notList
                }
                // A single object, which has no other pages.
                _ = try await filter.consume(try inspection.pass(body))
                break
            }
            let received = entries.records.count
            let firstID = entries.records.first.flatMap { entries.id(of: $0) }
            let lastID = entries.records.last.flatMap { entries.id(of: $0) }
            entries.removeRecords { batch, record in
                guard let id = batch.id(of: record) else { return false }
                let contents = batch.bytes[record.range].hashValue
                guard let before = known.updateValue(contents, forKey: id) else { return false }
                if before != contents { twins.append(id) }
                return true
            }
            if !entries.isEmpty || paginator.cursor == nil {
                let page = PageEnvelopes.page(of: entries, named: "data")
                guard try await filter.consume(try inspection.pass(page)) == .more else { break }
            }
            let failure = paginator.read(
                CursorPaginator.Page(
                    received: received, new: entries.records.count, hasMore: JSONTree(body.bytes)?["has_more"]?.bool,
                    firstID: firstID, lastID: lastID))
            if let failure {
                _ = try await filter.finish()
                throw CursorPagesError.notComplete(path: address.path.display, failure)
            }
        }
        let report = try await filter.finish()
        guard let twin = twins.first else { return report }
        throw CursorPagesError.notComplete(
            path: address.path.display, "\(twin) came twice, with different contents; the first is in the output")
    }
}

/// Why a list of the Ecommerce API was not read to its end.
enum CursorPagesError: Error, Equatable {
    /// A response is no page; `after` is the record that it was to follow, nil for the first one, without JSON.
    case notList(path: String, after: String?)
    case notComplete(path: String, String)
}

extension ErrorReport {
    init(_ error: CursorPagesError) {
        switch error {
        case .notList(let path, let after):
            self.init(
                "not_a_page", .nonsense,
                "\(path): the response is no page of a list"
                    + (after.map { "; records after \($0) were not read" } ?? ""))
        case .notComplete(let path, let reason):
            self.init("incomplete", .incomplete, "\(path): records may be missing: \(reason)")
        }
    }
}

/// A request of `clover api`, whose response is printed whole.
struct RawCall: Sendable {
    var address: APIAddress
    /// `Content-Type` of the body; nil for JSON.
    var contentType: String?
    /// Whether to print the status and the header fields before the body.
    var printsHead = false
    /// Whether to print no body.
    var isSilent = false
    /// The response that ended the run as an error.
    let refusal = LastRefusal()

    final class LastRefusal: Sendable {
        private let state = Mutex<ServiceEvent.Refusal?>(nil)

        var last: ServiceEvent.Refusal? { state.withLock(\.self) }

        func note(_ refusal: ServiceEvent.Refusal) { state.withLock { $0 = refusal } }
    }

    /// Prints the head of a response, if it was asked for.
    func printHead(_ status: Int, _ headers: [HTTPHeader], in environment: CommandEnvironment) async throws {
        guard printsHead else { return }
        let mask = environment.diagnostics.mask
        let lines = headers.map { header in
            "\(header.name): \(mask.masked(Redaction.header(header)))"
        }
        try await StandardOutput.print(
            (["HTTP \(status)"] + lines + ["", ""]).joined(separator: "\n"), in: environment)
    }

    /// Prints the response that ended the run, as gh does: the service's own text is data, too. The error follows on
    /// standard error.
    func printRefusal(in environment: CommandEnvironment) async throws {
        guard let refusal = refusal.last else { return }
        if environment.terminal.isOutputTerminal { await environment.standardOutput.sanitize(.text) }
        try await printHead(refusal.status, refusal.headers, in: environment)
        guard !isSilent, !refusal.body.isEmpty else { return }
        try await StandardOutput.print(refusal.body + (refusal.body.last == "\n" ? "" : "\n"), in: environment)
    }
}

/// Passes records on in pages, `{"elements":[...]}`, as a service with pages of this size would return them. An empty list
/// is one empty page.
actor PageEnvelopes: RecordFilter {
    private let inner: any RecordFilter
    private let size: Int
    private var waiting = RecordBatch()
    private var hasPassed = false

    /// - Parameter size: records on a page.
    init(into inner: any RecordFilter, size: Int) {
        self.inner = inner
        self.size = size
    }

    func consume(_ batch: RecordBatch) async throws -> RecordFlow {
        for record in batch.records {
            batch.bytes.withUnsafeBytes { waiting.append(UnsafeRawBufferPointer(rebasing: $0[record.range])) }
            if waiting.records.count == size, try await passPage() == .stop { return .stop }
        }
        return .more
    }

    func finish() async throws -> FilterReport {
        if !waiting.isEmpty || !hasPassed { _ = try await passPage() }
        return try await inner.finish()
    }

    func breakOff() async throws {
        if !waiting.isEmpty { _ = try await passPage() }
        try await inner.breakOff()
    }

    private func passPage() async throws -> RecordFlow {
        let page = Self.page(of: waiting, named: "elements")
        waiting = RecordBatch()
        hasPassed = true
        return try await inner.consume(page)
    }

    /// One record that holds these records as a list.
    static func page(of batch: RecordBatch, named name: String) -> RecordBatch {
        var bytes = Array("{\"\(name)\":[".utf8)
        bytes.reserveCapacity(bytes.count + batch.bytes.count + 2)
        for (index, record) in batch.records.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += batch.bytes[record.range]
        }
        bytes += Array("]}".utf8)
        var page = RecordBatch()
        bytes.withUnsafeBytes { page.append($0, replacements: batch.records.reduce(0) { $0 + $1.replacements }) }
        return page
    }
}
