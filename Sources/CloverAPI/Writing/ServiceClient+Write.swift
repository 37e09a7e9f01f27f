import CloverHTTP
package import CloverRecords

/// What the service answered to a write.
package struct WriteAnswer: Sendable {
    package var status: Int
    /// The records in the answer: the one that was written, the entries of a list, or none.
    package var records: RecordBatch
    /// Set for a deletion that may have been carried out by an earlier try, and of which the last one found nothing more to
    /// delete: what left the doubt.
    package var goneAfter: ServiceClient.Doubt?
}

/// A write that was carried out, and the answer with what it made was cut off, or cannot be shown.
package struct LostAnswer: Error, Sendable {
    package var status: Int
    /// Already redacted.
    package var url: String
    /// Why, in words.
    package var reason: String

    package init(status: Int, url: String, reason: String) {
        self.status = status
        self.url = url
        self.reason = reason
    }
}

extension ServiceClient {
    private static let answerLimit = 64 << 20

    /// Sends a write and reads its whole answer.
    ///
    /// - Throws: `ServiceError` for what was not carried out, `UnknownOutcome` where nobody knows, `LostAnswer` when it
    ///   was carried out. `CancellationError` leaves no doubt: nothing had left.
    package func write(_ request: ServiceRequest, watch: RequestWatch = .nobody) async throws -> WriteAnswer {
        var attempt = Attempt()
        let response: HTTPResponse
        do {
            response = try await send(request, attempt: &attempt, watch: watch)
        } catch ServiceError.notFound where request.method == .delete && attempt.mayHaveActed {
            // What is deleted cannot be found: the try that left a doubt may well have done it.
            return WriteAnswer(status: 404, records: RecordBatch(), goneAfter: attempt.doubt)
        } catch is CancellationError where attempt.mayHaveActed {
            let url = Redaction.url(request.url)
            throw UnknownOutcome(.unreachable(.cancelled, url: url, retries: attempt.retries), of: request)
        }
        let url = Redaction.url(request.url)
        let body: [UInt8]
        do throws(HTTPTransportError) {
            body = try await response.body.prefix(Self.answerLimit)
        } catch {
            // It was carried out, so that a cancellation must not look like one that came in time.
            if error == .cancelled {
                throw UnknownOutcome(.unreachable(error, url: url, retries: attempt.retries), of: request)
            }
            let isLate = if case .timedOut = error { true } else { false }
            throw LostAnswer(
                status: response.status, url: url, reason: isLate ? "the rest did not come in time" : "cut off")
        }
        do throws(PageError) {
            return WriteAnswer(status: response.status, records: try Self.records(in: body))
        } catch {
            let error = error.hiding(SensitiveValues(of: request, token: nil))
            if case .cutOff = error { throw LostAnswer(status: response.status, url: url, reason: "\(error)") }
            // Whatever says 200 without a record may be no service at all, but something in its place.
            throw UnknownOutcome(.unreadable(error, url: url, retries: attempt.retries), of: request)
        }
    }

    /// An empty answer has none; a list has its entries, whether it is `{"elements":[...]}` or a plain array.
    private static func records(in body: [UInt8]) throws(PageError) -> RecordBatch {
        var batch = RecordBatch()
        guard let first = body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return batch }
        let isArray = first == UInt8(ascii: "[")
        var scanner = PageScanner(expecting: isArray ? .list : .either, elements: .anything)
        if isArray { try scanner.scan(Array(#"{"elements":"#.utf8), into: &batch) }
        try scanner.scan(body, into: &batch)
        if isArray { try scanner.scan(Array("}".utf8), into: &batch) }
        try scanner.finish(into: &batch)
        return batch
    }
}
