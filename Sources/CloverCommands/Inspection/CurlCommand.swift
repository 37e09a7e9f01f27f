import CloverAPI
import CloverCore
import CloverHTTP

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
