import CloverAPI
package import CloverAuth
import CloverConfiguration
import CloverHTTP

/// `auth status`: who this machine is signed in as. It asks nobody.
package struct SignInStatus: Sendable, Equatable {
    package var profile: String?
    /// Nil when there is nothing that could be signed in.
    package var key: CredentialKey?
    /// That of the key, or without one that which would be used; nil when that is open.
    package var environment: String?
    package var employeeID: String?
    package var kind: Credential.Kind?
    package var source: Source?
    /// Whether a token is here that the service may still accept, or that can be renewed.
    package var isLoggedIn: Bool
    /// What is wrong with the sign-in; nil when nothing is.
    package var reason: Reason?
    /// Seconds since 1970 by the service's clock; nil when it does not say.
    package var accessTokenExpires: Int64?
    package var refreshTokenExpires: Int64?
    /// How long the access token is still good, as a renewal judges it; nil when that is not known.
    var secondsLeft: Double?
    /// Whether the next request renews the access token first.
    package var isRefreshDue = false
    /// Whether the access token can be renewed, as far as is known here; nil when there is none, or none that can be read.
    package var isRenewable: Bool?
    /// Whether this is the credential that commands use when nothing else is said.
    package var isCurrent = false

    package enum Source: String, Sendable {
        /// `CLOVER_ACCESS_TOKEN`.
        case environment
        /// A private file of the state directory.
        case cache
        /// The desktop's keyring.
        case keyring
    }

    package enum Reason: Sendable, Equatable {
        case notSignedIn
        /// The access token ended and there is nothing to renew it with.
        case expired
        /// The access token and the refresh token have ended by the clock of this machine; the next renewal asks the service.
        case endedByClock
        /// The service refused to renew it, at this time in milliseconds since 1970. The access token works until it ends, in
        /// seconds since 1970 by the service's clock.
        case lastToken(refusedAt: Int64, until: Int64?)
        /// The service was asked, and takes neither this token nor the one that renews it.
        case notAccepted
        /// The service was asked, and answers to nothing with this token; nothing tells why.
        case unclear
        /// The service was asked, and answers to nothing with a token that it has just issued.
        case withoutPermissions
        /// A renewal was begun at this time in milliseconds since 1970, and nobody knows yet how it ended.
        case unsettled(at: Int64)
        /// The tokens are in the keyring, and it cannot be used.
        case keyringUnusable(SecretVaultError)
        /// The tokens were in the keyring, and somebody took them out.
        case goneFromKeyring
        /// There are several sign-ins, described as `MERCHANT (environment)`, and none of them was chosen.
        case noneChosen([String])
        /// The service refused to renew it, at this time in milliseconds since 1970.
        case refused(at: Int64)
        /// The service refused to renew it, at this time in milliseconds since 1970, and takes the access token for nothing.
        case dead(refusedAt: Int64)
        /// The answer with the new tokens never arrived, at this time in milliseconds since 1970.
        case lost(at: Int64)
    }

    /// Whether the service was found to take the access token for nothing, and does not renew it: its word is kept.
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
                environment: try await usual(choice, in: environment)?.name, isLoggedIn: false,
                reason: .noneChosen(names))
        }
        guard let key, var status = try await kept(key, in: environment) else {
            return SignInStatus(
                environment: (try await usual(choice, in: environment) ?? .us).name, isLoggedIn: false,
                reason: .notSignedIn)
        }
        // One credential may have several names; the one that was asked for is shown.
        status.profile = try await choice.completed(in: environment).profile ?? status.profile
        return status
    }

    /// The environment that is named for commands, by whatever names it; nil when none is.
    private static func usual(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> ServiceEnvironment? {
        var choice = choice
        if choice.environment == nil {
            choice.environment = try await environment.settings(for: choice).value(of: .environment)?.text
        }
        return try choice.service()
    }

    /// The same after the service was asked.
    package func checked(_ result: TokenCheck.Result) -> SignInStatus {
        var status = self
        switch result.verdict {
        case .accepted: return self
        case .withoutPermissions: if status.reason == nil { status.reason = .withoutPermissions }
        case .unclear, .notAccepted:
            status.isLoggedIn = false
            switch status.reason {
            case nil: status.reason = result.verdict == .unclear ? .unclear : .notAccepted
            case .lastToken(let at, _): status.reason = .dead(refusedAt: at)
            default: break
            }
        }
        return status
    }

    /// The status of the credential of this key; nil when there is none.
    private static func kept(
        _ key: CredentialKey, in environment: CommandEnvironment
    ) async throws -> SignInStatus? {
        let store = try environment.credentialStore()
        var credential: Credential?
        var reason: Reason?
        do throws(CredentialError) {
            credential = try await store.load(key)
        } catch .keyring(_, let error) {
            reason = .keyringUnusable(error)
        } catch .missingInKeyring {
            reason = .goneFromKeyring
        }
        if let credential { return try await of(credential, in: environment) }
        guard let reason, let outline = try await store.outline(key) else { return nil }
        let name = try await environment.profiles().name(of: key, preferring: try await store.currentChoice())
        return try await of(outline, name: name, reason, in: environment)
    }

    /// The status of what was just signed in.
    package static func of(_ signedIn: SignedIn, in environment: CommandEnvironment) async throws -> SignInStatus {
        guard let credential = try await environment.credentialStore().load(signedIn.key) else {
            return SignInStatus(isLoggedIn: false, reason: .notSignedIn)
        }
        var status = try await of(credential, in: environment)
        status.profile = signedIn.profile ?? status.profile
        return status
    }

    /// The status of a credential whose tokens cannot be reached now: nobody can use it while that is so.
    static func of(
        _ outline: CredentialOutline, name: String?, _ reason: Reason, in environment: CommandEnvironment
    ) async throws -> SignInStatus {
        let current = try await environment.credentialStore().currentChoice()
        let profile = try await environment.profiles().name(of: outline.key, preferring: current)
        return SignInStatus(
            profile: name, key: outline.key, environment: outline.key.environment, employeeID: outline.employeeID,
            kind: outline.kind, source: .keyring, isLoggedIn: false, reason: reason,
            accessTokenExpires: outline.accessTokenExpires, refreshTokenExpires: outline.refreshTokenExpires,
            isCurrent: current?.key == outline.key && profile == name)
    }

    /// The status of one kept credential.
    package static func of(_ credential: Credential, in environment: CommandEnvironment) async throws -> SignInStatus {
        let store = try environment.credentialStore()
        let freshness = Freshness.judge(credential, now: environment.clock.now)
        let current = try await store.currentChoice()
        var status = SignInStatus(
            profile: try await environment.profiles().name(of: credential.key, preferring: current),
            key: credential.key, environment: credential.key.environment, employeeID: credential.employeeID,
            kind: credential.kind,
            source: credential.isInKeyring ? .keyring : .cache, isLoggedIn: true,
            accessTokenExpires: credential.accessTokenExpires, refreshTokenExpires: credential.refreshTokenExpires,
            secondsLeft: freshness.secondsLeft, isRefreshDue: freshness.isDue && credential.refreshToken != nil,
            isRenewable: credential.kind == .oauth && credential.refreshToken != nil,
            isCurrent: current?.key == credential.key)
        status.reason = try await obstacle(
            credential, isExpired: freshness.isExpired, store: store, now: environment.clock.now)
        switch status.reason {
        case nil: break
        // The next renewal settles it.
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

    /// Why the tokens cannot be renewed; nil when they can, or need not be.
    private static func obstacle(
        _ credential: Credential, isExpired: Bool, store: any CredentialStore, now: TokenClock.Reading
    ) async throws -> Reason? {
        guard let refreshToken = credential.refreshToken else { return isExpired ? .expired : nil }
        if let journal = try await store.journal(credential.key), journal.isAbout(refreshToken) {
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
        // A clock may be wrong, and a renewal is tried all the same.
        return isExpired && Freshness.isRefreshTokenExpired(credential, now: now) ? .endedByClock : nil
    }
}
