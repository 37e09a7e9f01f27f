import CloverHTTP
import Glibc

/// One renewal of one credential, from the lease to the new pair on the disk.
///
/// The order of steps is what keeps a sign-in from being lost: the hash of the refresh token is on the disk before the
/// token is sent, and the new pair is on the disk before anybody uses it.
struct TokenRenewal: Sendable {
    let store: any CredentialStore
    let client: OAuthClient
    let onNotice: @Sendable (TokenNotice) -> Void
    let key: CredentialKey

    /// What the caller can do without a renewal.
    enum Need: Equatable, Sendable {
        /// Any token that is not due.
        case notDue
        /// A token that is neither due nor this one. Unless `mayRenew`, only somebody else's renewal can help.
        case replacing(Secret, mayRenew: Bool)
        /// A new token, because a person wants one: another than this.
        case fresh(than: Secret)
    }

    /// How long another process is waited for, in seconds. It holds the lease for two calls and their pauses at most;
    /// those who wait before us find its pair and are done at once.
    static let patience: Double = 120
    /// The pause before the one repetition of a call whose answer was lost, in seconds.
    static let pause: Double = 0.5
    /// How long a call that has left goes on after the task was cancelled, in seconds: an answer that arrives in time
    /// is kept instead of lost.
    static let grace: Double = 3
    /// How often the new pair is tried to be saved; a disk that is full for a moment must not cost the sign-in.
    static let savingAttempts = 3

    /// A credential that answers the need; nil when only a renewal could, and the need does not allow one.
    func run(_ need: Need) async throws(RefreshError) -> Credential? {
        let lease: any CredentialLease
        do {
            lease = try await store.lease(key, patience: Self.patience) { onNotice(.waiting(key)) }
        } catch .cancelled {
            throw .cancelled
        } catch {
            throw .credential(error)
        }
        defer { lease.release() }
        guard let credential = try await Self.kept({ () async throws(CredentialError) in try await lease.load() })
        else { throw .notSignedIn(key) }
        if Self.answers(credential, need, now: client.clock.now) { return credential }
        guard credential.kind == .oauth else { throw .notRenewable(credential.kind) }
        guard let refreshToken = credential.refreshToken, let appID = key.appID else { throw .noRefreshToken }
        if case .replacing(credential.accessToken, mayRenew: false) = need,
            !Freshness.judge(credential, now: client.clock.now).isDue
        {
            return nil
        }
        if try await isPaused(credential, need, refreshToken, lease) {
            if case .replacing(credential.accessToken, _) = need { return nil }
            return credential
        }
        if Task.isCancelled { throw .cancelled }
        return try await spend(refreshToken, appID: appID, of: credential, under: lease)
    }

    /// Whether the credential can be used as it is.
    static func answers(_ credential: Credential, _ need: Need, now: TokenClock.Reading) -> Bool {
        if Freshness.judge(credential, now: now).isDue { return false }
        switch need {
        case .notDue: return true
        case .replacing(let refused, _), .fresh(let refused): return credential.accessToken != refused
        }
    }

    /// Whether the service issued a token a moment ago that had ended already: another one would be no better.
    private func isPaused(
        _ credential: Credential, _ need: Need, _ refreshToken: Secret, _ lease: any CredentialLease
    ) async throws(RefreshError) -> Bool {
        if case .fresh = need { return false }
        guard Freshness.isInPause(credential, now: client.clock.now) else { return false }
        let journal = try await Self.kept { () async throws(CredentialError) in try await lease.journal() }
        return journal.map { $0.state == .ended && $0.isAbout(refreshToken) } ?? false
    }

    // MARK: - Spending the refresh token

    private func spend(
        _ token: Secret, appID: String, of credential: Credential, under lease: any CredentialLease
    ) async throws(RefreshError) -> Credential {
        let earlier = try await Self.kept { () async throws(CredentialError) in try await lease.journal() }
        var firstSent: Int64?
        if let earlier, earlier.isAbout(token) {
            switch earlier.state {
            case .refused:
                throw .refused(status: earlier.httpStatus ?? 401, message: earlier.message, at: earlier.at)
            case .lost: throw .lost(at: earlier.at)
            case .sent: firstSent = earlier.at
            case .futile, .ended: break
            }
        }
        try await Self.kept { () async throws(CredentialError) in
            try await lease.reserve()
            if firstSent == nil { try await lease.setJournal(journal(token, .sent)) }
        }
        // A process that died had its try; this is the second one.
        var triesLeft = firstSent == nil ? 2 : 1
        while true {
            triesLeft -= 1
            switch await post(token, of: credential.accessToken, appID: appID) {
            case .success(let issued):
                let renewed = try await keep(credential.renewed(with: issued), under: lease)
                // A service that does not rotate: the journal, which is about the token that is kept, is done with.
                if renewed.refreshToken == token { await write(nil, under: lease) }
                if let next = renewed.refreshToken, Freshness.judge(renewed, now: issued.askedAt).isExpired {
                    await write(journal(next, .ended), under: lease)
                    onNotice(.endedAlready(key, at: renewed.accessTokenExpires))
                }
                return renewed
            case .failure(.outcomeUnknown(let cause)):
                firstSent = firstSent ?? client.clock.wall()
                if Task.isCancelled { throw .cancelled }
                if triesLeft == 0 { throw .unavailable(cause) }
                onNotice(.tryingAgain(key, cause))
                do {
                    try await client.sleep(Self.pause)
                } catch {
                    throw .cancelled
                }
            case .failure(let error):
                throw await settle(error, token, firstSent: firstSent, under: lease)
            }
        }
    }

