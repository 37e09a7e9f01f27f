import CloverAPI
import CloverExport
import CloverHTTP
import CloverJSON
import Foundation
import Synchronization

/// The Export API as a transport, with a clock that moves on each wait.
final class ExportService: HTTPTransport {
    static let day: Int64 = 86_400_000
    /// Thursday 2026-01-01, midnight UTC.
    static let start: Int64 = 1_767_225_600_000

    struct Order: Sendable {
        var id: String
        var createdTime: Int64
    }

    struct Answer: Sendable {
        var status = 200
        var body = ""
        var failure: HTTPTransportError?
        var bodyFailure: HTTPTransportError?
    }

    struct State: Sendable {
        var now = ExportService.start
        var orders: [Order] = []
        /// Whether a range includes its end.
        var endsAreIncluded = false
        var recordsPerFile = 3
        /// Number of the last orders that are in the list but in no export.
        var left = 0
        /// Number of status requests that find an export in progress.
        var looksUnderWay = 1
        var jobs: [String: (range: ClosedRange<Int64>, looks: Int)] = [:]
        var requests: [HTTPRequest] = []
        var waits: [Double] = []
        var events: [ExportAPIEvent] = []
        var kept: [ExportAPIState] = []
        /// The bytes of each batch that was delivered.
        var batches: [Int] = []
        /// Replaces a response; nil for the usual one. The number counts similar requests, from 1.
        var spoil: @Sendable (_ request: HTTPRequest, _ number: Int, _ state: State) -> Answer? = { _, _, _ in nil }
    }

    let state: Mutex<State>

    init(_ set: (inout State) -> Void = { _ in }) {
        var state = State()
        set(&state)
        self.state = Mutex(state)
    }

    var requests: [HTTPRequest] { state.withLock(\.requests) }
    var events: [ExportAPIEvent] { state.withLock(\.events) }
    var waits: [Double] { state.withLock(\.waits) }
    var kept: [ExportAPIState] { state.withLock(\.kept) }
    /// Requested URLs of the list.
    var listings: [String] { requests.map(\.url).filter { $0.contains("/orders?") } }
    var submissions: [String] {
        requests.filter { $0.method == .post }.map { String(decoding: $0.body?.bytes ?? [], as: UTF8.self) }
    }

    /// Records of a range, by id.
    func read(days: Int64, resuming old: ExportAPIState = ExportAPIState()) async throws -> [String] {
        let collected = Mutex<[String]>([])
        let client = ServiceClient(
            environment: try ServiceEnvironment(parsing: "https://service.invalid"),
            tokens: FixedToken(Secret("T0KEN")), transport: self, ledger: nil, policy: RetryPolicy(),
            sleep: { _ in try Task.checkCancellation() }, onEvent: { _ in })
        let run = ExportAPIRun(
            client: client, merchantID: "M", resource: .orders, now: { self.state.withLock(\.now) },
            sleep: { seconds in
                self.state.withLock {
                    $0.now += Int64(seconds * 1000)
                    $0.waits.append(seconds)
                }
            }, onEvent: { event in self.state.withLock { $0.events.append(event) } })
        _ = try await run.read(
            from: Self.start, to: Self.start + days * Self.day, resuming: old,
            keep: { state in self.state.withLock { $0.kept.append(state) } },
            deliver: { batch in
                self.state.withLock { $0.batches.append(batch.bytes.count) }
                collected.withLock { $0 += batch.records.compactMap { batch.id(of: $0) } }
                return .more
            })
        return collected.withLock(\.self)
    }

