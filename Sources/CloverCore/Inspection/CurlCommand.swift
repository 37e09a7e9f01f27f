import CloverAPI
import CloverHTTP

/// A request as lines that sh(1) runs with curl(1). No list of processes shows a secret of it: the token comes from
/// `CLOVER_ACCESS_TOKEN` and reaches curl through a pipe (`printf` is the shell's own), as do header fields that are
/// secrets, and the body is its standard input, which also may be of any size.
package struct CurlCommand: Sendable, Equatable {
    package let text: String
    /// What the user should know about it; empty when it is all there is.
    package let notes: [String]

    /// - Parameters:
    ///   - request: its body must be text.
    ///   - endpoint: where it would go; nil for what the catalogue does not know.
    ///   - showsSensitive: sensitive fields of the body are in it. A command without them is kept from being run.
    ///   - certificateFile: a PEM file of authorities to trust instead of the system's.
    init(
        _ request: ServiceRequest, to endpoint: Endpoint?, showsSensitive: Bool, certificateFile: String?,
        notes: [String] = [], _ diagnostics: Diagnostics
    ) throws(CoreError) {
        // A header field that is a secret is never in the command, so that there is nothing to mask in it.
        let secretNames = request.headers.map(\.name).filter(Redaction.isSecretHeader)
        var rest = request
        rest.headers.removeAll { secretNames.contains($0.name) }
        let mask = RequestMask(endpoint, showsSensitive: showsSensitive, diagnostics)
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
            notes.append("masked in the command, which does nothing so: \(names); --show-sensitive shows them")
            lead = "# masked: \(names); with --show-sensitive it is the whole command, without 'false'\nfalse && "
        }
        self.notes = notes
        text = lead + Self.secrets(secretNames) + " | " + Self.curl(shown, certificateFile: certificateFile)
    }

    /// The part that gives curl what nobody else shall see.
    private static func secrets(_ names: [String]) -> String {
        let lines = [#"header = "Authorization: Bearer %s"\n"#] + names.map { #"header = "\#($0): %s"\n"# }
        let values = ["CLOVER_ACCESS_TOKEN"] + names.map(variable)
        return "printf '\(lines.joined())' " + values.map { "\"$\($0)\"" }.joined(separator: " ")
    }

    /// The variable that a header field's value is taken from: `X_CLOVER_AUTH`.
    private static func variable(for name: String) -> String {
        let text = name.uppercased().replacing("-", with: "_")
        return text.first?.isNumber ?? true ? "HEADER_" + text : text
    }

    private static func curl(_ request: ServiceRequest, certificateFile: String?) -> String {
        // The body is the standard input where there is one, so that the pipe goes on as another descriptor.
        let configuration = request.body == nil ? "-" : "/dev/fd/3"
        var words = ["curl", "--config", configuration, "--silent", "--show-error", "--fail-with-body", "--globoff"]
        if let certificateFile { words += ["--cacert", quoted(certificateFile)] }
        if request.method != .get { words += ["--request", request.method.rawValue] }
        for header in request.headers { words += ["--header", quoted("\(header.name): \(header.value)")] }
        guard let body = request.body else { return (words + [quoted(request.url)]).joined(separator: " ") }
        words += ["--header", quoted("Content-Type: \(body.contentType)"), "--data-binary", "@-", quoted(request.url)]
        let content = String(decoding: body.bytes, as: UTF8.self)
        let end = delimiter(for: content)
        // A document ends with a line break, which means nothing behind JSON.
        let lineEnd = content.utf8.last == UInt8(ascii: "\n") ? "" : "\n"
        return words.joined(separator: " ") + " 3<&0 <<'\(end)'\n" + content + lineEnd + end
    }

    /// A word that is not in the text.
    private static func delimiter(for text: String) -> String {
        var word = "CLOVER_BODY"
        while text.contains(word) { word += "_" }
        return word
    }

    /// The text as one word of the shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
