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

    package init(code: String, status: Int32, message: String, hints: [String], http: Int?, path: String?) {
        self.code = code
        self.status = status
        self.message = message
        self.hints = hints
        self.http = http
        self.path = path
    }

    /// As JSON: `{"code":...,"status":...,"message":...}`.
    package var json: String {
        var line = JSONLine()
        line.add("code", code)
        line.add("status", Int64(status))
        line.add("message", message)
        if let http { line.add("http", Int64(http)) }
        if let path { line.add("path", path) }
        if !hints.isEmpty { line.add("hint", hints.joined(separator: "\n")) }
        return line.text
    }
}
