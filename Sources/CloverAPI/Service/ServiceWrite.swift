package import CloverHTTP
package import CloverJSON

package struct WriteResponse: Sendable {
    package var status: Int
    package var headers: [HTTPHeader] = []
    /// The records in the response: the one that was written, the entries of a list, or none.
    package var records: RecordBatch
    /// Set if a deletion found nothing to delete after an earlier transmission with an unknown outcome, which may have
    /// deleted it: the reason for the doubt.
    package var goneAfter: ServiceClient.Doubt?
}

/// A write that was carried out, but whose response was cut off or cannot be shown.
package struct ResponseLostError: Error, Sendable {
    package var status: Int
    /// Already redacted.
    package var url: String
    package var reason: String

    package init(status: Int, url: String, reason: String) {
        self.status = status
        self.url = url
        self.reason = reason
    }
}

extension ServiceClient {
    private static let answerLimit = 64 << 20

    /// Sends a write and reads its complete response.
    ///
    /// - Throws: `ServiceError` if it was not carried out, `IndeterminateWriteError` if that is unknown, `ResponseLostError` if it was
    ///   carried out. After a `CancellationError` nothing was sent.
    package func write(_ request: ServiceRequest, watch: SendObserver = .unobserved) async throws -> WriteResponse {
        var attempt = Attempt()
        let response: HTTPResponse
        do {
            response = try await send(request, attempt: &attempt, watch: watch)
        } catch ServiceError.notFound where request.method == .delete && attempt.mayHaveActed {
            // A deleted record cannot be found: the transmission with the unknown outcome may well have deleted it.
            return WriteResponse(status: 404, records: RecordBatch(), goneAfter: attempt.doubt)
        } catch is CancellationError where attempt.mayHaveActed {
            let url = Redaction.url(request.url)
            throw IndeterminateWriteError(.unreachable(.cancelled, url: url, retries: attempt.retries), of: request)
        }
        let url = Redaction.url(request.url)
        var body: [UInt8] = []
        do throws(HTTPTransportError) {
            while body.count < Self.answerLimit, let chunk = try await response.body.next() {
                body.append(contentsOf: chunk.prefix(Self.answerLimit - body.count))
            }
            response.body.cancel()
        } catch {
            // It was carried out, so a cancellation must not look like one before sending.
            if error == .cancelled {
                throw IndeterminateWriteError(.unreachable(error, url: url, retries: attempt.retries), of: request)
            }
            let isLate = if case .timedOut = error { true } else { false }
            guard Self.beginsRecord(body, of: request) else {
                throw IndeterminateWriteError(.unreachable(error, url: url, retries: attempt.retries), of: request)
            }
            throw ResponseLostError(
                status: response.status, url: url,
                reason: isLate ? "timed out before the end of the response" : "cut off")
        }
        do throws(PageError) {
            let records = try Self.records(in: body, keepsEnvelope: request.keepsEnvelope)
            if request.returnsRecord, records.records.isEmpty,
                response.status != 204 || request.movesMoney
            {
                throw PageError.noRecord
            }
            try Self.check(records, of: request)
            return WriteResponse(status: response.status, headers: response.headers, records: records)
        } catch {
            report(response, body, to: request)
            let error = error.hiding(SensitiveValues(of: request, token: nil))
            if case .cutOff = error, Self.beginsRecord(body, of: request) {
                throw ResponseLostError(status: response.status, url: url, reason: "\(error)")
            }
            // A 200 without a record may come from something other than the service.
            throw IndeterminateWriteError(.unreadable(error, url: url, retries: attempt.retries), of: request)
        }
    }

    /// Throws if the records are not what the request wrote.
    private static func check(_ records: RecordBatch, of request: ServiceRequest) throws(PageError) {
        for record in records.records {
            let found = records.id(of: record)
            if found?.isEmpty ?? true, request.returnsRecord || isMessage(Array(records.bytes[record.range])) {
                throw .noRecord
            }
            if let found, let id = request.recordID, !ResourcePath.isSame(found, id) { throw .otherRecord(found) }
        }
    }