    // MARK: Transport

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        _ = departure.leave()
        onEnd()
        let answer = state.withLock { state in
            state.requests.append(request)
            let number = state.requests.count { $0.url == request.url && $0.method == request.method }
            return state.spoil(request, number, state) ?? Self.answer(to: request, &state)
        }
        if let failure = answer.failure { throw failure }
        return HTTPResponse(
            status: answer.status, headers: [], body: Body(Array(answer.body.utf8), failure: answer.bodyFailure))
    }

    private static func answer(to request: HTTPRequest, _ state: inout State) -> Answer {
        let words = request.url.split(separator: "/").map(String.init)
        if words.contains("files") {
            guard request.bearer == nil else { return Answer(status: 400) }
            let (id, place) = (words[3], Int(words[4].prefix { $0 != "?" }) ?? 0)
            guard let job = state.jobs[id] else { return Answer(status: 404) }
            let orders = state.orders(in: job.range)
            return page(orders.dropFirst(place * state.recordsPerFile).prefix(state.recordsPerFile))
        }
        if request.method == .post {
            guard let wanted = wanted(request.body?.bytes ?? []) else {
                return Answer(status: 400, body: #"{"message":"bad"}"#)
            }
            let id = "E\(state.jobs.count + 1)"
            state.jobs[id] = (wanted.startTime...(wanted.endTime - (state.endsAreIncluded ? 0 : 1)), 0)
            return Answer(body: #"{"id":"\#(id)","status":"PENDING","percentComplete":0}"#)
        }
        if words.contains(where: { $0.hasPrefix("orders?") }) { return list(request.url, state) }
        guard let id = words.last, let job = state.jobs[id] else { return Answer(status: 404) }
        state.jobs[id]?.looks += 1
        if job.looks < state.looksUnderWay {
            return Answer(body: #"{"id":"\#(id)","status":"IN_PROGRESS","percentComplete":50}"#)
        }
        let count = state.orders(in: job.range).count
        let files = (0..<((count + state.recordsPerFile - 1) / state.recordsPerFile)).map {
            #"{"url":"https://store.invalid/files/\#(id)/\#($0)?Signature=S3CRET","export":{"id":"\#(id)"}}"#
        }
        return Answer(
            body: #"{"id":"\#(id)","status":"DONE","exportUrls":{"elements":[\#(files.joined(separator: ","))]}}"#)
    }

    /// A page of the list of orders.
    private static func list(_ url: String, _ state: State) -> Answer {
        let items: [URLQueryItem] = URLComponents(string: url)?.queryItems ?? []
        func number(_ start: String) -> Int64? {
            for item in items {
                let text = item.name == "filter" ? item.value ?? "" : "\(item.name)=\(item.value ?? "")"
                if text.hasPrefix(start) { return Int64(text.dropFirst(start.count)) }
            }
            return nil
        }
        guard let from = number("createdTime>="), let to = number("createdTime<"), let limit = number("limit=") else {
            return Answer(status: 400)
        }
        let found = state.orders.filter { $0.createdTime >= from && $0.createdTime < to }
        return page(found.dropFirst(Int(number("offset=") ?? 0)).prefix(Int(limit)))
    }

    private static func page(_ orders: some Sequence<Order>) -> Answer {
        let elements = orders.map { #"{"id":"\#($0.id)","createdTime":\#($0.createdTime)}"# }
        return Answer(body: #"{"elements":[\#(elements.joined(separator: ","))]}"#)
    }

    private struct Wanted: Decodable {
        var type: String
        var startTime: Int64
        var endTime: Int64
    }

    private static func wanted(_ body: [UInt8]) -> Wanted? {
        do {
            let wanted = try JSONDecoder().decode(Wanted.self, from: Data(body))
            return wanted.endTime - wanted.startTime <= 30 * day && wanted.type == "ORDERS" ? wanted : nil
        } catch {
            return nil
        }
    }

    private final class Body: HTTPBody {
        private let state: Mutex<(bytes: [UInt8]?, failure: HTTPTransportError?)>

        private static let pieceSize = 1 << 16

        init(_ bytes: [UInt8], failure: HTTPTransportError?) {
            state = Mutex((bytes.isEmpty ? nil : bytes, failure))
        }

        func next() async throws(HTTPTransportError) -> [UInt8]? {
            let (bytes, failure) = state.withLock { state -> ([UInt8]?, HTTPTransportError?) in
                // In pieces, as from a network.
                guard let bytes = state.bytes else { return (nil, state.failure) }
                let rest = bytes.dropFirst(Self.pieceSize)
                state.bytes = rest.isEmpty ? nil : Array(rest)
                return (Array(bytes.prefix(Self.pieceSize)), nil)
            }
            if let failure { throw failure }
            return bytes
        }

        func cancel() {}
    }
}

extension ExportService.State {
    func orders(in range: ClosedRange<Int64>) -> [ExportService.Order] {
        orders.dropLast(left).filter { range.contains($0.createdTime) }
    }

    /// An order at a fixed interval of hours, from the start on.
    mutating func makeOrders(_ count: Int, every hours: Int64) {
        orders = (0..<count).map {
            ExportService.Order(id: "O\($0)", createdTime: ExportService.start + Int64($0) * hours * 3_600_000)
        }
    }

    var ids: [String] { orders.map(\.id) }
}
