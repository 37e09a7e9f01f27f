import CloverAPI
import CloverAuth
import CloverConfiguration
import CloverHTTP

extension CommandEnvironment {
    /// Where credentials are kept.
    func credentialStore() throws -> any CredentialStore {
        let diagnostics = diagnostics
        return try makeCredentialStore { key in
            diagnostics.notice(
                "waiting for another process that works on the tokens of merchant \(key.merchantID) (\(key.environment))"
            )
        }
    }

    /// The names of sign-ins.
    func profiles() throws -> ProfileBook {
        ProfileBook(state: try stateDirectory())
    }

    /// The kept credential; nil when there is none. That its tokens are gone from the keyring is told with its name.
    func credential(_ key: CredentialKey) async throws -> Credential? {
        do {
            return try await credentialStore().load(key)
        } catch CredentialError.missingInKeyring(let key) {
            throw await CoreError.tokens(.credential(.missingInKeyring(key)), of: key, in: self)
        }
    }

    /// Says what became of tokens in a keyring that could not be reached when others took their place.
    func noteLeftover(_ leftover: CredentialError?) {
        guard let leftover else { return }
        var text = "\(leftover)"
        if case .leftInKeyring(_, let item, _) = leftover { text += "; " + CredentialError.laterRemoval(of: item) }
        diagnostics.notice("the former " + text)
    }

    /// Says that a kept credential is not what commands use, where that is so.
    func noteOverridingToken() {
        guard variables.nonEmpty("CLOVER_ACCESS_TOKEN") != nil else { return }
        diagnostics.notice("CLOVER_ACCESS_TOKEN is set, and commands without --profile go on using it")
    }

    /// Says that a variable or the configuration file goes before the choice of this credential, where it means another one.
    func noteOverridingConfiguration(_ key: CredentialKey, profile: String?) throws {
        if let name = variables.nonEmpty("CLOVER_PROFILE") {
            guard name != profile else { return }
            return diagnostics.notice("CLOVER_PROFILE is set to '\(name)', and commands go on using that")
        }
        guard let document = try configuration() else { return }
        let common = document.common
        let other: ConfigurationKey?
        if let name = common[.profile]?.text {
            other = name == profile ? nil : .profile
        } else if let text = common[.environment]?.text, try ServiceEnvironment(parsing: text).name != key.environment {
            other = .environment
        } else if let merchantID = common[.merchant]?.text, merchantID != key.merchantID {
            other = .merchant
        } else {
            other = nil
        }
        guard let other, let entry = common[other] else { return }
        diagnostics.notice(
            "\(document.path) line \(entry.line) says '\(other.name): \(entry.text)', and commands go on using that")
    }

    /// What asks the service for tokens.
    func oauthClient(_ endpoints: OAuthEndpoints, certificateFile: String?) -> OAuthClient {
        let teller = PauseTeller(diagnostics, clock)
        return OAuthClient(
            endpoints: endpoints, transport: transport(TransportChoice(certificateFile: certificateFile)),
            clock: clock, sleep: sleep, onPause: { teller.waits(limit: "429", seconds: $0) })
    }

    /// What renews the tokens of `key`: once, for all processes.
    ///
    /// - Parameter profile: the name that the sign-in goes by, where it is known, for what is said on the way.
    func tokenRefresher(
        for key: CredentialKey, profile: String?, certificateFile: String?
    ) throws -> TokenRefresher {
        let service = try ServiceEnvironment(parsing: key.environment)
        let diagnostics = diagnostics
        let criticalWork = criticalWork
        return TokenRefresher(
            store: try credentialStore(),
            client: oauthClient(
                OAuthEndpoints(webBaseURL: service.webBaseURL, apiBaseURL: service.apiBaseURL),
                certificateFile: certificateFile),
            clock: clock,
            onLoad: { credential in
                diagnostics.mask.hide(credential.accessToken)
                if let token = credential.refreshToken { diagnostics.mask.hide(token) }
            },
            onNotice: { notice in
                switch notice {
                case .asking: criticalWork.begin()
                case .asked: criticalWork.end()
                default: break
                }
                if let problem = TokenNoticeText.problem(notice, profile: profile) { diagnostics.notice(problem) }
                if let detail = TokenNoticeText.detail(notice) { diagnostics.detail(detail) }
            })
    }
}
