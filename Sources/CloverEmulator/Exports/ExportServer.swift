import HTTPTypes
import HummingbirdCore
package import NIOCore
import Synchronization

/// The Export API: accepts requests for exports of orders and payments, reports their progress, and keeps their files
/// for a day (Clover documentation, exporting merchant data, and the service's own samples).
package final class ExportServer: Sendable {
    /// Maximum time range of an export: 30 days, in milliseconds.
    private static let longestRange = 30 * 86_400_000
    /// The path of files. It is outside V3, so requests are not counted against limits, like at the service, which
    /// serves files from another host.
    static let filePrefix = "/export-files/"

    private struct State: Sendable {
        /// In the order of their requests.
        var jobs: [ExportJob] = []
        /// How far the export clock is ahead of the system clock, in milliseconds.
        var offset = 0
    }

    private let ledger: ShopStore
    private let settings: ExportSettings
    private let clock = EmulatorClock()
    private let state = Mutex(State())

    package init(ledger: ShopStore, settings: ExportSettings = ExportSettings()) {
        self.ledger = ledger
        self.settings = settings
        if let now = settings.now { setClock(now) }
    }

    private var merchant: String { ledger.shop.identity.merchantID.description }

    /// The time of the export clock, in milliseconds since 1970.
    private var now: Int { state.withLock { clock.now() + $0.offset } }
    package func advance(_ milliseconds: Int) {
        state.withLock { $0.offset += milliseconds }
    }

    package func setClock(_ instant: Int) {
        state.withLock { $0.offset = instant - clock.now() }
    }

    // MARK: Requests

    /// Whether a path, split into segments after `/v3`, belongs to the Export API.
    static func serves(_ path: [String]) -> Bool {
        path.count >= 3 && path[0] == "merchants" && path[2] == "exports"
    }

    /// - Parameters:
    ///   - path: segments after `/v3`.
    ///   - base: the start of file URLs.
    package func answer(_ method: String, _ path: [String], body: ByteBuffer, base: String) -> EmulatorResponse {
        EmulatorResponse { () throws(APIError) in
            guard path[1] == merchant else { throw .unauthorized }
            guard path.count <= 4 else { throw .unknownPath }
            let expected = path.count == 3 ? "POST" : "GET"
            guard method == expected else { throw .methodNotAllowed([expected]) }
            // The documentation says that the response names the hours, but not in which form.
            guard settings.hours.permits(now) else {
                throw APIError(
                    status: 503, message: "Exports are available in UTC at these times: \(settings.hours.text)")
            }
            if path.count == 3 { return try begin(body, base: base) }
            let (job, now) = job(path[3])
            guard let job else { throw .notFound(details: "Export not found") }
            return EmulatorResponse(json: job.json(at: now, merchant: merchant, base: base))
        }
    }

    private func job(_ id: String) -> (job: ExportJob?, now: Int) {
        state.withLock { state in (state.jobs.first { $0.id == id }, clock.now() + state.offset) }
    }

    private func begin(_ body: ByteBuffer, base: String) throws(APIError) -> EmulatorResponse {
        let (kind, range) = try Self.request(body)
        return try state.withLock { state throws(APIError) in
            let now = clock.now() + state.offset
            let number = state.jobs.count
            guard state.jobs.count(where: { !$0.isDone(at: now) }) < settings.slots else {
                throw APIError(status: 503, message: "Too many exports in progress")
            }
            var random = SeededRandom(seed: ledger.shop.settings.seed, stream: .exportFile, index: number)
            let job = ExportJob(
                id: ledger.shop.ids.identifier(.export, number).description, kind: kind, range: range,
                createdTime: now, duration: settings.time.milliseconds, fileLife: settings.fileLife.milliseconds,
                fails: number < settings.failures, view: ledger.view,
                signature: Identifier(number: random.next()).description)
            state.jobs.append(job)
            return EmulatorResponse(json: job.json(at: now, merchant: merchant, base: base))
        }
    }

    /// Parses a request, whatever its content type: one of the service's samples sends plain text. Times may be numbers
    /// or strings.
    private static func request(_ body: ByteBuffer) throws(APIError) -> (ExportJob.Kind, Range<Int>) {
        guard let value = JSONParser.value(of: Array(body.readableBytesView)), case .object = value else {
            throw .badRequest("Malformed JSON")
        }
        guard let kind = value["type"]?.text.flatMap({ ExportJob.Kind(rawValue: $0) }) else {
            throw .badRequest("Invalid value for field: type")
        }
        let start = try time("startTime", in: value)
        let end = try time("endTime", in: value)
        guard start < end else { throw .badRequest("startTime must be before endTime") }
        guard end - start <= longestRange else { throw .badRequest("The maximum time range is 30 days") }
        return (kind, start..<end)
    }

    private static func time(_ name: String, in value: JSONValue) throws(APIError) -> Int {
        guard let time = value[name]?.integer ?? value[name]?.text.flatMap({ Int($0) }), (0..<1 << 53).contains(time)
        else { throw .badRequest("Invalid value for field: \(name)") }
        return time
    }

    /// A file; 404 if it does not exist or has expired. No token is needed: the URL is secret. A request that has a
    /// token anyway is refused, like by object stores with signed URLs.
    package func file(_ path: String, _ query: QueryString, hasToken: Bool) -> EmulatorResponse {
        guard !hasToken else { return EmulatorResponse(.badRequest("Only one auth mechanism allowed")) }
        let words = path.dropFirst(Self.filePrefix.count).split(separator: "/")
        let (job, now) = job(words.first.map(String.init) ?? "")
        guard let job, words.count == 2, words[1].hasSuffix(".json"), let number = Int(words[1].dropLast(5)),
            number >= 1, number <= job.files(at: now), query.values("Signature") == [job.signature]
        else { return EmulatorResponse(.unknownPath) }
        return EmulatorResponse(body: ByteBuffer(bytes: job.file(number)))
    }

    // MARK: Reports

    /// `{"now":N,"exports":[...]}`, each as the service would show it at this time.
    func report(base: String) -> JSONValue {
        let (jobs, now) = state.withLock { ($0.jobs, clock.now() + $0.offset) }
        return [
            "now": .integer(now),
            "exports": .array(jobs.map { $0.json(at: now, merchant: merchant, base: base) }),
        ]
    }
}

