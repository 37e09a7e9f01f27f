import CloverSystem

/// A parsed redirect URL: the parameters of query and fragment together.
struct Redirect {
    private let parameters: [String: String]

    /// Significant parameters; each may occur once.
    private static let single: Set<String> = [
        "code", "access_token", "state", "error", "client_id", "merchant_id", "merchantId",
    ]
    private static let sizeLimit = 16_384

    /// Parses a whole URL; surrounding white space, as left by pasting, is ignored.
    init(parsing text: String) throws(SignInError) {
        let bare = Self.trimmed(text)
        guard bare.utf8.count <= Self.sizeLimit, bare.contains(where: { $0 == "?" || $0 == "#" }),
            !bare.contains(where: \.isWhitespace)
        else { throw .notARedirect }
        // The legacy flow puts its token into the fragment, formatted as a query.
        let head = bare.prefix { $0 != "#" }
        let query = head.drop { $0 != "?" }.dropFirst()
        let fragment = bare[head.endIndex...].dropFirst()
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") + fragment.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(halves[0], isQuery: true) else { throw .malformedParameter("?") }
            let isSingle = Self.single.contains(name)
            guard let value = PercentCoding.decode(halves.count == 2 ? halves[1] : "", isQuery: true) else {
                if isSingle { throw .malformedParameter(name) }
                continue
            }
            if isSingle, parameters[name] != nil { throw .repeatedParameter(name) }
            parameters[name] = value
        }
        self.parameters = parameters
    }

    /// The value of a parameter; nil if it is absent or empty.
    subscript(name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }

    static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}

/// Checks a redirect URL: an absolute http or https URL without a fragment (RFC 6749 section 3.1.2; Clover's dashboard
/// accepts no other schemes).
package enum RedirectAddress {
    /// Why a text is not a valid redirect URL.
    package enum Fault: Error, Equatable, Sendable {
        /// A space, a control character, or another character not allowed in URLs.
        case unusualCharacter
        case fragment
        /// It does not begin with `http://` or `https://`.
        case noScheme
        /// A name or password before the host, which browsers hide or refuse.
        case userInformation
        case noHost
        case badPort
    }

    /// Characters that must be escaped in URLs (RFC 3986 section 2).
    private static let forbidden = Set("\"<>\\^`{|}".utf8)

    package static func check(_ text: String) throws(Fault) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) }) else {
            throw .unusualCharacter
        }
        guard !text.contains("#") else { throw .fragment }
        let lowered = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowered.hasPrefix) else { throw .noScheme }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .userInformation }
        // The host may be an IPv6 address in brackets, which itself contains colons.
        let hostEnd = authority.lastIndex(of: "]").map { authority.index(after: $0) }
        let host = hostEnd.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
        guard !host.isEmpty, host != "[]" else { throw .noHost }
        let port = authority[host.endIndex...]
        guard port.isEmpty || port.first == ":" && (port.count == 1 || UInt16(port.dropFirst()) != nil) else {
            throw .badPort
        }
    }
}

extension RedirectAddress.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unusualCharacter: "it contains a space or another character that is not allowed in URLs"
        case .fragment: "it contains a fragment (#), which the response itself needs"
        case .noScheme: "it does not start with http:// or https://"
        case .userInformation: "it contains a user name (@)"
        case .noHost: "it has no host"
        case .badPort: "its port is not a number from 0 to 65535"
        }
    }
}
