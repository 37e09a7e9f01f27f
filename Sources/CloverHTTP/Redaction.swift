/// Takes secrets out of text that is going to be shown.
package enum Redaction {
    /// Query parameters whose values are never shown. We send none of them; a user's own address may hold one.
    private static let secretParameters: Set<String> = [
        "access_token", "client_secret", "code", "code_verifier", "refresh_token", "token", "apikey", "api_key",
    ]

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
            return secretParameters.contains(name.lowercased()) ? "\(name)=(redacted)" : String(pair)
        }
        return text[...mark] + shown.joined(separator: "&")
    }
}
