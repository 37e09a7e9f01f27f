import CloverAPI
package import CloverAuth
import CloverHTTP
import CloverSystem
import Synchronization

/// Supplies a stored credential's tokens and renews them when due, with one renewal for all processes. Between renewals
/// the tokens stay in memory, so that a request reads no file.
final class CachedTokens: AccessTokenSource {
    private let key: CredentialKey
    private let store: any CredentialStore
    private let refresher: TokenRefresher
    private let environment: CommandEnvironment
    private let kept = Mutex<Credential?>(nil)
    /// Whether the first token was checked against the journal's record of refused tokens.
    private let hasCheckedFirst = Mutex(false)

    /// - Parameter first: the credential as just read.
    init(_ first: Credential, choice: ConnectionChoice, in environment: CommandEnvironment) throws {
        key = first.key
        store = try environment.credentialStore()
        refresher = try environment.tokenRefresher(
            for: key, profile: choice.profile, certificateFile: choice.certificateFile)
        self.environment = environment
        _ = keep(first)
        try environment.diagnostics.debug(
            .credential(first, path: environment.stateDirectory().path, now: environment.clock.now))
    }

    func token() async throws -> Secret {
        if let credential = kept.withLock({ $0 }), !Freshness.judge(credential, now: environment.clock.now).isDue {
            let isFirst = hasCheckedFirst.withLock { hasChecked in
                defer { hasChecked = true }
                return !hasChecked
            }
            if isFirst { try await namingErrors { try await refresher.checkValidity(of: credential) } }
            return credential.accessToken
        }
        let credential = try await namingErrors { try await refresher.current(key) }
        logDecision(credential)
        return keep(credential)
    }

    func replacement(for refused: Secret, isGood: () async throws -> Bool) async throws -> Secret? {
        if let stored = try await store.load(key), stored.accessToken != refused { return keep(stored) }
        if try await refresher.isFutile(key, for: refused) {
            environment.diagnostics.debug(.tokenDecision("an earlier renewal did not help: not renewed"))
            return nil
        }
        if try await refresher.isNew(refused, of: key) {
            environment.diagnostics.debug(.tokenDecision("the token was just renewed: not renewed again"))
            await noteRefusal(ofReplacement: refused)
            return nil
        }
        // Otherwise a job that lacks a permission would renew the tokens on each run.
        if try await isGood() {
            environment.diagnostics.debug(.tokenDecision("the service accepts the token itself: not renewed"))
            return nil
        }
        environment.diagnostics.debug(.tokenDecision("the service refuses the token: renewing"))
        return try await namingErrors { try await refresher.replacement(key, for: refused) }.map(keep)
    }

    func noteRefusal(ofReplacement token: Secret) async {
        do {
            try await refresher.noteRefusal(key, of: token)
        } catch {
            // The next run then renews them once more, as this run did.
            environment.diagnostics.detail("\(error)")
        }
    }

    func noteFailure(
        _ error: any Error, toReplace token: Secret, lacksAllPermissions: () async throws -> Bool
    ) async {
        guard case CoreError.tokens(.refused, _) = error else { return }
        do {
            guard let stored = try await store.load(key), stored.accessToken == token,
                let journal = try await store.journal(of: stored), !journal.hasFoundDead(token),
                try await lacksAllPermissions()
            else { return }
            environment.diagnostics.debug(.tokenDecision("the service accepts the token for nothing: not used again"))
            try await refresher.recordInvalidToken(key, of: token)
        } catch {
            // The next run then finds out again.
            environment.diagnostics.detail("\(error)")
        }
    }

    /// Logs whether a token that was due was replaced.
    private func logDecision(_ credential: Credential) {
        let isSame = kept.withLock { $0?.accessToken == credential.accessToken }
        environment.diagnostics.debug(
            .tokenDecision(
                isSame ? "the token was due, and is still used" : "the token was due: using another one"))
    }

    private func namingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await CoreError.namingTokens(of: key, in: environment, body)
    }

    /// Caches the credential, hides its tokens from all messages, and returns its access token.
    private func keep(_ credential: Credential) -> Secret {
        environment.diagnostics.mask.hide(credential.accessToken)
        if let token = credential.refreshToken { environment.diagnostics.mask.hide(token) }
        kept.withLock { $0 = credential }
        return credential.accessToken
    }
}

extension CoreError {
    /// Adds the credential's name to renewal errors.
    package static func namingTokens<Value>(
        of key: CredentialKey, in environment: CommandEnvironment, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch RefreshError.cancelled {
            throw CancellationError()
        } catch let error as RefreshError {
            throw await tokens(error, of: key, in: environment)
        }
    }

    /// A token error with the credential's profile name, unless the names cannot be read.
    static func tokens(
        _ error: RefreshError, of key: CredentialKey, in environment: CommandEnvironment
    ) async -> CoreError {
        var profile: String?
        do {
            profile = try await environment.profiles().name(of: key)
        } catch {
            environment.diagnostics.detail("\(error)")
        }
        return .tokens(error, SignedIn(key: key, profile: profile))
    }
}
