/// What a server or libpq says of a statement or a connection that failed.
package struct PostgreSQLFailure: Error, Equatable {
    /// SQLSTATE (PostgreSQL: error codes); empty when libpq itself says it.
    package var code: String
    package var message: String
    /// Whether the connection is gone.
    var isLost: Bool

    init(code: String, message: String, isLost: Bool) {
        self.code = code
        self.message = message
        self.isLost = isLost
    }

    /// From libpq's text about a connection that failed, which has SQLSTATE only as `FATAL:  28P01: ...`.
    init(connecting text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { String($0) }
        // With several addresses each has its line; the last one says most.
        let line = lines.last { !$0.hasPrefix("LOCATION:") && !$0.hasPrefix("\t") } ?? ""
        var (code, message) = ("", line.trimmedLine)
        // `... failed: FATAL:  28P01: password authentication failed ...`
        for mark in ["FATAL:  ", "ERROR:  "] {
            guard let found = line.ranges(of: mark).first else { continue }
            let rest = line[found.upperBound...]
            guard rest.dropFirst(5).hasPrefix(": ") else { continue }
            code = String(rest.prefix(5))
            message = String(rest.dropFirst(5 + 2)).trimmedLine
        }
        self.init(code: code, message: message, isLost: true)
    }

    /// - Parameter isConnecting: whether the connection was not there yet.
    package func error(path: String, isConnecting: Bool = false) -> TableError {
        switch code {
        case "28000", "28P01": return .refused(path: path, message: message, needsPassword: false)
        case "3D000": return .missing(path: path)
        case "42501": return .notAllowed(path: path, message: message)
        case "53100": return .full(path: path)
        case "25006": return .readOnly(path: path)
        case "40001", "40P01", "55P03", "57014": return .busy(path: path)
        // The server starts, stops, lacks something for a while, or its device has an error.
        case "53000", "53200", "53300", "53400", "58030", "57P01", "57P02", "57P03", "57P05", "25P03":
            return .away(path: path, message: message)
        default: break
        }
        if code.hasPrefix("08") { return .away(path: path, message: message) }
        if isConnecting, code.isEmpty, ["certificate", "SSL", "GSSAPI"].contains(where: message.contains) {
            return .notSecure(path: path, message: message)
        }
        if isLost { return .away(path: path, message: message) }
        return .failed(path: path, code: code, message: message)
    }
}
