/// The two hosts of one environment that sign-in needs: pages for a browser are on one, calls for programs on the
/// other. (Clover: OAuth for high-trust and low-trust apps.)
package struct OAuthEndpoints: Sendable, Hashable {
    /// Where the browser goes, and where the legacy calls are; no slash at the end.
    package let webBaseURL: String
    /// Where tokens are issued, renewed and migrated; no slash at the end.
    package let apiBaseURL: String

    /// Takes the two addresses as they are, less any slashes at their ends.
    package init(webBaseURL: String, apiBaseURL: String) {
        self.webBaseURL = Self.trimmed(webBaseURL)
        self.apiBaseURL = Self.trimmed(apiBaseURL)
    }

    private static func trimmed(_ address: String) -> String {
        var rest = address[...]
        while rest.hasSuffix("/") { rest.removeLast() }
        return String(rest)
    }
}
