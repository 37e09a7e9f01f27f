package import CloverHTTP
import Synchronization

/// Provides valid tokens and renews them exactly once, however many tasks and processes need them. One per process.
///
/// Tasks of this process that need the same credential share one renewal. Processes are serialized by the store's
/// lease, and a later one finds the tokens of the earlier one.
package actor TokenRefresher {
    private let store: any CredentialStore
    private let client: OAuthClient
    private let clock: TokenClock
    private let onLoad: @Sendable (Credential) -> Void
    private let onNotice: @Sendable (TokenNotice) -> Void

    /// Renewals in progress.
    private var sharedRenewals: [CredentialKey: SharedRenewal] = [:]
    /// The token last provided in exchange for a refused one. If it is refused too, the cause is something else, such
    /// as a missing permission.
    private var replacements: [CredentialKey: Secret] = [:]
    /// The token last renewed here because it was due, and when, on the boot clock.
    private var renewals: [CredentialKey: (token: Secret, at: Int64)] = [:]
    /// Milliseconds for which a renewed token counts as new: whatever the cause of a 401, another token would not help.
    private static let newTokenPeriod: Int64 = 60_000
    /// When this refresher was created, on the boot clock.
    private let began: Int64
    /// The token last reported as the last one.
    private var lastTokens: [CredentialKey: Secret] = [:]

    /// - Parameters:
    ///   - onLoad: receives each credential that is read, before it is used; called on any thread.
    ///   - onNotice: called on any thread; must not block.
    package init(
        store: any CredentialStore, client: OAuthClient, clock: TokenClock,
        onLoad: @escaping @Sendable (Credential) -> Void = { _ in },
        onNotice: @escaping @Sendable (TokenNotice) -> Void
    ) {
        self.store = store
        self.client = client
        self.clock = clock
        self.onLoad = onLoad
        self.onNotice = onNotice
        began = clock.boot()
    }

    /// A credential whose token is not due, renewed first if it is.
    ///
    /// If a due token has not expired and its renewal fails without harming it, the failure is reported as a notice and
    /// the token is used.
    package func current(_ key: CredentialKey) async throws(RefreshError) -> Credential {
        let stored = try await load(key)
        let freshness = Freshness.judge(stored, now: clock.now)
        if !freshness.isDue { return stored }
        do {
            guard let renewed = try await renew(key, .notDue) else { return stored }
            if renewed.accessToken != stored.accessToken { renewals[key] = (renewed.accessToken, clock.boot()) }
            return renewed
        } catch {
            guard error.leavesTokenUsable, !freshness.isExpired, try await !isDead(stored, after: error) else {
                throw error
            }
            noteUse(of: stored, after: error, secondsLeft: freshness.secondsLeft)
            return stored
        }
    }

    /// A credential for a program that cannot renew it, if a renewal of `stored` was started or refused before. That
    /// may have used up the tokens, so the outcome is determined first. After a refusal, the stored credential is
    /// returned until it expires.
    package func settled(_ key: CredentialKey, _ stored: Credential) async throws(RefreshError) -> Credential {
        let freshness = Freshness.judge(stored, now: clock.now)
        do {
            // Do not renew more than necessary: another process may be renewing right now.
            return try await replacement(key, for: stored.accessToken) ?? stored
        } catch {
            guard case .refused = error, !freshness.isExpired, try await !isDead(stored, after: error) else {
                throw error
            }
            noteUse(of: stored, after: error, secondsLeft: freshness.secondsLeft)
            return stored
        }
    }

    /// Throws `.refused` if the service refused to renew the credential's tokens and also rejects its access token.
    package func checkValidity(of credential: Credential) async throws(RefreshError) {
        let found = try await RefreshError.wrapping { () async throws(CredentialError) in
            try await store.journal(of: credential)
        }
        guard let found, found.hasFoundDead(credential.accessToken) else { return }
        throw .refused(status: nil, message: found.message, at: found.at)
    }

    /// Records that the service rejects this token, after its renewal was refused. Until the next sign-in, no process
    /// asks again.
    package func recordInvalidToken(_ key: CredentialKey, of accessToken: Secret) async throws(CredentialError) {
        try await renewal(of: key).markInvalid(accessToken)
    }

    private func isDead(_ credential: Credential, after error: RefreshError) async throws(RefreshError) -> Bool {
        guard case .refused = error else { return false }
        do {
            try await checkValidity(of: credential)
            return false
        } catch {
            guard case .refused = error else { throw error }
            return true
        }
    }

    /// Reports that a token is the last one only once, although a token is requested for each HTTP request.
    private func noteUse(of credential: Credential, after error: RefreshError, secondsLeft: Double?) {
        guard case .refused = error else {
            onNotice(.stillUsable(credential.key, secondsLeft: secondsLeft, error))
            return
        }
        guard lastTokens[credential.key] != credential.accessToken else { return }
        lastTokens[credential.key] = credential.accessToken
        onNotice(.lastToken(credential.key, until: credential.accessTokenExpires, error))
    }

    /// Another token after the service responded with 401 to `refused`: one that another process has renewed, or the
    /// result of one renewal.
    ///
    /// - Returns: nil if no token would be better: the kind cannot be renewed, or `refused` was itself provided here in
    ///   exchange for another one, or was just renewed. Clover also reports a missing permission as a 401.
    package func replacement(
        _ key: CredentialKey, for refused: Secret
    ) async throws(RefreshError) -> Credential? {
        let need = TokenRenewal.Need.replacing(
            refused, mayRenew: replacements[key] != refused && !wasJustRenewedHere(refused, of: key))
        let stored = try await load(key)
        var found: Credential? = stored
        if !TokenRenewal.satisfies(stored, need, now: clock.now) {
            guard stored.kind == .oauth, stored.refreshToken != nil, key.appID != nil else { return nil }
            found = try await renew(key, need)
        }
        if let found { replacements[key] = found.accessToken }
        return found
    }

    /// Records a 401 to a token that was itself provided here in exchange for another one, or renewed here, so that the
    /// next run does not renew it for the same reason.
    package func noteRefusal(_ key: CredentialKey, of refused: Secret) async throws(CredentialError) {
        var isKnown = replacements[key] == refused || renewals[key]?.token == refused
        if !isKnown { isKnown = try await isNew(refused, of: key) }
        guard isKnown else { return }
        try await renewal(of: key).markFutile(refused)
    }

    /// Whether this process has just renewed the token, or another one did after this one started, as with concurrent
    /// runs.
    package func isNew(_ token: Secret, of key: CredentialKey) async throws(CredentialError) -> Bool {
        if wasJustRenewedHere(token, of: key) { return true }
        guard let stored = try await store.load(key), stored.accessToken == token, stored.origin == .refresh,
            let boot = stored.bootTime
        else { return false }
        let now = clock.now
        return stored.bootID == now.bootID && boot >= began && now.boot - boot < Self.newTokenPeriod
    }

    private func wasJustRenewedHere(_ token: Secret, of key: CredentialKey) -> Bool {
        guard let renewal = renewals[key], renewal.token == token else { return false }
        return clock.boot() - renewal.at < Self.newTokenPeriod
    }

    /// Whether an earlier run found that renewing does not help after the refusal of `refused`.
    package func isFutile(_ key: CredentialKey, for refused: Secret) async throws(CredentialError) -> Bool {
        guard let stored = try await store.load(key), stored.accessToken == refused else { return false }
        return try await store.journal(of: stored)?.state == .futile
    }

    /// Renews the tokens now, whether they are due or not. A renewal that another process completes after the call
    /// counts too.
    package func refreshNow(_ key: CredentialKey) async throws(RefreshError) -> Credential {
        let stored = try await load(key)
        guard stored.kind == .oauth else { throw .notRenewable(stored.kind) }
        guard let renewed = try await renew(key, .fresh(than: stored.accessToken)) else {
            // Cannot happen: this need allows a renewal.
            throw .noRefreshToken
        }
        return renewed
    }

    private func load(_ key: CredentialKey) async throws(RefreshError) -> Credential {
        let found = try await RefreshError.wrapping { () async throws(CredentialError) in
            try await store.load(key)
        }
        guard let found else { throw .notSignedIn(key) }
        onLoad(found)
        return found
    }

    // MARK: - One renewal for many tasks

    private final class SharedRenewal: Sendable {
        let task: Task<Result<Credential?, RefreshError>, Never>
        /// Number of tasks that wait for it, which is cancelled when the last of them is.
        let waiters = Atomic(0)

        init(task: Task<Result<Credential?, RefreshError>, Never>) {
            self.task = task
        }
    }

    private func renew(
        _ key: CredentialKey, _ need: TokenRenewal.Need
    ) async throws(RefreshError) -> Credential? {
        while true {
            let isOwner = sharedRenewals[key] == nil
            let shared = sharedRenewals[key] ?? begin(key, need)
            shared.waiters.add(1, ordering: .sequentiallyConsistent)
            let result = await withTaskCancellationHandler {
                await shared.task.value
            } onCancel: {
                let left = shared.waiters.subtract(1, ordering: .sequentiallyConsistent).newValue
                if left == 0 { shared.task.cancel() }
            }
            if isOwner || Task.isCancelled { return try result.get() }
            switch result {
            // It was valid when it was issued, which is all that can be asked of tokens that live for seconds.
            case .success(let credential?) where need.accepts(credential.accessToken):
                return credential
            case .success, .failure(.cancelled):
                // The other tasks needed less than this one, or were all cancelled: start another renewal.
                continue
            case .failure(let error):
                throw error
            }
        }
    }

    private func renewal(of key: CredentialKey) -> TokenRenewal {
        TokenRenewal(store: store, client: client, onNotice: onNotice, key: key)
    }

    /// A bare task: all tasks that need its result wait for it in `renew`, and the last one to be cancelled cancels it.
    private func begin(_ key: CredentialKey, _ need: TokenRenewal.Need) -> SharedRenewal {
        let renewal = renewal(of: key)
        let task = Task { () async -> Result<Credential?, RefreshError> in
            let result: Result<Credential?, RefreshError>
            do throws(RefreshError) {
                result = .success(try await renewal.run(need))
            } catch {
                result = .failure(error)
            }
            // On the actor again, before any waiter resumes: later callers start a new renewal.
            sharedRenewals[key] = nil
            return result
        }
        let shared = SharedRenewal(task: task)
        sharedRenewals[key] = shared
        return shared
    }
}

