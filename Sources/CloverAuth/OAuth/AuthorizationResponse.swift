package import CloverHTTP
import CloverSystem

/// The response that the service sends through the browser after the user agreed. Clover's response to the exchange of a
/// code does not name the merchant, so this does.
package struct AuthorizationResponse: Equatable, Sendable {
    package enum Kind: Sendable {
        /// To be exchanged for tokens once, within a minute.
        case code
        /// A token itself, in the fragment of the URL: the legacy flow without a code. It neither expires nor can be
        /// renewed.
        case legacyToken
    }

    package let kind: Kind
    /// The code or token.
    package let secret: Secret
    /// Nil if the URL did not name one, or a bare code was given.
    package let merchantID: String?
    /// Who agreed; only guaranteed in the legacy flow.
    package let employeeID: String?
    /// The app that the code or token is for.
    package let clientID: String?

    package init(
        _ kind: Kind, _ secret: Secret, merchantID: String? = nil, employeeID: String? = nil, clientID: String? = nil
    ) {
        self.kind = kind
        self.secret = secret
        self.merchantID = merchantID
        self.employeeID = employeeID
        self.clientID = clientID
    }

    /// How to check `state`.
    package enum StateRule: Equatable, Sendable {
        /// It must be this value.
        case expect(String)
        /// The same, but an error response need not have it: services do not have to repeat it there.
        case expectUnlessError(String)
        /// The sign-in was started elsewhere, and its initiator checks the state.
        case ignore
    }

    /// Parses the whole redirect URL, query and fragment.
    ///
    /// `state` is checked first, so that a foreign page cannot even cause a misleading error. Clover sends the merchant
    /// as `merchant_id` or `merchantId`.
    ///
    /// - Parameters:
    ///   - appID: the only app to accept; nil accepts any.
    ///   - merchantID: the only merchant to accept; nil accepts any.
    package static func parse(
        redirectedURL: String, state: StateRule, appID: String?, merchantID: String?
    ) throws(SignInError) -> AuthorizationResponse {
        let redirect = try Redirect(parsing: redirectedURL)
        try check(redirect["state"], state, isError: redirect["error"] != nil)
        if let error = redirect["error"] {
            let description = redirect["error_description"].flatMap { OAuthErrorParser.clean($0, hiding: []) }
            if error == "access_denied" { throw .denied(description: description) }
            throw .serviceError(code: OAuthErrorParser.clean(error, hiding: []) ?? "?", description: description)
        }
        let clientID = redirect["client_id"]
        if let clientID, let appID, clientID != appID {
            throw .otherApp(found: OAuthErrorParser.clean(clientID, hiding: []) ?? "?", expected: appID)
        }
        let found = try merchant(in: redirect, expected: merchantID)
        let employeeID = redirect["employee_id"] ?? redirect["employeeId"]
        guard let text = redirect["code"] ?? redirect["access_token"] else { throw .noCode }
        let secret = Secret(text)
        guard Credential.isUsable(secret) else { throw .unusableCode }
        return AuthorizationResponse(
            redirect["code"] == nil ? .legacyToken : .code, secret, merchantID: found,
            employeeID: employeeID.flatMap { CredentialKey.isIdentifier($0) ? $0 : nil }, clientID: clientID)
    }

    /// Whether the redirect URL contains this state. Any web page can send a browser to a listener on this machine, but
    /// only the service knows the state.
    package static func holds(state: String, redirectedURL: String) -> Bool {
        redirectedURL.split(whereSeparator: { "?&#".contains($0) }).contains { pair in
            let halves = pair.split(separator: "=", maxSplits: 1)
            return halves.count == 2 && halves[0] == "state"
                && PercentCoding.decode(halves[1], isQuery: true) == state
        }
    }

    private static func check(_ found: String?, _ rule: StateRule, isError: Bool) throws(SignInError) {
        let expected: String
        switch rule {
        case .ignore: return
        case .expectUnlessError where isError && found == nil: return
        case .expect(let state), .expectUnlessError(let state): expected = state
        }
        guard let found else { throw .missingState }
        guard found == expected else { throw .wrongState }
    }

    private static func merchant(in redirect: Redirect, expected: String?) throws(SignInError) -> String? {
        let names = Set([redirect["merchant_id"], redirect["merchantId"]].compactMap(\.self))
        guard names.count <= 1, names.allSatisfy(CredentialKey.isIdentifier) else { throw .malformedMerchant }
        if let found = names.first, let expected, found != expected {
            throw .otherMerchant(found: found, expected: expected)
        }
        return names.first
    }
}

/// Why a redirect URL is not a sign-in. Facts only; the service's texts are truncated and cleaned, and no case contains
/// a code or a token.
package enum SignInError: Error, Equatable, Sendable {
    /// Not 43 to 128 letters, digits and `-._~` (RFC 7636, section 4.1).
    case malformedVerifier
    case notARedirect
    /// A parameter of the query or fragment cannot be decoded; its name, or `?` if that is unreadable too.
    case malformedParameter(String)
    /// A significant parameter occurs twice (RFC 6749, section 3.1).
    case repeatedParameter(String)
    case missingState
    case wrongState
    case denied(description: String?)
    /// The service sent another error (RFC 6749, section 4.1.2.1).
    case serviceError(code: String, description: String?)
    case otherApp(found: String, expected: String)
    case otherMerchant(found: String, expected: String)
    case malformedMerchant
    case noCode
    case unusableCode
}

extension SignInError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformedVerifier: "the code verifier is not 43 to 128 letters, digits, '-', '.', '_' or '~'"
        case .notARedirect: "this is not the address that a browser shows after signing in"
        case .malformedParameter(let name): "the address has a malformed parameter '\(name)'"
        case .repeatedParameter(let name): "the address has the parameter '\(name)' twice"
        case .missingState: "the address lacks the 'state' that this sign-in sent"
        case .wrongState: "the address belongs to another sign-in: its 'state' is not the one that this sign-in sent"
        case .denied(let description): "access was denied" + Self.appendix(description)
        case .serviceError(let code, let description):
            "the service returned the error '\(code)'" + Self.appendix(description)
        case .otherApp(let found, let expected): "the response is for app \(found), not for app \(expected)"
        case .otherMerchant(let found, let expected):
            "the response is for merchant \(found), not for merchant \(expected)"
        case .malformedMerchant: "the address does not clearly identify its merchant"
        case .noCode: "the address contains neither a code nor a token"
        case .unusableCode: "the code or token cannot be used: it is empty, too long, or contains unusual characters"
        }
    }

    private static func appendix(_ description: String?) -> String {
        description.map { ": " + $0 } ?? ""
    }
}
