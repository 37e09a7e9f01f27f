import CloverAPI
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverSystem
import FoundationEssentials

/// The requests of the Export API, and the waits between them.
extension ExportAPIRun {
    /// How an export ended.
    enum Outcome {
        /// Done, with the URLs of its files.
        case done(files: [String])
        case ended(status: String)
        /// The service does not know it, because it was requested too long ago.
        case unknown
    }

    /// Seconds between two status requests: initially, and at most.
    private static let firstPause = 0.25
    private static let longestPause = 10.0
    /// Maximum number of retries of a request for an export that failed or got no response.
    private static let maximumRetries = 5

    private var path: String { "/v3/merchants/\(merchantID)/exports" }

    // MARK: Calls

    /// Requests an export. Requesting it twice only costs the service time, so a request without a response is repeated.
    func submit(_ piece: Range<Int64>, _ summary: inout ExportAPISummary) async throws -> ExportAPIResponse {
        let text = #"{"type":"\#(resource.type)","startTime":\#(piece.lowerBound),"endTime":\#(piece.upperBound)}"#
        let url = client.url(path: path, query: "")
        var request = ServiceRequest(.post, url, body: HTTPRequestBody(bytes: Array(text.utf8)))
        request.isHarmless = true
        let body = try await call(request, &summary)
        guard let response = body.flatMap({ ExportAPIResponse($0) }), response.isOf(resource) else {
            throw ExportAPIError.unreadable(url: Redaction.url(url))
        }
        return response
    }

    /// Polls an export until it ends.
    func wait(for job: ExportAPIState.Job, _ summary: inout ExportAPISummary) async throws -> Outcome {
        let url = client.url(path: path + "/" + PercentCoding.encode(job.id), query: "")
        var pause = Self.firstPause
        while true {
            guard let body = try await call(ServiceRequest(.get, url), &summary) else { return .unknown }
            guard let response = ExportAPIResponse(body), response.id == job.id, response.isOf(resource)
            else {
                throw ExportAPIError.unreadable(url: Redaction.url(url))
            }
            switch response.status {
            case .done(let files): return .done(files: files)
            case .other(let status): return .ended(status: status)
            case .underWay(let percent):
                onEvent(.progress(from: job.from, to: job.to, percent: percent))
                try await sleep(pause)
                summary.secondsWaited += pause
                pause = min(pause * 1.5, Self.longestPause)
            }
        }
    }

    /// The body of a successful response; nil for a 404 response to a GET. Waits for the permitted hours, and while the
    /// service is busy.
    private func call(_ request: ServiceRequest, _ summary: inout ExportAPISummary) async throws -> [UInt8]? {
        var backoff = ExportAPIBackoff()
        while true {
            do {
                return try await body(of: request)
            } catch let error as IndeterminateWriteError {
                try await wait(after: error.cause, isRepeated: true, &backoff, &summary)
            } catch ServiceError.notFound where request.method == .get {
                return nil
            } catch let error as ServiceError {
                try await wait(after: error, isRepeated: false, &backoff, &summary)
            }
        }
    }

    private func body(of request: ServiceRequest) async throws -> [UInt8] {
        var attempt = ServiceClient.Attempt()
        while true {
            let response = try await client.send(request, attempt: &attempt)
            do throws(HTTPTransportError) {
                return try await response.body.prefix(1 << 20)
            } catch {
                // A lost response to the request for an export is retried as often as one to a status request.
                try await client.recover(from: error, url: request.url, attempt: &attempt)
            }
        }
    }

    /// Waits before a failed request is repeated.
    ///
    /// - Parameter isRepeated: whether to repeat it here, because the client does not repeat a write itself.
    /// - Throws: `error` when waiting cannot help, or did not for long.
    private func wait(
        after error: ServiceError, isRepeated: Bool, _ backoff: inout ExportAPIBackoff,
        _ summary: inout ExportAPISummary
    ) async throws {
        let seconds: Double
        switch error {
        case .failed(503, _, _, _, let message):
            if let hours = message.flatMap({ ExportHours(in: $0) }) {
                let now = now()
                let opening = hours.opening(from: now)
                seconds = ExportAPIBackoff.pause(until: opening, now: now)
                onEvent(.waitingForHours(opening: opening, seconds: seconds))
            } else {
                guard let pause = backoff.pause() else { throw error }
                seconds = pause
                onEvent(.waitingForService(seconds: seconds))
            }
        case .failed, .unreachable:
            guard isRepeated, let pause = backoff.pause(mostPauses: Self.maximumRetries) else { throw error }
            seconds = pause
            onEvent(.waitingForService(seconds: seconds))
        default: throw error
        }
        try await sleep(seconds)
        summary.secondsWaited += seconds
    }

