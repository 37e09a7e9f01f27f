import CloverAPI
import CloverHTTP
import CloverRecords
import Synchronization

/// Takes secrets out of requests that are shown and not sent: sensitive fields of bodies, header fields and parameters
/// that are secrets, unless they may be shown, and tokens and secrets of the run itself in any case.
final class RequestMask: Sendable {
    private let endpoint: Endpoint?
    private let own: SecretMask
    private let showsSensitive: Bool
    private let state = Mutex((requests: 0, fields: Set<String>()))

    private static let mark = "[masked]"

    /// - Parameter endpoint: where the requests would go; nil for what the catalogue does not know.
    init(_ endpoint: Endpoint?, showsSensitive: Bool, _ diagnostics: Diagnostics) {
        own = diagnostics.mask
        self.showsSensitive = showsSensitive
        self.endpoint = endpoint
    }

    /// The request as it may be shown.
    func masked(_ request: ServiceRequest) throws(CoreError) -> ServiceRequest {
        var fields: Set<String> = []
        var shown = request
        shown.url = hidden(request.url, &fields)
        if !showsSensitive {
            let url = Redaction.url(shown.url)
            if url != shown.url { fields.insert("a parameter of the address") }
            shown.url = url
        }
        shown.headers = request.headers.map { header in
            guard !showsSensitive, Redaction.isSecretHeader(header.name) else {
                return HTTPHeader(name: header.name, value: hidden(header.value, &fields))
            }
            fields.insert("the header field \(header.name)")
            return HTTPHeader(name: header.name, value: Self.mark)
        }
        shown.body = try request.body.map { body throws(CoreError) in try masked(body, &fields) }
        if !fields.isEmpty {
            state.withLock { state in
                state.requests += 1
                state.fields.formUnion(fields)
            }
        }
        return shown
    }

    /// What was masked, for the user; nil when nothing was.
    var notice: MaskNotice? {
        let state = state.withLock { $0 }
        return MaskNotice(count: state.requests, "request", fields: state.fields)
    }

    /// The names of what was masked, sorted.
    var fields: [String] { state.withLock { $0.fields.sorted() } }

    private func masked(_ body: HTTPRequestBody, _ fields: inout Set<String>) throws(CoreError) -> HTTPRequestBody {
        var batch = RecordBatch()
        body.bytes.withUnsafeBytes { batch.append($0) }
        do throws(RecordMasker.Unreadable) {
            // One of its own for each body: its report is about this request.
            let masker = RecordMasker(bodiesOf: endpoint, secrets: own, showsFields: showsSensitive)
            let result = try masker.masked(batch)
            fields.formUnion(masker.report.fields)
            return HTTPRequestBody(bytes: result.bytes.dropLast(), contentType: body.contentType)
        } catch {
            throw .unmaskable(id: error.id, offset: error.offset)
        }
    }

    private func hidden(_ text: String, _ fields: inout Set<String>) -> String {
        let shown = own.masked(text)
        if shown != text { fields.insert(RecordMasker.ownSecret) }
        return shown
    }
}
