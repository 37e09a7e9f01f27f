/// The proxy that libcurl takes from the environment (libcurl-env(3)).
struct ProxyVariables: Sendable {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The proxy for a URL, without a name and password; nil when it is reached directly, as plain http always is.
    func proxy(for url: String) -> String? {
        guard url.hasPrefix("https://") else { return nil }
        let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        guard let text = names.lazy.compactMap({ variables.nonEmpty($0) }).first, !isExempt(Self.host(of: url)) else {
            return nil
        }
        let bare = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text[...]
        let scheme =
            bare.startIndex == text.startIndex ? "" : text.firstRange(of: "://").map { text[..<$0.upperBound] } ?? ""
        return String(scheme + bare)
    }

    /// Names match themselves and what ends with them after a dot; `*` is everything.
    private func isExempt(_ host: String) -> Bool {
        let list = variables.nonEmpty("no_proxy") ?? variables.nonEmpty("NO_PROXY") ?? ""
        return list.split { $0 == "," || $0 == " " }.contains { entry in
            let name = entry.drop { $0 == "." }.lowercased()
            return entry == "*" || host == name || host.hasSuffix("." + name)
        }
    }

    /// The host of a URL, without a port and the brackets of an address.
    static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { $0 != "/" }
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return authority.prefix { $0 != ":" }.lowercased()
    }
}
