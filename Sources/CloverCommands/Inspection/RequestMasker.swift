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

/// A request as a shell command that runs curl(1). Secrets never appear in a process list: the token comes from
/// `CLOVER_ACCESS_TOKEN` and reaches curl through a pipe (`printf` is a shell builtin), as do secret header fields. The
/// body is curl's standard input, which allows any size.
struct CurlCommand: Sendable, Equatable {
    let text: String
    let notes: [String]

    /// - Parameters:
    ///   - request: the request, whose body must be text.
    ///   - endpoint: its endpoint; nil when the catalogue does not have it.
    ///   - showsSensitive: whether the body keeps its sensitive fields. A command without them is made not to run.
    ///   - certificateFile: PEM file of certificate authorities to trust instead of the system's.
    init(
        _ request: ServiceRequest, to endpoint: Endpoint?, showsSensitive: Bool, certificateFile: String?,
        notes: [String] = [], _ diagnostics: Diagnostics
    ) throws(CoreError) {
        // Secret header fields are never in the command, so they need no masking.
        let secretNames = request.headers.map(\.name).filter(Redaction.isSecretHeader)
        var rest = request
        rest.headers.removeAll { secretNames.contains($0.name) }
        let mask = RequestMasker(endpoint, showsSensitive: showsSensitive, diagnostics)
        let shown = try mask.masked(rest)

        var notes = notes
        if !secretNames.isEmpty {
            notes.append(
                "the command takes "
                    + secretNames.map { "\($0) from \(Self.variable(for: $0))" }.joined(separator: ", "))
        }
        var lead = ""
        if !mask.fields.isEmpty {
            let names = mask.fields.joined(separator: ", ")
            notes.append("masked in the command, so it does nothing: \(names); --show-sensitive shows them")
            lead = "# masked: \(names); for the complete command, without 'false', add --show-sensitive\nfalse && "
        }
        self.notes = notes
        let secrets = Self.secrets(secretNames, isAuthorized: request.isAuthorized)
        text = lead + secrets + " | " + Self.curl(shown, certificateFile: certificateFile)
    }

    /// The part that passes secrets to curl.
    private static func secrets(_ names: [String], isAuthorized: Bool) -> String {
        let lines =
            (isAuthorized ? [#"header = "Authorization: Bearer %s"\n"#] : [])
            + names.map { #"header = "\#($0): %s"\n"# }
        let values = (isAuthorized ? ["CLOVER_ACCESS_TOKEN"] : []) + names.map(variable)
        return (["printf '\(lines.joined())'"] + values.map { "\"$\($0)\"" }).joined(separator: " ")
    }

    /// Environment variable for a header field's value: `X_CLOVER_AUTH`.
    private static func variable(for name: String) -> String {
        let text = name.uppercased().replacing("-", with: "_")
        return text.first?.isNumber ?? true ? "HEADER_" + text : text
    }

    private static func curl(_ request: ServiceRequest, certificateFile: String?) -> String {
        // A body uses standard input, so the pipe moves to another descriptor.
        let configuration = request.body == nil ? "-" : "/dev/fd/3"
        var words = ["curl", "--config", configuration, "--silent", "--show-error", "--fail-with-body", "--globoff"]
        if let certificateFile { words += ["--cacert", quoted(certificateFile)] }
        if request.method != .get { words += ["--request", request.method.rawValue] }
        for header in request.headers { words += ["--header", quoted("\(header.name): \(header.value)")] }
        guard let body = request.body else { return (words + [quoted(request.url)]).joined(separator: " ") }
        words += ["--header", quoted("Content-Type: \(body.contentType)"), "--data-binary", "@-", quoted(request.url)]
        let content = String(decoding: body.bytes, as: UTF8.self)
        let end = delimiter(for: content)
        // A here-document ends with a newline, which is insignificant after JSON.
        let lineEnd = content.utf8.last == UInt8(ascii: "\n") ? "" : "\n"
        return words.joined(separator: " ") + " 3<&0 <<'\(end)'\n" + content + lineEnd + end
    }

    /// A word that does not occur in the text.
    private static func delimiter(for text: String) -> String {
        var word = "CLOVER_BODY"
        while text.contains(word) { word += "_" }
        return word
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
