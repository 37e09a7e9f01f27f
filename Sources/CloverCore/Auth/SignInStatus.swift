import CloverAPI
package import CloverAuth
import CloverConfiguration
import CloverHTTP

/// `auth status`: the merchant that this machine is signed in to. Sends no request.
package struct SignInStatus: Sendable, Equatable {
    package var profile: String?
    /// Nil if there is no sign-in.
    package var key: CredentialKey?
    /// The key's environment or, without a key, the one that would be used; nil if that is open.
    package var environment: String?
    package var employeeID: String?
    package var kind: Credential.Kind?
    package var source: Source?
    /// Whether there is a token that the service may still accept or that can be renewed.
    package var isLoggedIn: Bool
    /// The problem with the sign-in; nil if there is none.
    package var reason: Reason?
    /// Expiration in seconds since 1970 by the service's clock; nil if unknown.
    package var accessTokenExpires: Int64?
    package var refreshTokenExpires: Int64?
    /// Remaining lifetime of the access token in seconds, as a renewal judges it; nil if unknown.
    package var secondsLeft: Double?
    /// Whether the next request renews the access token first.
    package var isRefreshDue = false
    /// Whether the access token can be renewed, as far as known locally; nil if there is no readable token.
    package var isRenewable: Bool?
    /// Whether commands use this credential by default.
    package var isCurrent = false

    package enum Source: String, Sendable {
        /// `CLOVER_ACCESS_TOKEN`.
        case environment
        /// A private file in the state directory.
        case cache
        case keyring
    }

    package enum Reason: Sendable, Equatable {
        case notSignedIn
        /// The access token expired, and there is no refresh token.
        case expired
        /// Both tokens expired by this machine's clock; the next renewal asks the service.
        case endedByClock
        /// The refresh token expired by this machine's clock. The access token works until it expires, in seconds since
        /// 1970 by the service's clock; nil if that is unknown.
        case refreshTokenEnded(until: Int64?)
        /// The service refused a renewal, at this time in milliseconds since 1970. The access token works until it expires,
        /// in seconds since 1970 by the service's clock.
        case lastToken(refusedAt: Int64, until: Int64?)
        /// The service accepts neither the access token nor the refresh token, as a check showed.
        case notAccepted
        /// The service accepts no request with this token, as a check showed; the cause is unknown.
        case unclear
        /// The service accepts no request with a token that it has just issued, as a check showed.
        case withoutPermissions
        /// A renewal began at this time in milliseconds since 1970, and its outcome is still unknown.
        case unsettled(at: Int64)
        /// The tokens are in the keyring, which cannot be used.
        case keyringUnusable(SecretVaultError)
        /// The tokens were in the keyring, and are gone from it.
        case goneFromKeyring
        /// There are several sign-ins, described as `MERCHANT (environment)`, and none was chosen.
        case noneChosen([String])
        /// The service refused a renewal, at this time in milliseconds since 1970.
        case refused(at: Int64)
        /// The service refused a renewal, at this time in milliseconds since 1970, and accepts the access token for nothing.
        case dead(refusedAt: Int64)
        /// The response with the new tokens was lost, at this time in milliseconds since 1970.
        case lost(at: Int64)
    }

    /// Whether the service is on record as accepting the access token for nothing and refusing to renew it.
    package var isDead: Bool { if case .dead = reason { true } else { false } }

    package static func current(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> SignInStatus {
        if let credential = try await choice.staticCredential(in: environment) {
            return SignInStatus(
                key: credential.key, environment: credential.key.environment, kind: credential.kind,
                source: .environment, isLoggedIn: true, isRenewable: false, isCurrent: true)
        }
        let key: CredentialKey?
        do {
            key = try await choice.key(in: environment)
        } catch CoreError.severalCredentials(let names) {
            return SignInStatus(
                environment: try await configuredService(choice, in: environment)?.name, isLoggedIn: false,
                reason: .noneChosen(names))
        }
        guard let key, var status = try await kept(key, in: environment)?.status else {
            return SignInStatus(
                environment: (try await configuredService(choice, in: environment) ?? .us).name, isLoggedIn: false,
                reason: .notSignedIn)
        }
        // A credential may have several names; show the requested one.
        status.profile = try await choice.completed(in: environment).profile ?? status.profile
        return status
    }

    /// The environment from the choice or the settings; nil if none is named.
    private static func configuredService(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> ServiceEnvironment? {
        var choice = choice
        if choice.environment == nil {
            choice.environment = try await environment.settings(for: choice).value(of: .environment)?.text
        }
        return try choice.service()
    }

    /// The status updated with the result of a check.
    package func checked(_ result: TokenCheck.Result) -> SignInStatus {
        var status = self
        switch result.verdict {
        case .accepted: return self
        case .withoutPermissions: if status.reason == nil { status.reason = .withoutPermissions }
        case .unclear, .notAccepted:
            status.isLoggedIn = false
            switch status.reason {
            case nil, .refreshTokenEnded: status.reason = result.verdict == .unclear ? .unclear : .notAccepted
            case .lastToken(let at, _): status.reason = .dead(refusedAt: at)
            default: break
            }
        }
        return status
    }

    /// The status of the key's credential, and the error if its tokens cannot be read from the keyring, so that they cannot
    /// be used now; nil if there is no credential.
    package static func kept(
        _ key: CredentialKey, in environment: CommandEnvironment
    ) async throws -> (status: SignInStatus, error: CredentialError?)? {
        let store = try environment.credentialStore()
        var credential: Credential?
        var failure: (reason: Reason, error: CredentialError)?
        do throws(CredentialError) {
            credential = try await store.load(key)
        } catch {
            switch error {
            case .keyring(_, let cause): failure = (.keyringUnusable(cause), error)
            case .missingInKeyring: failure = (.goneFromKeyring, error)
            default: throw error
            }
        }
        if let credential { return (try await of(credential, in: environment), nil) }
        guard let failure, let outline = try await store.outline(key) else { return nil }
        let current = try await store.currentChoice()
        let status = SignInStatus(
            profile: try await environment.profiles().name(of: key, preferring: current), key: key,
            environment: key.environment, employeeID: outline.employeeID, kind: outline.kind, source: .keyring,
            isLoggedIn: false, reason: failure.reason, accessTokenExpires: outline.accessTokenExpires,
            refreshTokenExpires: outline.refreshTokenExpires, isCurrent: current?.key == key)
        return (status, failure.error)
    }

    package static func of(_ signedIn: SignedIn, in environment: CommandEnvironment) async throws -> SignInStatus {
        guard let credential = try await environment.credentialStore().load(signedIn.key) else {
            return SignInStatus(isLoggedIn: false, reason: .notSignedIn)
        }
        var status = try await of(credential, in: environment)
        status.profile = signedIn.profile ?? status.profile
        return status
    }

    package static func of(_ credential: Credential, in environment: CommandEnvironment) async throws -> SignInStatus {
        let store = try environment.credentialStore()
        let now = environment.clock.now
        let freshness = Freshness.judge(credential, now: now)
        let isRefreshGood = credential.refreshToken != nil && !Freshness.isRefreshTokenExpired(credential, now: now)
        let current = try await store.currentChoice()
        var status = SignInStatus(
            profile: try await environment.profiles().name(of: credential.key, preferring: current),
            key: credential.key, environment: credential.key.environment, employeeID: credential.employeeID,
            kind: credential.kind,
            source: credential.isInKeyring ? .keyring : .cache, isLoggedIn: true,
            accessTokenExpires: credential.accessTokenExpires, refreshTokenExpires: credential.refreshTokenExpires,
            secondsLeft: freshness.secondsLeft, isRefreshDue: freshness.isDue && credential.refreshToken != nil,
            isRenewable: credential.kind == .oauth && isRefreshGood,
            isCurrent: current?.key == credential.key)
        status.reason = try await obstacle(credential, isExpired: freshness.isExpired, store: store, now: now)
        switch status.reason {
        case nil, .refreshTokenEnded: break
        // The next renewal resolves these.
        case .unsettled, .endedByClock: status.isRefreshDue = true
        case .lastToken:
            status.isRefreshDue = false
            status.isRenewable = false
        default:
            status.isLoggedIn = false
            status.isRefreshDue = false
            status.isRenewable = false
        }
        return status
    }

    /// The reason why the tokens cannot be renewed; nil if they can, or need not be.
    private static func obstacle(
        _ credential: Credential, isExpired: Bool, store: any CredentialStore, now: TokenClock.Reading
    ) async throws -> Reason? {
        if credential.refreshToken == nil { return isExpired ? .expired : nil }
        if let journal = try await store.journal(of: credential) {
            switch journal.state {
            case .sent: return .unsettled(at: journal.at)
            case .refused where !isExpired && journal.hasFoundDead(credential.accessToken):
                return .dead(refusedAt: journal.at)
            case .refused:
                return isExpired
                    ? .refused(at: journal.at)
                    : .lastToken(refusedAt: journal.at, until: credential.accessTokenExpires)
            case .lost: return .lost(at: journal.at)
            case .futile, .ended: break
            }
        }
        guard Freshness.isRefreshTokenExpired(credential, now: now) else { return nil }
        // This machine's clock may be wrong, so a renewal is tried anyway.
        return isExpired ? .endedByClock : .refreshTokenEnded(until: credential.accessTokenExpires)
    }
}

/// A snapshot of this machine's sign-ins and their names, for callers with several queries.
package struct StoredSignIns: Sendable {
    package let keys: [CredentialKey]
    package let profiles: [String: CredentialKey]

    package static func read(in environment: CommandEnvironment) async throws -> StoredSignIns {
        StoredSignIns(
            keys: try await environment.credentialStore().keys(), profiles: try await environment.profiles().all())
    }

    /// The profile's credential key; nil if there is no profile of this name.
    ///
    /// - Throws: `.invalidProfile`.
    func key(named name: String) throws(CredentialError) -> CredentialKey? {
        guard ProfileStore.isName(name) else { throw .invalidProfile(name) }
        return profiles[name]
    }

    /// The sign-in of `auth switch`.
    ///
    /// - Parameter name: a profile's name or a merchant's id; nil to use the choice alone.
    package func find(
        _ name: String?, _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> SignedIn {
        var choice = choice
        if let name {
            if try key(named: name) != nil {
                choice.profile = name
            } else {
                choice.merchantID = name
            }
        }
        guard let key = try await choice.key(in: environment, takesCurrent: false, among: self), keys.contains(key)
        else {
            if let name, choice.profile == nil {
                throw CoreError.unknownProfile(name, known: profiles.keys.sorted())
            }
            throw CoreError.notSignedIn(choice)
        }
        return SignedIn(key: key, profile: choice.profile ?? profiles.filter { $0.value == key }.keys.min())
    }
}

extension ProfileStore {
    /// The name of a credential; nil if it has none. Of several names, the one chosen last, or else the first.
    package func name(
        of key: CredentialKey, preferring chosen: SignedIn? = nil
    ) async throws(CredentialError) -> String? {
        let names = try await all().filter { $0.value == key }.keys.sorted()
        if let chosen, chosen.key == key, let name = chosen.profile, names.contains(name) { return name }
        return names.first
    }
}
