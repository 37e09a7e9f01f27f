/// Takes secrets out of text that is going to be shown.
package enum Redaction {
    /// Words in the name of a query parameter whose value is not shown. We send none of them; a user's own may.
    private static let secretWords = ["token", "secret", "password", "passwd", "key", "code", "pin", "signature"]

    private static func isSecret(_ name: String, _ pair: Substring) -> Bool {
        if secretWords.contains(where: { name.contains($0) }) { return true }
        // An employee's PIN is one of the fields that can be filtered by.
        return name == "filter" && pair.dropFirst(name.count + 1).lowercased().hasPrefix("pin")
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
