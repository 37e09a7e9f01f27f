package import CloverHTTP

/// A failure as it is reported: one that ends the program, or one of many in its output.
package struct FailureFacts: Sendable, Equatable {
    /// A stable word for programs, such as `not_found`.
    package var code: String
    /// The exit status.
    package var status: Int32
    package var message: String
    /// The next thing to do, a line each.
    package var hints: [String]
    /// The service's status, when it answered.
    package var http: Int?
    /// The path that was asked for.
    package var path: String?
    /// What the software that it is about calls it; nil for our own errors.
    package var foreign: ForeignError?
    /// The line of the input that failed, of a run over many.
    package var line: Int?

    package init(code: String, status: Int32, message: String, hints: [String], http: Int?, path: String?) {
        self.code = code
        self.status = status
        self.message = message
        self.hints = hints
        self.http = http
        self.path = path
    }

    /// The same without any of these secrets.
    package func masked(by mask: SecretMask) -> FailureFacts {
        var facts = FailureFacts(
            code: code, status: status, message: mask.masked(message), hints: hints.map(mask.masked), http: http,
            path: path.map(mask.masked))
        facts.foreign = foreign
        return facts
    }

    /// As JSON: `{"code":...,"status":...,"message":...}`.
    package var json: String {
        var object = JSONLine()
        if let line { object.add("line", Int64(line)) }
        object.add("code", code)
        object.add("status", Int64(status))
        if let foreign {
            object.add("domain", foreign.domain)
            object.add("number", foreign.number.map { Int64($0) })
            object.add("name", foreign.name)
        }
        object.add("message", message)
        if let http { object.add("http", Int64(http)) }
        if let path { object.add("path", path) }
        if !hints.isEmpty { object.add("hint", hints.joined(separator: "\n")) }
        return object.text
    }
}
