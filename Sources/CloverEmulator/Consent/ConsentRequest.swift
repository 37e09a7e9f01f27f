/// A checked authorize request.
package struct ConsentRequest: Sendable {
    /// What the redirect carries after a yes.
    package enum ResponseType: String, Sendable {
        case code
        /// The token itself, in the fragment; legacy flow only.
        case token
    }

    package let clientID: String
    package let merchantID: String
    package let redirectURI: RedirectURI
    package let responseType: ResponseType
    package let challenge: CodeChallenge?
    /// Comes back as it was sent; nil when none was.
    package let state: String?
    package let isLegacy: Bool
    package let includesRefreshToken: Bool
    /// The request's parameters as they came, for the hidden fields of the form.
    package let fields: [(name: String, value: String)]

    /// - Parameters:
    ///   - isLegacy: the address of the flow of before 2023, which knows no challenge.
    ///   - appIDs: the clients that there are.
    ///   - merchantIDs: the merchants that there are; a request that names none means the first.
    ///   - siteURLs: where the apps' owners say that they are; empty takes every redirect address.
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
        self.challenge = challenge
        state = try read("state")
        includesRefreshToken = try read("no_refresh_token") != "true"
        self.isLegacy = isLegacy
        self.fields = fields
    }

    /// What a code for this request stands for.
    package var grant: AuthorizationGrant {
        AuthorizationGrant(
            redirectURI: redirectURI.text, challenge: challenge, isLegacy: isLegacy,
            includesRefreshToken: includesRefreshToken)
    }
}