    // MARK: Files

    /// Number of bytes to read before records are delivered. A file of usual size has fewer.
    private static let batchSize = 1 << 20

    /// Downloads a file and passes its records to `deliver`, each once even if the download is repeated, in batches so that
    /// a large file is never in memory as a whole.
    ///
    /// - Returns: number of records, size of the file in bytes, and whether more are wanted; nil when the file is gone, or
    ///   unreadable in every attempt.
    func download(
        _ url: String, deliver: (RecordBatch, _ before: Int) async throws -> RecordFlow
    ) async throws -> (records: Int, bytes: Int, flow: RecordFlow)? {
        try Self.check(url)
        var request = ServiceRequest(.get, url)
        // The file is on another host, and its URL alone grants access.
        request.isAuthorized = false
        var attempt = ServiceClient.Attempt()
        var delivered = 0
        while true {
            do {
                let response = try await client.send(request, attempt: &attempt)
                return try await Self.read(response.body, &delivered, deliver)
            } catch let error as PageError {
                do {
                    try await recover(from: error, url: url, isFile: true, attempt: &attempt)
                } catch ServiceError.unreadable(let fault, let url, let retries) {
                    switch fault {
                    // Downloading the file again would not change this.
                    case .notAnObject: throw ServiceError.unreadable(fault, url: url, retries: retries)
                    default: return nil
                    }
                }
            } catch let error as HTTPTransportError {
                try await client.recover(from: error, url: url, attempt: &attempt)
            } catch ServiceError.notFound, ServiceError.forbidden, ServiceError.unauthorized, ServiceError.refused {
                return nil
            }
        }
    }

    /// Waits before what could not be read is requested again. A web page is reported at the first retry, because all of
    /// them take several seconds for each file or list.
    private func recover(
        from error: PageError, url: String, isFile: Bool, attempt: inout ServiceClient.Attempt
    ) async throws {
        let isNews = attempt.retries == 0 && error == .html
        try await client.recover(from: error, url: url, attempt: &attempt) {
            if isNews { onEvent(.webPage(isFile: isFile)) }
        }
    }

    /// - Parameter delivered: number of records that an earlier attempt delivered, which are skipped.
    private static func read(
        _ body: any HTTPBody, _ delivered: inout Int, _ deliver: (RecordBatch, _ before: Int) async throws -> RecordFlow
    ) async throws -> (records: Int, bytes: Int, flow: RecordFlow) {
        var batch = RecordBatch()
        var scanner = PageScanner(expecting: .list)
        var (records, bytes) = (0, 0)
        func take() -> (RecordBatch, before: Int)? {
            var fresh = batch
            let first = records
            records += batch.records.count
            batch = RecordBatch()
            guard records > delivered else { return nil }
            var index = first
            fresh.removeRecords { _, _ in
                defer { index += 1 }
                return index < delivered
            }
            let before = delivered
            delivered = records
            return (fresh, before)
        }
        while let chunk = try await body.next() {
            try scanner.scan(chunk, into: &batch)
            bytes += chunk.count
            guard batch.bytes.count >= batchSize, let (fresh, before) = take() else { continue }
            if try await deliver(fresh, before) == .stop {
                body.cancel()
                return (records, bytes, .stop)
            }
        }
        try scanner.finish(into: &batch)
        guard let (fresh, before) = take() else { return (records, bytes, .more) }
        return (records, bytes, try await deliver(fresh, before))
    }