    /// Whether a body is an error and nothing else.
    private static func isMessage(_ body: [UInt8]) -> Bool {
        guard case .object(let members) = JSONTree(body), members["message"]?.string != nil else { return false }
        return Set(members.keys).isSubset(of: ["message", "details", "error", "code", "type", "requestType"])
    }

    /// Whether the first bytes of a body show the ID of the record that was written. Only then it is certain that it was: the
    /// start of anything else may come from something other than the service.
    private static func beginsRecord(_ body: [UInt8], of request: ServiceRequest) -> Bool {
        let start = String(decoding: body.prefix(1000), as: UTF8.self)
        let pattern = /^\s*\{(?:\s*"[A-Za-z]+"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*"([^"\\]+)"/
        guard request.method != .delete, let match = start.firstMatch(of: pattern) else { return false }
        return request.recordID.map { ResourcePath.isSame(String(match.1), $0) } ?? true
    }

    /// The records in a body: none if it is empty; the entries of a list, as `{"elements":[...]}` or a plain array,
    /// unless the envelope is kept.
    private static func records(in body: [UInt8], keepsEnvelope: Bool) throws(PageError) -> RecordBatch {
        var batch = RecordBatch()
        guard let first = body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return batch }
        let isArray = first == UInt8(ascii: "[") && !keepsEnvelope
        var scanner = PageScanner(
            expecting: keepsEnvelope ? .object : isArray ? .list : .either, elements: .anything)
        if isArray { try scanner.scan(Array(#"{"elements":"#.utf8), into: &batch) }
        try scanner.scan(body, into: &batch)
        if isArray { try scanner.scan(Array("}".utf8), into: &batch) }
        try scanner.finish(into: &batch)
        return batch
    }
}

/// A write that was sent without a response that settles its outcome: it may have been carried out.
package struct IndeterminateWriteError: Error, Sendable {
    /// The cause: `ServiceError.failed`, `.unreachable`, `.rateLimited`; `.unreadable` for a 200 without JSON or without
    /// the record; `.refused` or `.redirected` for a refusal that is not in Clover's form; any refusal if there is a `doubt`.
    package var cause: ServiceError
    /// What came of an earlier transmission that may have been carried out, where the cause is a refusal of the last one.
    package var doubt: ServiceClient.Doubt?
    package var method: HTTPMethod
    /// Already redacted.
    package var url: String
    package var movesMoney: Bool

    init(_ cause: ServiceError, of request: ServiceRequest, doubt: ServiceClient.Doubt? = nil) {
        self.cause = cause
        self.doubt = doubt
        method = request.method
        url = Redaction.url(request.url)
        movesMoney = request.movesMoney
    }
}

extension ServiceClient {
    /// The retries of one request.
    package struct Attempt: Sendable {
        package internal(set) var retries = 0
        /// Why the outcome of the last transmission that may have been carried out is unknown; nil if there is none.
        package private(set) var doubt: Doubt?
        /// True if the request was sent at least once without a response that settles its outcome.
        package var mayHaveActed: Bool { doubt != nil }
        /// Whether another token was requested after a 401.
        var hasRenewed = false
        /// Whether refusals are reported; false for a request that may be refused as a normal result.
        package var reportsRefusals = true

        package init() {}

        mutating func noteForeignRefusal(_ status: Int) { doubt = .failed(status: status) }

        mutating func note(_ failure: RetryPolicy.Failure) {
            guard failure.mayHaveActed else { return }
            if case .status(let status, _) = failure { doubt = .failed(status: status) } else { doubt = .noAnswer }
        }
    }

    package enum Doubt: Sendable, Equatable {
        /// A response with this status, which may be sent before or after the work was done.
        case failed(status: Int)
        /// No complete response.
        case noAnswer
    }
}
