/// Where a browser is sent with the answer: an absolute http or https address without a fragment (RFC 6749
/// section 3.1.2; Clover's dashboard takes no other schemes).
package enum RedirectAddress {
    /// Why a text is no such address.
    package enum Fault: Error, Equatable, Sendable {
        /// A space, a control character, or another that no address has.
        case unusualCharacter
        case fragment
        /// It does not begin with `http://` or `https://`.
        case noScheme
        /// A name or password before the host, which browsers hide or refuse.
        case userInformation
        case noHost
        case badPort
    }

    /// Characters that stand in no address unescaped (RFC 3986 section 2).
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
        // The host may be an IPv6 address in brackets, which has colons of its own.
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
        case .unusualCharacter: "it holds a space or another character that no address has"
        case .fragment: "it holds a fragment (#), which the answer needs for itself"
        case .noScheme: "it does not begin with http:// or https://"
        case .userInformation: "it holds a user name (@)"
        case .noHost: "it names no host"
        case .badPort: "its port is no number from 0 to 65535"
        }
    }
}
