/// Takes secrets out of text that is going to be shown.
package enum Redaction {
    /// Words in the name of a query parameter whose value is not shown. We send none of them; a user's own may.
    private static let secretWords = ["token", "secret", "password", "passwd", "key", "code", "signature"]

    private static func isSecret(_ name: Substring, _ pair: Substring) -> Bool {
        let lowered = name.lowercased()
        if SensitiveName.isSensitive(name) || secretWords.contains(where: { lowered.contains($0) }) { return true }
        // An employee's PIN is one of the fields that can be filtered by.
        guard lowered == "filter" else { return false }
        let field = pair.dropFirst(name.count + 1).prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
        return field.split(separator: ".").last.map { SensitiveName.isSensitive($0) } ?? false
    }

    /// Header fields whose values are secrets.
    private static let secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-clover-auth",
    ]

    /// Whether the value of a header field of this name is a secret.
    package static func isSecretHeader(_ name: String) -> Bool {
        let lowered = name.lowercased()
        // `X-RateLimit-tokenLimit` is no token.
        return secretHeaders.contains(lowered) || SensitiveName.isSensitive(name) || lowered.contains("secret")
            || lowered.contains("api-key") || lowered.contains("apikey") || lowered.contains("password")
            || lowered.split(separator: "-").contains("auth")
    }

    /// The value of a header field as it may be shown: without secrets, also those in an address.
    package static func header(_ header: HTTPHeader) -> String {
        guard isSecretHeader(header.name) else {
            return header.value.contains("://") ? url(header.value) : header.value
        }
        let scheme = header.value.prefix { $0 != " " }
        let hasScheme = header.name.lowercased().hasSuffix("authorization") && scheme != header.value
        return hasScheme ? "\(scheme) (redacted)" : "(redacted)"
    }

    /// What `url(_:)` takes out of the query, decoded; of a filter, what is behind its operator.
    package static func secretValues(ofURL text: String) -> [String] {
        guard let mark = text.firstIndex(of: "?") else { return [] }
        return text[text.index(after: mark)...].split(separator: "&").compactMap { pair in
            let name = pair.prefix { $0 != "=" }
            guard isSecret(name, pair) else { return nil }
            let value = decoded(pair.dropFirst(name.count + 1))
            guard name.lowercased() == "filter" else { return value }
            return String(value.drop { !"=<>! ".contains($0) }.drop { "=<>! ".contains($0) })
        }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A URL without user information and without the values of secret parameters.
    package static func url(_ text: String) -> String {
        var text = text
        if let scheme = text.firstRange(of: "://") {
            let rest = text[scheme.upperBound...]
            let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if let at = authority.lastIndex(of: "@") {
                text = text[..<scheme.upperBound] + "(redacted)" + text[at...]
            }
        }
        guard let mark = text.firstIndex(of: "?") else { return text }
        let query = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = query.map { pair -> String in
            let name = pair.prefix { $0 != "=" }
            return isSecret(name, pair) ? "\(name)=(redacted)" : String(pair)
        }
        return text[...mark] + shown.joined(separator: "&")
    }
}
