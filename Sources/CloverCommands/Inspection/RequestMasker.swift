import CloverAPI
import CloverCore
import CloverHTTP
import CloverJSON
import Synchronization

/// Masks secrets in requests that are printed and not sent: sensitive fields of bodies, and secret header fields and
/// parameters, unless they may be shown. The run's own tokens and secrets are always masked.
final class RequestMasker: Sendable {
    private let endpoint: Endpoint?
    private let diagnostics: Diagnostics
    private let showsSensitive: Bool
    private let state = Mutex((requests: 0, fields: Set<String>()))

    private static let mark = "[masked]"

    /// - Parameter endpoint: endpoint of the requests; nil when the catalogue does not have it.
    init(_ endpoint: Endpoint?, showsSensitive: Bool, _ diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
        self.showsSensitive = showsSensitive
        self.endpoint = endpoint
    }

    /// Returns the request as it may be printed.
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

    /// Reports what was masked.
    func report() {
        let (count, fields) = state.withLock(\.self)
        diagnostics.reportMasked(count, "request", fields: fields)
    }

    /// Names of what was masked, sorted.
    var fields: [String] { state.withLock { $0.fields.sorted() } }

    private func masked(_ body: HTTPRequestBody, _ fields: inout Set<String>) throws(CoreError) -> HTTPRequestBody {
        var batch = RecordBatch()
        body.bytes.withUnsafeBytes { batch.append($0) }
        do throws(RecordMasker.Unreadable) {
            // A new masker for each body, so that its report is about this request only.
            let masker = RecordMasker(bodiesOf: endpoint, secrets: diagnostics.mask, showsFields: showsSensitive)
            let result = try masker.masked(batch)
            fields.formUnion(masker.report.fields)
            return HTTPRequestBody(bytes: result.bytes.dropLast(), contentType: body.contentType)
        } catch {
            throw .unmaskable(id: error.id, offset: error.offset)
        }
    }

    private func hidden(_ text: String, _ fields: inout Set<String>) -> String {
        let shown = diagnostics.mask.masked(text)
        if shown != text { fields.insert(RecordMasker.ownSecret) }
        return shown
    }
}

extension Diagnostics {
    /// Names what was masked, except with `--quiet`.
    ///
    /// - Parameters:
    ///   - count: number of records or requests with masked fields.
    ///   - noun: `record` or `request`.
    func reportMasked(_ count: Int, _ noun: String, fields: Set<String>) {
        guard count > 0 else { return }
        let fields = fields.sorted()
        var line = JSONLine()
        line.add("\(noun)s", Int64(count))
        line.add("fields", fields)
        var text = "masked in \(count == 1 ? "1 \(noun)" : "\(count) \(noun)s"): " + fields.joined(separator: ", ")
        // The run's own token is shown only by 'clover auth token'.
        if fields != [RecordMasker.ownSecret] {
            text += "; --show-sensitive shows them"
            line.add("hint", "--show-sensitive shows them")
        }
        report(text, json: "{\"masked\":\(line.text)}", from: .normal)
    }
}
