import CloverAPI
import CloverAuth
import CloverHTTP
import Synchronization

/// The tokens of a kept credential, renewed when they are due: one renewal for all processes. Between renewals they are
/// kept in memory, so that a request costs no file.
final class CachedTokens: AccessTokenSource {
    private let key: CredentialKey
    private let store: any CredentialStore
    private let refresher: TokenRefresher
    private let clock: TokenClock
    private let mask: SecretMask
    private let environment: CommandEnvironment
    private let kept = Mutex<Credential?>(nil)

    /// - Parameter first: the credential as it was just read.
    init(_ first: Credential, choice: ConnectionChoice, in environment: CommandEnvironment) throws {
        key = first.key
        store = try environment.credentialStore()
        refresher = try environment.tokenRefresher(for: key, certificateFile: choice.certificateFile)
        clock = environment.clock
        mask = environment.diagnostics.mask
        self.environment = environment
        _ = keep(first)
    }

    func token() async throws -> Secret {
        if let credential = kept.withLock({ $0 }), !Freshness.judge(credential, now: clock.now).isDue {
            return credential.accessToken
        }
        return keep(try await tellingWho { try await refresher.current(key) })
    }

    func replacement(for refused: Secret, isGood: () async throws -> Bool) async throws -> Secret? {
        if let stored = try await store.load(key), stored.accessToken != refused { return keep(stored) }
        // A job that lacks a permission would otherwise renew the tokens each time it runs.
        if try await isGood() { return nil }
        return try await tellingWho { try await refresher.replacement(key, for: refused) }.map(keep)
    }

    private func tellingWho<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as RefreshError {
            throw await CoreError.tokens(error, of: key, in: environment)
        }
    }

    /// The token, which from now on no message shows.
    private func keep(_ credential: Credential) -> Secret {
        mask.hide(credential.accessToken)
        if let token = credential.refreshToken { mask.hide(token) }
        kept.withLock { $0 = credential }
        return credential.accessToken
    }
}
