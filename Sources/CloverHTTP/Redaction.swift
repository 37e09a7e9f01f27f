/// Takes secrets out of text that is going to be shown.
package enum Redaction {
    /// Words in the name of a query parameter whose value is not shown. We send none of them; a user's own may.
    private static let secretWords = ["token", "secret", "password", "passwd", "key", "code", "pin", "signature"]

    private static func isSecret(_ name: String, _ pair: Substring) -> Bool {
        if secretWords.contains(where: { name.contains($0) }) { return true }
        // An employee's PIN is one of the fields that can be filtered by.
        return name == "filter" && pair.dropFirst(name.count + 1).lowercased().hasPrefix("pin")
    }

    /// Header fields whose values are secrets.
    private static let secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-clover-auth",
    ]

    /// The value of a header field as it may be shown: without secrets, also those in an address.
    package static func header(_ header: HTTPHeader) -> String {
        let name = header.name.lowercased()
        // `X-RateLimit-tokenLimit` is no token.
        let isSecret =
            secretHeaders.contains(name) || name.hasSuffix("token") || name.contains("secret")
            || name.contains("api-key") || name.contains("apikey") || name.contains("password")
        guard isSecret else { return header.value.contains("://") ? url(header.value) : header.value }
        let scheme = header.value.prefix { $0 != " " }
        return name.hasSuffix("authorization") && scheme != header.value ? "\(scheme) (redacted)" : "(redacted)"
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
            return isSecret(name.lowercased(), pair) ? "\(name)=(redacted)" : String(pair)
        }
        return text[...mark] + shown.joined(separator: "&")
    }
}