/// Serves the export requests outside V3: the files, and `/emulator/exports`.
struct ExportResponder: Sendable {
    /// The faults that apply to files.
    private static let fileFaults: Set<FaultKind> = [
        .reset, .serverError, .unavailable, .truncate, .notJSON, .noElements,
    ]

    let service: ExportServer
    /// Counts file downloads.
    let faults: CountedFaultPlan

    static func serves(_ path: String) -> Bool {
        path == "/emulator/exports" || path.hasPrefix(ExportServer.filePrefix)
    }

    /// The start of file URLs: the address that the client used.
    static func base(_ request: Request) -> String { "http://\(request.head.authority ?? "127.0.0.1")" }

    /// - Throws: when a fault resets the connection.
    func answer(_ path: String, _ query: QueryString, _ request: Request, _ channel: any Channel) async throws
        -> EmulatorResponse
    {
        guard path.hasPrefix(ExportServer.filePrefix) else { return control(query, request) }
        guard request.method == .get || request.method == .head else {
            return EmulatorResponse(.methodNotAllowed(["GET"]))
        }
        let fault = faults.next(path: path, kinds: Self.fileFaults)
        if fault == .reset { try await ConnectionReset.perform(on: channel) }
        if fault == .noElements { return EmulatorResponse(json: [:]) }
        if let replacement = fault?.replacement { return replacement }
        var answer = service.file(path, query, hasToken: request.headers[.authorization] != nil)
        if fault == .truncate { answer.cut(after: answer.body.readableBytes / 2) }
        return answer
    }

    /// `GET` shows the exports and their clock; `POST` moves the clock, by `advance=DURATION` or to `now=INSTANT`.
    private func control(_ query: QueryString, _ request: Request) -> EmulatorResponse {
        EmulatorResponse { () throws(APIError) in
            guard request.method == .get || request.method == .post else { throw .methodNotAllowed(["GET", "POST"]) }
            if request.method == .post, let text = query.values("now").last {
                guard let instant = InstantText.milliseconds(text) else {
                    throw .badRequest("now must be an instant such as 2026-01-31T23:00:00Z")
                }
                service.setClock(instant)
            }
            if request.method == .post, let text = query.values("advance").last {
                guard let time = DurationText.duration(text) else {
                    throw .badRequest("advance must be a duration such as 90s or 24h")
                }
                service.advance(time.milliseconds)
            }
            return EmulatorResponse(json: service.report(base: Self.base(request)))
        }
    }
}
