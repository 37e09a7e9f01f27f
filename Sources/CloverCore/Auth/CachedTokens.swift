import CloverAPI
import CloverAuth
import CloverHTTP
import CloverStorage
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
    /// Whether it was looked whether the first token is known to be dead.
    private let hasLooked = Mutex(false)

    /// - Parameter first: the credential as it was just read.
    init(_ first: Credential, choice: ConnectionChoice, in environment: CommandEnvironment) throws {
        key = first.key
        store = try environment.credentialStore()
        refresher = try environment.tokenRefresher(
            for: key, profile: choice.profile, certificateFile: choice.certificateFile)
        clock = environment.clock
        mask = environment.diagnostics.mask
        self.environment = environment
        _ = keep(first)
        try environment.diagnostics.debug(
            .credential(first, path: environment.stateDirectory().path, now: clock.now))
    }

    func token() async throws -> Secret {
        if let credential = kept.withLock({ $0 }), !Freshness.judge(credential, now: clock.now).isDue {
            let isFirst = hasLooked.withLock { hasLooked in
                defer { hasLooked = true }
                return !hasLooked
            }
            if isFirst { try await tellingWho { try await refresher.checkLife(of: credential) } }
            return credential.accessToken
        }
        let credential = try await tellingWho { try await refresher.current(key) }
        showDecision(credential)
        return keep(credential)
    }

    func replacement(for refused: Secret, isGood: () async throws -> Bool) async throws -> Secret? {
        if let stored = try await store.load(key), stored.accessToken != refused { return keep(stored) }
        if try await refresher.isFutile(key, for: refused) {
            environment.diagnostics.debug(.tokenDecision("renewing the token did not help before: not renewed"))
            return nil
        }
        if try await refresher.isNew(refused, of: key) {
            environment.diagnostics.debug(.tokenDecision("the token was renewed just now: not renewed again"))
            await noteRefusal(ofReplacement: refused)
            return nil
        }
        // A job that lacks a permission would otherwise renew the tokens each time it runs.
        if try await isGood() {
            environment.diagnostics.debug(.tokenDecision("the service does not refuse the token itself: not renewed"))
            return nil
        }
        environment.diagnostics.debug(.tokenDecision("the service refuses the token: to be renewed"))
        return try await tellingWho { try await refresher.replacement(key, for: refused) }.map(keep)
    }

    func noteRefusal(ofReplacement token: Secret) async {
        do {
            try await refresher.noteRefusal(key, of: token)
        } catch {
            // The next run then renews them once more, as this one did.
            environment.diagnostics.detail("\(error)")
        }
    }

    func noteFailure(
        _ error: any Error, toReplace token: Secret, opensNothing: () async throws -> Bool
    ) async {
        guard case CoreError.tokens(.refused, _) = error else { return }
        do {
            guard let stored = try await store.load(key), stored.accessToken == token,
                let refreshToken = stored.refreshToken, let journal = try await store.journal(key),
                journal.isAbout(refreshToken), !journal.hasFoundDead(token), try await opensNothing()
            else { return }
            environment.diagnostics.debug(.tokenDecision("the service takes the token for nothing: not used again"))
            try await refresher.noteDeath(key, of: token)
        } catch {
            // The next run then finds it out once more.
            environment.diagnostics.detail("\(error)")
        }
    }

    /// What became of a token that was due.
    private func showDecision(_ credential: Credential) {
        let isSame = kept.withLock { $0?.accessToken == credential.accessToken }
        environment.diagnostics.debug(
            .tokenDecision(
                isSame ? "the token was due, and is used all the same" : "the token was due: another one is used"))
    }

    private func tellingWho<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch RefreshError.cancelled {
            throw CancellationError()
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