/// Events of a renewal that may be reported to the user.
package enum TokenNotice: Equatable, Sendable {
    /// Another process uses this credential; waiting for it.
    case waiting(CredentialKey)
    /// The service is being asked for new tokens: from now on the current ones may be used up.
    case asking(CredentialKey)
    /// The request has ended, with or without success, and the new tokens, if any, are stored.
    case asked(CredentialKey)
    /// The task was cancelled during the request; its response is still awaited for this many seconds.
    case finishing(CredentialKey, seconds: Double)
    /// The response did not arrive in that time: the tokens may be valid or used up.
    case brokenOff(CredentialKey)
    /// This process renewed the tokens.
    case refreshed(CredentialKey, generation: Int)
    /// The first response was lost or could not be understood; one retry follows.
    case tryingAgain(CredentialKey, OAuthError.Unknown)
    /// The renewal failed, but the current token is valid for this many more seconds and is used.
    case stillUsable(CredentialKey, secondsLeft: Double?, RefreshError)
    /// The service refused to renew the tokens, now or earlier. The current token is used until it expires, in seconds
    /// since 1970 by the service's clock; then a new sign-in is needed.
    case lastToken(CredentialKey, until: Int64?, RefreshError)
    /// The tokens were renewed, but the response had no refresh token. They are used until they expire, in seconds
    /// since 1970 by the service's clock; then a new sign-in is needed.
    case notRenewableAgain(CredentialKey, until: Int64?)
    /// The tokens were renewed, but the new access token had expired when it was issued, in seconds since 1970 by the
    /// service's clock. It is used anyway, and the next renewal is delayed.
    case endedAlready(CredentialKey, at: Int64?)
    /// The keyring did not accept the new tokens, so they are now in a file.
    ///
    /// - leftover: why the old tokens are still in the keyring; nil if they are not.
    case keptInFile(CredentialKey, SecretVaultError, leftover: CredentialError?)
}
