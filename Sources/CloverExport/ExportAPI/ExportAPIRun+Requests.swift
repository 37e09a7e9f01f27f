import CloverAPI
import CloverHTTP
import CloverRecords
import FoundationEssentials

/// The calls of the Export API, and what is waited for between them.
extension ExportAPIRun {
    /// What became of an export.
    enum Outcome {
        /// Its files' addresses.
        case done(files: [String])
        case ended(status: String)
        /// The service does not know it: it was asked for too long ago.
        case unknown
    }

    /// Seconds between two looks at an export: at first, and at most.
    private static let firstPause = 0.25
    private static let longestPause = 10.0
    /// A request for an export that failed, or had no answer, is made again so often.
    private static let mostRepetitions = 5

    private var path: String { "/v3/merchants/\(merchantID)/exports" }

    // MARK: Calls

    /// Asks for an export. Asking twice does no harm but for the time that it takes the service, so a call without an
    /// answer is made again.
    func submit(_ piece: Range<Int64>, _ summary: inout ExportAPISummary) async throws -> ExportAPIAnswer {
        let text = #"{"type":"\#(resource.type)","startTime":\#(piece.lowerBound),"endTime":\#(piece.upperBound)}"#
        let url = client.url(path: path, query: "")
        let body = try await call(
            ServiceRequest(.post, url, body: HTTPRequestBody(bytes: Array(text.utf8))), &summary)
        guard let answer = body.flatMap({ ExportAPIAnswer($0) }) else {
            throw ExportAPIError.unreadable(url: Redaction.url(url))
        }
        return answer
    }

    /// Looks at an export until it has ended.
    func wait(for job: ExportAPIState.Job, _ summary: inout ExportAPISummary) async throws -> Outcome {
        let url = client.url(path: path + "/" + job.id, query: "")
        var pause = Self.firstPause
        while true {
            guard let body = try await call(ServiceRequest(.get, url), &summary) else { return .unknown }
            guard let answer = ExportAPIAnswer(body) else { throw ExportAPIError.unreadable(url: Redaction.url(url)) }
            switch answer.status {
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

    /// The body of a successful answer; nil for 404 to a read. Waits for the permitted hours, and while the service is busy.
    private func call(_ request: ServiceRequest, _ summary: inout ExportAPISummary) async throws -> [UInt8]? {
        var patience = ExportAPIPatience()
        while true {
            do {
                return try await body(of: request)
            } catch let error as UnknownOutcome {
                try await wait(after: error.cause, isRepeated: true, &patience, &summary)
            } catch ServiceError.notFound where request.method == .get {
                return nil
            } catch let error as ServiceError {
                try await wait(after: error, isRepeated: false, &patience, &summary)
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
                // The answer to a request for an export is as lost as that to a look at one, and is asked for as often.
                try await client.recover(from: error, url: request.url, attempt: &attempt)
            }
        }
    }

    /// - Parameter isRepeated: the client has not repeated the request itself, because it is a write.
    /// - Throws: `error` when waiting cannot help, or has not for long.
    private func wait(
        after error: ServiceError, isRepeated: Bool, _ patience: inout ExportAPIPatience,
        _ summary: inout ExportAPISummary
    ) async throws {
        let seconds: Double
        switch error {
        case .failed(503, _, _, let message):
            if let hours = message.flatMap({ ExportHours(in: $0) }) {
                let now = now()
                let opening = hours.opening(from: now)
                seconds = ExportAPIPatience.pause(until: opening, now: now)
                onEvent(.waitingForHours(opening: opening, seconds: seconds))
            } else {
                guard let pause = patience.pause() else { throw error }
                seconds = pause
                onEvent(.waitingForService(seconds: seconds))
            }
        case .failed, .unreachable:
            guard isRepeated, let pause = patience.pause(mostPauses: Self.mostRepetitions) else { throw error }
            seconds = pause
            onEvent(.waitingForService(seconds: seconds))
        default: throw error
        }
        try await sleep(seconds)
        summary.secondsWaited += seconds
    }

    // MARK: Files

    /// Bytes that are read before records are delivered. A file of usual size is whole before.
    private static let batchSize = 1 << 20

    /// Gives the records of a file to `deliver`, each once however often the file has to be fetched, in batches so that a large file
    /// is never in memory as a whole.
    ///
    /// - Returns: how many records there were, the file's size in bytes, and whether more are wanted; nil when the file is
    ///   gone, or no such file each time it is fetched.
    func download(
        _ url: String, deliver: (RecordBatch, _ before: Int) async throws -> RecordFlow
    ) async throws -> (records: Int, bytes: Int, flow: RecordFlow)? {
        try Self.check(url)
        var request = ServiceRequest(.get, url)
        // It is on another host, and its address is all it takes.
        request.isAuthorized = false
        var attempt = ServiceClient.Attempt()
        var delivered = 0
        while true {
            do {
                let response = try await client.send(request, attempt: &attempt)
                return try await Self.read(response.body, &delivered, deliver)
            } catch let error as PageError {
                do {
                    try await client.recover(from: error, url: url, attempt: &attempt)
                } catch ServiceError.unreadable(let fault, let url, let retries) {
                    switch fault {
                    // Another copy of the file would say the same.
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

    /// - Parameter delivered: records that an earlier try has delivered, which are passed over.
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

    /// Whether the list shows more than so many records that were made in the time of a piece: one request, for the record
    /// behind these.
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
                try await client.recover(from: error, url: url, attempt: &attempt)
            } catch let error as HTTPTransportError {
                try await client.recover(from: error, url: url, attempt: &attempt)
            }
        }
    }

    /// Addresses of files are secrets, so they go over nothing but TLS, or stay on this machine.
    private static func check(_ url: String) throws {
        let origin = url.prefix { $0 != "?" && $0 != "#" }
        do {
            _ = try ServiceEnvironment(parsing: String(origin))
        } catch {
            throw ExportAPIError.insecureFile(url: Redaction.url(url))
        }
    }
}