    /// Whether the list has more than `count` records created within a piece. Sends one request, for the record after these.
    func listShows(moreThan count: Int, in piece: Range<Int64>) async throws -> Bool {
        var query = RecordQuery()
        query.filters = [">=\(piece.lowerBound)", "<\(piece.upperBound)"].map {
            FilterExpression(field: "createdTime", condition: $0)
        }
        let url = client.url(
            path: "/v3/merchants/\(merchantID)/\(resource.rawValue)",
            query: query.encoded(page: RecordQuery.Page(offset: count, limit: 1)))
        var attempt = ServiceClient.Attempt()
        while true {
            do {
                let response = try await client.get(url, attempt: &attempt)
                var none = 0
                return try await Self.read(response.body, &none) { _, _ in .more }.records > 0
            } catch let error as PageError {
                try await recover(from: error, url: url, isFile: false, attempt: &attempt)
            } catch let error as HTTPTransportError {
                try await client.recover(from: error, url: url, attempt: &attempt)
            }
        }
    }

    /// Refuses a URL that is not TLS or on this machine, because the URL of a file is a secret.
    private static func check(_ url: String) throws {
        let origin = url.prefix { $0 != "?" && $0 != "#" }
        do {
            _ = try ServiceEnvironment(parsing: String(origin))
        } catch {
            throw ExportAPIError.insecureFile(url: Redaction.url(url))
        }
    }
}

/// The service's description of an export.
struct ExportAPIResponse: Sendable, Equatable {
    /// Status of the export.
    enum Status: Sendable, Equatable {
        /// In progress; `percent` is nil when the service does not give it.
        case underWay(percent: Int?)
        /// Done, with the URLs of the files in the service's order. An export without records may have none.
        case done(files: [String])
        /// Any other status, which the service's own samples treat as a failure. So is an end without the URLs of all files.
        case other(String)
    }

    let id: String
    let status: Status
    private let type: String?

    /// Whether nothing in it says that it is an export of another resource. That its records are of the time that was
    /// asked for, they tell themselves.
    func isOf(_ resource: ExportAPIResource) -> Bool { (type ?? resource.type).uppercased() == resource.type }

    /// Nil for a body that does not describe an export, or whose id no path can contain.
    init?(_ body: [UInt8]) {
        guard let response = JSONDecoder.value(Body.self, from: body), PercentCoding.isSegment(response.id) else {
            return nil
        }
        id = response.id
        type = response.type
        status =
            switch response.status {
            case "PENDING", "IN_PROGRESS": .underWay(percent: response.percentComplete)
            case "DONE": Self.end(response)
            default: .other(response.status)
            }
    }

    private static func end(_ response: Body) -> Status {
        if let percent = response.percentComplete, percent < 100 { return .other("DONE at \(percent) %") }
        guard let elements = response.exportUrls?.elements else { return .other("DONE without a list of files") }
        let addresses = elements.compactMap { $0?.url }.filter { !$0.isEmpty }
        guard addresses.count == elements.count else { return .other("DONE without the address of a file") }
        return .done(files: addresses)
    }

    private struct Body: Decodable {
        var id: String
        var type: String?
        var status: String
        var percentComplete: Int?
        var exportUrls: Files?

        struct Files: Decodable {
            var elements: [File?]?
        }

        struct File: Decodable {
            var url: String?
        }
    }
}

/// Decides how long to wait for the Export API, without a clock or a request.
struct ExportAPIBackoff: Sendable, Equatable {
    /// Longest single wait, in seconds: the clock may be set meanwhile, or the service may change its hours.
    private static let longestWait = 600.0
    /// Total wait for a busy or unavailable service, in seconds.
    private static let maximumTotal = 3600.0
    private static let longestPause = 300.0

    private var pauses = 0
    private var waited = 0.0

    /// The wait for the permitted hours, in seconds. If they have begun by our clock, which may be wrong, it is a minute.
    ///
    /// - Parameter opening: milliseconds since 1970, like `now`.
    static func pause(until opening: Int64, now: Int64) -> Double {
        let seconds = Double(opening - now) / 1000
        return seconds <= 0 ? 60 : min(seconds + 1, longestWait)
    }

    /// The next wait for a busy service, in seconds; nil when the maximum time or number of waits is reached.
    mutating func pause(mostPauses: Int = .max) -> Double? {
        guard waited < Self.maximumTotal, pauses < mostPauses else { return nil }
        let seconds = min(Double(1 << min(pauses, 20)), Self.longestPause)
        pauses += 1
        waited += seconds
        return seconds
    }
}