    /// The call itself. Once it has left, it is not broken off at once by cancellation, because its answer may be the
    /// only copy of the new pair.
    private func post(
        _ token: Secret, of accessToken: Secret, appID: String
    ) async -> Result<IssuedTokens, OAuthError> {
        // Bare tasks: the first is waited for below, and the second cancels it and is itself over after `grace`.
        let call = Task { () async -> Result<IssuedTokens, OAuthError> in
            do throws(OAuthError) {
                return .success(try await client.refresh(token, of: accessToken, appID: appID))
            } catch {
                return .failure(error)
            }
        }
        onNotice(.asking(key))
        let result = await withTaskCancellationHandler {
            await call.value
        } onCancel: {
            onNotice(.finishing(key, seconds: Self.grace))
            Task {
                do {
                    try await client.sleep(Self.grace)
                } catch {
                    // Nobody cancels this task; a clock that cannot wait means no grace.
                }
                call.cancel()
            }
        }
        guard case .failure(let error) = result else { return result }
        onNotice(.asked(key))
        if Task.isCancelled, case .outcomeUnknown = error { onNotice(.brokenOff(key)) }
        return result
    }

    /// Keeps the new pair, which is nowhere else: in a file when the keyring, which it should go into, does not take it.
    private func keep(_ renewed: Credential, under lease: any CredentialLease) async throws(RefreshError) -> Credential
    {
        // Until then it is as much in the air as an answer under way.
        defer { onNotice(.asked(key)) }
        var renewed = renewed
        var refusal: SecretVaultError?
        var attempt = 0
        var isKept = false
        while !isKept {
            attempt += 1
            do {
                // This removes the journal, too: it is about a token that is gone.
                let leftover = try await lease.save(renewed)
                if let refusal { onNotice(.keptInFile(key, refusal, leftover: leftover)) }
                isKept = true
            } catch .keyring(_, let cause) where renewed.isInKeyring && (!cause.mayPass || attempt > 1) {
                refusal = cause
                renewed.isInKeyring = false
                attempt = 0
            } catch {
                // The journal stays, and tells the next one who asks that the token was sent.
                if attempt == Self.savingAttempts { throw .notKept(error) }
                do {
                    try await client.sleep(Self.pause)
                } catch {
                    // Cancelled: the attempts follow one another at once.
                }
            }
        }
        onNotice(.refreshed(key, generation: renewed.generation))
        if renewed.refreshToken == nil { onNotice(.notRenewableAgain(key, until: renewed.accessTokenExpires)) }
        return renewed
    }

    /// What an answer that issued nothing means, and what is written down because of it.
    ///
    /// - Parameter firstSent: when this token was sent without a known outcome; nil when it never was.
    /// - Returns: the error to throw.
    private func settle(
        _ error: OAuthError, _ token: Secret, firstSent: Int64?, under lease: any CredentialLease
    ) async -> RefreshError {
        if case .refused(let status, let message) = error {
            let found =
                firstSent.map { journal(token, .lost, at: $0, status: status, message: message) }
                ?? journal(token, .refused, status: status, message: message)
            await write(found, under: lease)
            return firstSent.map { .lost(at: $0) } ?? .refused(status: status, message: message, at: found.at)
        }
        // Nothing was spent by this call. An earlier one, if there was any, is as unsettled as before.
        if firstSent == nil { await write(nil, under: lease) }
        return switch error {
        case .notSent(.cancelled): .cancelled
        case .notSent(let cause): .unreachable(cause)
        case .rateLimited(let retryAfter): .rateLimited(retryAfter: retryAfter)
        case .outcomeUnknown(let cause): .unavailable(cause)
        case .redirected, .otherStatus, .refused, .refusedOtherwise: .service(error)
        }
    }

    /// What the service said matters more than a journal that cannot be written: the next one who asks is told again.
    private func write(_ journal: RefreshJournal?, under lease: any CredentialLease) async {
        do {
            try await lease.setJournal(journal)
        } catch {
            return
        }
    }

    /// Writes down that another renewal of this pair would not help against a 401, unless more is written down already.
    func markFutile(_ refused: Secret) async throws(CredentialError) {
        let lease = try await store.lease(key, patience: Self.patience) {}
        defer { lease.release() }
        guard let credential = try await lease.load(), credential.accessToken == refused,
            let token = credential.refreshToken, try await lease.journal() == nil
        else { return }
        try await lease.setJournal(journal(token, .futile))
    }

    /// Writes down that the service takes this access token for nothing, when it is kept and its renewal was refused.
    func markDead(_ accessToken: Secret) async throws(CredentialError) {
        let lease = try await store.lease(key, patience: Self.patience) {}
        defer { lease.release() }
        guard let credential = try await lease.load(), credential.accessToken == accessToken,
            let token = credential.refreshToken, let refusal = try await lease.journal(), refusal.isAbout(token),
            refusal.state == .refused
        else { return }
        try await lease.setJournal(
            RefreshJournal(
                tokenHash: refusal.tokenHash, state: refusal.state, at: refusal.at, pid: getpid(),
                httpStatus: refusal.httpStatus, message: refusal.message,
                deadTokenHash: SecretHash.hexadecimal(of: accessToken)))
    }

    private func journal(
        _ token: Secret, _ state: RefreshJournal.State, at: Int64? = nil, status: Int? = nil, message: String? = nil
    ) -> RefreshJournal {
        RefreshJournal(
            tokenHash: SecretHash.hexadecimal(of: token), state: state, at: at ?? client.clock.wall(), pid: getpid(),
            httpStatus: status, message: message)
    }

    private static func kept<Value>(
        _ work: () async throws(CredentialError) -> Value
    ) async throws(RefreshError) -> Value {
        do {
            return try await work()
        } catch {
            throw .credential(error)
        }
    }
}
