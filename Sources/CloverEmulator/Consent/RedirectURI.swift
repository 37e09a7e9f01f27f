/// Where a browser is sent with the merchant's answer: an absolute http or https address without a fragment (RFC 6749
/// section 3.1.2).
package struct RedirectURI: Sendable, Equatable {
    package let text: String

    /// Nil for anything else, and for characters no address has (RFC 3986 section 2), which would get into a header.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let forbidden = Set("\"<>\\^`{|}#".utf8)
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) }) else { return nil }
        guard let mark = text.firstIndex(of: ":"), text[mark...].hasPrefix("://"),
            ["http", "https"].contains(text[..<mark].lowercased())
        else { return nil }
        let authority = text[text.index(mark, offsetBy: 3)...].prefix { $0 != "/" && $0 != "?" }
        guard let host = authority.split(separator: "@", omittingEmptySubsequences: false).last, !host.isEmpty,
            host.first != ":"
        else { return nil }
        self.text = text
    }

    /// Whether scheme, host and port are those of `base`, and the path is its path or one below it. One with `.` or `..`
    /// among its parts is below nothing: a browser would go elsewhere (RFC 3986 section 5.2.4).
    package func isBelow(_ base: RedirectURI) -> Bool {
        let (own, other) = (parts, base.parts)
        let steps = own.path.lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/").split(separator: "/")
        guard !steps.contains("."), !steps.contains("..") else { return false }
        guard own.origin == other.origin else { return false }
        let folder = other.path.last == "/" ? String(other.path.dropLast()) : other.path
        return own.path == folder || own.path.hasPrefix(folder + "/") || (folder.isEmpty && own.path.isEmpty)
    }

    /// The origin in one spelling, and the path without the query.
    private var parts: (origin: String, path: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        var origin = "\(scheme)://\(authority.lowercased())"
        // The usual port need not be said.
        for usual in ["http": ":80", "https": ":443"] where usual.key == scheme && origin.hasSuffix(usual.value) {
            origin.removeLast(usual.value.count)
        }
        return (origin, String(rest.dropFirst(authority.count).prefix { $0 != "?" }))
    }

    /// The address with parameters added behind its own query, and a fragment where one is given.
    package func adding(_ parameters: [(name: String, value: String)], fragment: String? = nil) -> String {
        let added = parameters.map { "\($0.name)=\(QueryString.encode($0.value))" }.joined(separator: "&")
        var result = text
        if !text.contains("?") {
            result += "?"
        } else if text.last != "?", text.last != "&" {
            result += "&"
        }
        result += added
        if let fragment { result += "#\(fragment)" }
        return result
    }
}
