import CloverHTTP

/// What the service said through the browser after the person agreed.
package enum AuthorizationAnswer: Equatable, Sendable {
    /// A code that is exchanged for tokens, once and soon.
    case code(AuthorizationCode)
    /// A token itself, in the fragment of the address: the legacy flow without a code.
    case legacyToken(LegacyToken)

    /// How `state` is judged.
    package enum StateRule: Equatable, Sendable {
        /// It must be this one.
        case expect(String)
        /// The same, but an error needs none: the person who was sent there says so, and no service has to repeat it.
        case expectUnlessError(String)
        /// The sign-in was begun elsewhere, by somebody who judges it.
        case ignore
    }

    /// Reads the whole address that the browser was sent to, query and fragment.
    ///
    /// `state` is judged before anything else, so that a stranger's page cannot even cause a wrong error. Clover writes
    /// the merchant as `merchant_id` or `merchantId`.
    ///
    /// - Parameters:
    ///   - appID: refuses an answer for another app; nil accepts any.
    ///   - merchantID: refuses an answer for another merchant; nil accepts any.
    package static func parse(
        redirectedURL: String, state: StateRule, appID: String?, merchantID: String?
    ) throws(SignInError) -> AuthorizationAnswer {
        let redirect = try Redirect(parsing: redirectedURL)
        try check(redirect["state"], state, isError: redirect["error"] != nil)
        if let error = redirect["error"] {
            let description = redirect["error_description"].flatMap { ServiceWords.clean($0, hiding: []) }
            if error == "access_denied" { throw .denied(description: description) }
            throw .serviceError(code: ServiceWords.clean(error, hiding: []) ?? "?", description: description)
        }
        let clientID = redirect["client_id"]
        if let clientID, let appID, clientID != appID {
            throw .otherApp(found: ServiceWords.clean(clientID, hiding: []) ?? "?", expected: appID)
        }
        let found = try merchant(in: redirect, expected: merchantID)
        let employeeID = (redirect["employee_id"] ?? redirect["employeeId"]).flatMap { isIdentifier($0) ? $0 : nil }
        if let text = redirect["code"] {
            let code = AuthorizationCode(
                code: Secret(text), merchantID: found, employeeID: employeeID, clientID: clientID)
            guard Credential.isUsable(code.code) else { throw .unusableCode }
            return .code(code)
        }
        if let text = redirect["access_token"] {
            let token = LegacyToken(
                token: Secret(text), merchantID: found, employeeID: employeeID, clientID: clientID)
            guard Credential.isUsable(token.token) else { throw .unusableCode }
            return .legacyToken(token)
        }
        throw .noCode
    }

    /// Whether the address that a browser was sent to holds this state. Any web page can send a browser to a listener on this
    /// machine, but only the service knows the state.
    package static func holds(state: String, redirectedURL: String) -> Bool {
        redirectedURL.split(whereSeparator: { "?&#".contains($0) }).contains { pair in
            let halves = pair.split(separator: "=", maxSplits: 1)
            return halves.count == 2 && halves[0] == "state" && PercentCoding.decodeQuery(halves[1]) == state
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
        let names = [redirect["merchant_id"], redirect["merchantId"]].compactMap(\.self)
        guard names.allSatisfy(isIdentifier) else { throw .malformedMerchant }
        if Set(names).count > 1 { throw .malformedMerchant }
        if let found = names.first, let expected, found != expected {
            throw .otherMerchant(found: found, expected: expected)
        }
        return names.first
    }

    private static func isIdentifier(_ text: String) -> Bool {
        CredentialKey.isIdentifier(text)
    }
}
