package import CloverHTTP
import CloverJSON

/// A failure as it is reported, whether it ends the program or is one of many in its output.
package struct FailureDetails: Sendable, Equatable {
    /// Stable identifier for programs, such as `not_found`.
    package var code: String
    package var status: Int32
    package var message: String
    /// What to do next, one line each.
    package var hints: [String]
    /// HTTP status of the response, if there was one.
    package var http: Int?
    package var path: String?
    /// Clover's own id of the request, in `X-Clover-Request-Id`.
    package var requestID: String?
    /// The other software's own name for the error; nil for our own errors.
    package var foreign: ExternalError?
    /// Number of the input line that failed, in a run over many lines.
    package var line: Int?

    package init(code: String, status: Int32, message: String, hints: [String], http: Int?, path: String?) {
        self.code = code
        self.status = status
        self.message = message
        self.hints = hints
        self.http = http
        self.path = path
    }

    package func masked(by mask: SecretMask) -> FailureDetails {
        var facts = self
        facts.message = mask.masked(message)
        facts.hints = hints.map(mask.masked)
        facts.path = path.map(mask.masked)
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
        if let requestID { object.add("requestId", requestID) }
        if !hints.isEmpty { object.add("hint", hints.joined(separator: "\n")) }
        return object.text
    }
}

/// The name that another company's software gives an error.
package struct ExternalError: Sendable, Equatable {
    /// Such as `SCCErrorDomain`.
    package var domain: String
    /// Number of the error; nil where errors have no numbers.
    package var number: Int?
    package var name: String

    package init(domain: String, number: Int?, name: String) {
        self.domain = domain
        self.number = number
        self.name = name
    }
}
