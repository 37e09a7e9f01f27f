package import CloverHTTP

/// A request as a line that sh(1) runs with curl(1). The token comes from `CLOVER_ACCESS_TOKEN`, and reaches curl on
/// its standard input, so that no list of processes shows it: `printf` is the shell's own.
package struct CurlCommand: Sendable, Equatable {
    package let text: String
    /// What the user should know about it; empty when it is all there is.
    package let notes: [String]

    /// - Parameters:
    ///   - request: its bearer is not looked at, and its body must be text.
    ///   - certificateFile: a PEM file of authorities to trust instead of the system's.
    package init(_ request: HTTPRequest, certificateFile: String?, notes: [String] = []) {
        self.notes = notes
        var words = ["curl", "--config", "-", "--silent", "--show-error", "--fail-with-body", "--globoff"]
        if let certificateFile { words += ["--cacert", Self.quoted(certificateFile)] }
        if request.method != .get { words += ["--request", request.method.rawValue] }
        for header in request.headers { words += ["--header", Self.quoted("\(header.name): \(header.value)")] }
        if let body = request.body {
            words += ["--header", Self.quoted("Content-Type: \(body.contentType)")]
            let content = String(decoding: body.bytes, as: UTF8.self)
            // To the others of these options an @ at the beginning means a file.
            words += [content.hasPrefix("@") ? "--data-raw" : "--data-binary", Self.quoted(content)]
        }
        words.append(Self.quoted(request.url))
        text =
            #"printf 'header = "Authorization: Bearer %s"\n' "$CLOVER_ACCESS_TOKEN" | "# + words.joined(separator: " ")
    }

    /// The text as one word of the shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
