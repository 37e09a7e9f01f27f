import CloverTestSupport
import Testing

/// Where a sign-in goes: the emulator itself, or a relay in front of it.
struct SignInService: Sendable {
    let url: String
    let appID: String
    let appSecret: String
    let merchantID: String

    init(_ emulator: EmulatorProcess, at url: String? = nil) {
        self.url = url ?? emulator.url
        appID = emulator.appID
        appSecret = emulator.appSecret
        merchantID = emulator.merchantID
    }

    /// One of several apps and merchants.
    init(_ emulator: EmulatorProcess, appID: String, merchantID: String) {
        url = emulator.url
        self.appID = appID
        appSecret = emulator.appSecret
        self.merchantID = merchantID
    }

    /// The address that a browser would be sent to after the merchant agreed.
    func approvedAddress(
        challenge: String? = KnownProof.challenge, redirect: String = "http://127.0.0.1:1/callback",
        state: String? = nil, legacyType: String? = nil
    ) async throws -> String {
        var query = ["client_id=\(appID)", "redirect_uri=\(redirect)", "merchant_id=\(merchantID)"]
        if let challenge { query += ["code_challenge=\(challenge)", "code_challenge_method=S256"] }
        if let state { query.append("state=\(state)") }
        if let legacyType { query.append("response_type=\(legacyType)") }
        let path = legacyType == nil ? "/oauth/v2/authorize" : "/oauth/authorize"
        let redirect = try await Visitor.redirect(of: url + path + "?" + query.joined(separator: "&"))
        return try #require(redirect)
    }
}
