package import CloverHTTP
import Synchronization

/// Tokens that are good, renewed exactly once however many tasks and processes want them. One per process.
///
/// Tasks of this process that want the same credential share one renewal; processes take turns under the store's lease,
/// and who comes later finds the pair of who came first.
package actor TokenRefresher {
    private let store: any CredentialStore
    private let client: OAuthClient
    private let clock: TokenClock
    private let onLoad: @Sendable (Credential) -> Void
    private let onNotice: @Sendable (TokenNotice) -> Void

    /// The renewals under way.
    private var flights: [CredentialKey: Flight] = [:]
    /// The token that was last given in exchange for a refused one. When it is refused, too, the service means
    /// something else, such as a missing permission.
    private var replacements: [CredentialKey: Secret] = [:]
    /// The token that was last renewed here because it was due, and when, on the boot clock.
    private var renewals: [CredentialKey: (token: Secret, at: Int64)] = [:]
    /// For so many milliseconds a renewed token is new: whatever a 401 is about, another one would not be better.
    private static let newness: Int64 = 60_000
    /// When this refresher was made, on the boot clock.
    private let began: Int64
    /// The token that was last said to be the last one.
    private var lastTokens: [CredentialKey: Secret] = [:]

    /// - Parameters:
    ///   - onLoad: gets each credential that is read, before anything is done with it; called on any thread.
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

    /// A credential that is not due, renewed first when it is.
    ///
    /// While a due token has not ended, a renewal that failed without harm to it is a notice, and the token is used.
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

    /// A credential for a program that cannot renew it, where a renewal of `stored` was begun or refused before: that may have
    /// spent the tokens, so it is found out first. After a refusal it is the stored one until that ends.
    package func settled(_ key: CredentialKey, _ stored: Credential) async throws(RefreshError) -> Credential {
        let freshness = Freshness.judge(stored, now: clock.now)
        do {
            // Not one renewal more than needed: it may be that of a process that renews just now.
            return try await replacement(key, for: stored.accessToken) ?? stored
        } catch {
            guard case .refused = error, !freshness.isExpired, try await !isDead(stored, after: error) else {
                throw error
            }
            noteUse(of: stored, after: error, secondsLeft: freshness.secondsLeft)
            return stored
        }
    }

    /// Throws `.refused` when the service refused to renew the credential's tokens, and takes its access token for nothing.
    package func checkLife(of credential: Credential) async throws(RefreshError) {
        guard let refreshToken = credential.refreshToken else { return }
        let found: RefreshJournal?
        do {
            found = try await store.journal(credential.key)
        } catch {
            throw .credential(error)
        }
        guard let found, found.isAbout(refreshToken), found.hasFoundDead(credential.accessToken) else { return }
        throw .refused(status: found.httpStatus ?? 401, message: found.message, at: found.at)
    }

    /// After the renewal of its token was refused, and the service took that token itself for nothing: until there is a new
    /// sign-in, nobody asks again.
    package func noteDeath(_ key: CredentialKey, of accessToken: Secret) async throws(CredentialError) {
        try await TokenRenewal(store: store, client: client, onNotice: onNotice, key: key).markDead(accessToken)
    }

    private func isDead(_ credential: Credential, after error: RefreshError) async throws(RefreshError) -> Bool {
        guard case .refused = error else { return false }
        do {
            try await checkLife(of: credential)
        } catch {
            if case .refused = error { return true }
            throw error
        }
        return false
    }

    /// A token is asked for with each request, and that it is the last one is said once.
    private func noteUse(of credential: Credential, after error: RefreshError, secondsLeft: Double?) {
        guard case .refused = error else {
            onNotice(.stillUsable(credential.key, secondsLeft: secondsLeft, error))
            return
        }
        guard lastTokens[credential.key] != credential.accessToken else { return }
        lastTokens[credential.key] = credential.accessToken
        onNotice(.lastToken(credential.key, until: credential.accessTokenExpires, error))
    }

    /// After the service answered 401 to `refused`: another token, which is somebody else's newer one or the result of
    /// one renewal.
    ///
    /// - Returns: nil when there is nothing better: the kind cannot be renewed, or `refused` was itself given out here
    ///   in exchange for another one, or just renewed. A 401 is also how Clover reports a missing permission.
    package func replacement(
        _ key: CredentialKey, for refused: Secret
    ) async throws(RefreshError) -> Credential? {
        let need = TokenRenewal.Need.replacing(
            refused, mayRenew: replacements[key] != refused && !isOwnAndNew(refused, of: key))
        let stored = try await load(key)
        var found: Credential? = stored
        if !TokenRenewal.answers(stored, need, now: clock.now) {
            guard stored.kind == .oauth, stored.refreshToken != nil, key.appID != nil else { return nil }
            found = try await renew(key, need)
        }
        if let found { replacements[key] = found.accessToken }
        return found
    }

    /// After the service answered 401 to `refused`, too, although it was given out here in exchange for another one, or renewed
    /// here: the next run does not renew it for the same reason.
    package func noteRefusal(_ key: CredentialKey, of refused: Secret) async throws(CredentialError) {
        var isKnown = replacements[key] == refused || renewals[key]?.token == refused
        if !isKnown { isKnown = try await isNew(refused, of: key) }
        guard isKnown else { return }
        try await TokenRenewal(store: store, client: client, onNotice: onNotice, key: key).markFutile(refused)
    }

    /// Whether this process renewed the token a moment ago, or another one did since this one began, as when many run side
    /// by side.
    package func isNew(_ token: Secret, of key: CredentialKey) async throws(CredentialError) -> Bool {
        if isOwnAndNew(token, of: key) { return true }
        guard let stored = try await store.load(key), stored.accessToken == token, stored.origin == .refresh,
            let boot = stored.bootTime
        else { return false }
        let now = clock.now
        return stored.bootID == now.bootID && boot >= began && now.boot - boot < Self.newness
    }

    private func isOwnAndNew(_ token: Secret, of key: CredentialKey) -> Bool {
        guard let renewal = renewals[key], renewal.token == token else { return false }
        return clock.boot() - renewal.at < Self.newness
    }

    /// Whether an earlier run found that renewing does not help against the refusal of `refused`.
    package func isFutile(_ key: CredentialKey, for refused: Secret) async throws(CredentialError) -> Bool {
        guard let stored = try await store.load(key), stored.accessToken == refused, let token = stored.refreshToken,
            let journal = try await store.journal(key), journal.isAbout(token)
        else { return false }
        return journal.state == .futile
    }

    /// Renews the tokens now, whether they are due or not. A renewal that anybody finished since the call is as good.
    package func refreshNow(_ key: CredentialKey) async throws(RefreshError) -> Credential {
        let stored = try await load(key)
        guard stored.kind == .oauth else { throw .notRenewable(stored.kind) }
        guard let renewed = try await renew(key, .fresh(than: stored.accessToken)) else {
            // Cannot be: this need allows a renewal.
            throw .noRefreshToken
        }
        return renewed
    }

    private func load(_ key: CredentialKey) async throws(RefreshError) -> Credential {
        do {
            if let credential = try await store.load(key) {
                onLoad(credential)
                return credential
            }
        } catch {
            throw .credential(error)
        }
        throw .notSignedIn(key)
    }

    // MARK: - One renewal for many tasks

    private struct Flight {
        let task: Task<Result<Credential?, RefreshError>, Never>
        let passengers: Passengers
    }

    /// How many tasks wait for a renewal. It is cancelled when the last of them is.
    private final class Passengers: Sendable {
        private let count = Mutex(0)

        func board() {
            count.withLock { $0 += 1 }
        }

        /// True when nobody is left.
        func leave() -> Bool {
            count.withLock { count in
                count -= 1
                return count == 0
            }
        }
    }

    private func renew(
        _ key: CredentialKey, _ need: TokenRenewal.Need
    ) async throws(RefreshError) -> Credential? {
        while true {
            let isOurs = flights[key] == nil
            let flight = flights[key] ?? begin(key, need)
            flight.passengers.board()
            let result = await withTaskCancellationHandler {
                await flight.task.value
            } onCancel: {
                if flight.passengers.leave() { flight.task.cancel() }
            }
            if isOurs || Task.isCancelled { return try result.get() }
            switch result {
            case .success(let credential?) where Self.helps(credential, need):
                return credential
            case .success, .failure(.cancelled):
                // The others wanted less than we do, or were all cancelled: our own turn.
                continue
            case .failure(let error):
                throw error
            }
        }
    }

    /// Whether the result of somebody else's renewal will do. It was good when it was made, which is all that can be
    /// asked of tokens that live for seconds.
    private static func helps(_ credential: Credential, _ need: TokenRenewal.Need) -> Bool {
        switch need {
        case .notDue: true
        case .replacing(let refused, _), .fresh(let refused): credential.accessToken != refused
        }
    }

    /// A bare task: everybody who wants its result waits for it in `renew`, and the last one who is cancelled cancels it.
    private func begin(_ key: CredentialKey, _ need: TokenRenewal.Need) -> Flight {
        let renewal = TokenRenewal(store: store, client: client, onNotice: onNotice, key: key)
        let task = Task { () async -> Result<Credential?, RefreshError> in
            let result: Result<Credential?, RefreshError>
            do throws(RefreshError) {
                result = .success(try await renewal.run(need))
            } catch {
                result = .failure(error)
            }
            // On the actor again, before anybody who waits goes on: whoever comes later starts a new renewal.
            flights[key] = nil
            return result
        }
        let flight = Flight(task: task, passengers: Passengers())
        flights[key] = flight
        return flight
    }
}
