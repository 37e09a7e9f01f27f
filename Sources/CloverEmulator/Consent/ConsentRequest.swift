package struct ConsentRequest: Sendable {
    /// What the redirect carries after approval.
    package enum ResponseType: String, Sendable {
        case code
        /// The token itself, in the fragment; only in the legacy flow.
        case token
    }

    package let clientID: String
    package let merchantID: String
    package let redirectURI: RedirectURI
    package let responseType: ResponseType
    /// What a code for this request represents.
    package private(set) var grant = AuthorizationGrant()
    /// Returned unchanged; nil if the request had none.
    package let state: String?
    /// The request's parameters, unchanged, for the hidden fields of the form.
    package let fields: [(name: String, value: String)]

    /// - Parameters:
    ///   - isLegacy: whether this is the endpoint of the flow used before 2023, which has no code challenge.
    ///   - appIDs: the known clients.
    ///   - merchantIDs: the known merchants; a request without one means the first.
    ///   - siteURLs: the registered Site URLs; empty allows every redirect URI.
    package init(
        _ form: FormFields, isLegacy: Bool, appIDs: [String], merchantIDs: [String], siteURLs: [RedirectURI] = []
    ) throws(ConsentError) {
        var fields: [(name: String, value: String)] = []
        func read(_ name: String) throws(ConsentError) -> String? {
            guard let value = try form.value(name) else { return nil }
            fields.append((name, value))
            return value
        }
        guard let clientID = try read("client_id") else { throw .missing("client_id") }
        guard appIDs.contains(clientID) else { throw .unknownClient }
        guard let address = try read("redirect_uri") else { throw .missing("redirect_uri") }
        guard let redirectURI = RedirectURI(address) else { throw .badRedirectURI }
        if let site = siteURLs.first, !siteURLs.contains(where: { redirectURI.isBelow($0) }) {
            throw .foreignRedirectURI(site: site.text)
        }
        let type = try read("response_type") ?? ResponseType.code.rawValue
        guard let responseType = ResponseType(rawValue: type), isLegacy || responseType == .code else {
            throw .unsupportedResponseType
        }
        guard let merchantID = try read("merchant_id") ?? merchantIDs.first, merchantIDs.contains(merchantID) else {
            throw .unknownMerchant
        }
        let challengeText = isLegacy ? nil : try read("code_challenge")
        if !isLegacy, let method = try read("code_challenge_method") {
            guard method == "S256" else { throw .unsupportedChallengeMethod }
            guard challengeText != nil else { throw .missingChallenge }
        }
        let challenge = challengeText.flatMap { CodeChallenge($0) }
        guard challengeText == nil || challenge != nil else { throw .malformedChallenge }
        self.clientID = clientID
        self.merchantID = merchantID
        self.redirectURI = redirectURI
        self.responseType = responseType
        state = try read("state")
        grant.redirectURI = redirectURI.text
        grant.challenge = challenge
        grant.isLegacy = isLegacy
        grant.includesRefreshToken = try read("no_refresh_token") != "true"
        self.fields = fields
    }
}

/// Why an authorize request is invalid. The browser is not redirected, because an unverified address is no safe target
/// (RFC 6749 section 4.1.2.1).
package enum ConsentError: Error, Sendable, Equatable, CustomStringConvertible {
    case missing(String)
    case repeated(String)
    case unknownClient
    case badRedirectURI
    /// Not below the app's registered Site URL.
    case foreignRedirectURI(site: String)
    case unknownMerchant
    case unsupportedResponseType
    case unsupportedChallengeMethod
    case malformedChallenge
    /// A challenge method without a challenge.
    case missingChallenge
    /// The form was submitted without either button.
    case noDecision

    package var description: String {
        switch self {
        case .missing(let name): "The request has no \(name)."
        case .repeated(let name): "The request has \(name) more than once."
        case .unknownClient: "No app has this client_id."
        case .badRedirectURI: "The redirect_uri is not an absolute http or https address without a fragment."
        case .foreignRedirectURI(let site): "The redirect_uri does not begin with the app's Site URL, \(site)."
        case .unknownMerchant: "No merchant has this merchant_id."
        case .unsupportedResponseType: "The response_type is not supported here."
        case .unsupportedChallengeMethod: "The code_challenge_method is not S256, the only one supported."
        case .malformedChallenge: "The code_challenge is not the base64url form of a SHA-256 (43 characters)."
        case .missingChallenge: "There is a code_challenge_method, but no code_challenge."
        case .noDecision: "The form was sent without a decision."
        }
    }
}

/// The fields of a form or of an authorize query: `application/x-www-form-urlencoded` (RFC 6749 appendix B), where a
/// plus sign means a space.
package struct FormFields: Sendable {
    private let query: QueryString

    package init(_ text: String) {
        query = QueryString(text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20"))
    }

    /// The single value of a field; nil if it is absent.
    ///
    /// - Throws: `ConsentError.repeated`: a parameter must not be repeated (RFC 6749 section 3.1).
    package func value(_ name: String) throws(ConsentError) -> String? {
        let values = query.values(name)
        guard values.count < 2 else { throw .repeated(name) }
        return values.first
    }
}

/// The address that the browser is redirected to with the merchant's decision: an absolute http or https address
/// without a fragment (RFC 6749 section 3.1.2).
package struct RedirectURI: Sendable, Equatable {
    package let text: String

    /// Fails for anything else, and for characters not allowed in a URI (RFC 3986 section 2), which would end up in a
    /// header.
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

    /// Whether scheme, host and port are those of `base`, and the path is its path or below it. A path with `.` or `..`
    /// segments is below nothing: a browser would resolve them (RFC 3986 section 5.2.4).
    package func isBelow(_ base: RedirectURI) -> Bool {
        let (own, other) = (parts, base.parts)
        let steps = own.path.lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/").split(separator: "/")
        guard !steps.contains("."), !steps.contains("..") else { return false }
        guard own.origin == other.origin else { return false }
        let folder = other.path.last == "/" ? String(other.path.dropLast()) : other.path
        return own.path == folder || own.path.hasPrefix(folder + "/") || (folder.isEmpty && own.path.isEmpty)
    }

    /// The normalized origin, and the path without the query.
    private var parts: (origin: String, path: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        var origin = "\(scheme)://\(authority.lowercased())"
        // The default port may be omitted.
        for usual in ["http": ":80", "https": ":443"] where usual.key == scheme && origin.hasSuffix(usual.value) {
            origin.removeLast(usual.value.count)
        }
        return (origin, String(rest.dropFirst(authority.count).prefix { $0 != "?" }))
    }

    /// The address with parameters appended to its query, and with a fragment if given.
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
