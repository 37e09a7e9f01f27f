package import CloverHTTP
import Glibc

/// One renewal of one credential, from the lease to the new tokens on disk.
///
/// The order of steps prevents the loss of a sign-in: the hash of the refresh token is on disk before the token is
/// sent, and the new tokens are on disk before they are used.
struct TokenRenewal: Sendable {
    let store: any CredentialStore
    let client: OAuthClient
    let onNotice: @Sendable (TokenNotice) -> Void
    let key: CredentialKey

    /// What the caller needs.
    enum Need: Equatable, Sendable {
        /// Any token that is not due.
        case notDue
        /// A token that is neither due nor this one. Unless `mayRenew`, only a renewal by another process can help.
        case replacing(Secret, mayRenew: Bool)
        /// A new token, requested by the user: any other than this.
        case fresh(than: Secret)

        /// Whether this is not the token to be replaced.
        func accepts(_ accessToken: Secret) -> Bool {
            switch self {
            case .notDue: true
            case .replacing(let refused, _), .fresh(let refused): accessToken != refused
            }
        }
    }

    /// Timeout in seconds for another process. It holds the lease for at most two calls and their pauses; earlier
    /// waiters find its tokens and finish at once.
    static let patience: Double = 120
    /// Pause in seconds before the one retry of a call whose response was lost.
    static let pause: Double = 0.5
    /// Seconds for which a call that has been sent continues after the task was cancelled, so that a response that
    /// arrives in time is not lost.
    static let grace: Double = 3
    /// Maximum number of attempts to save the new tokens; a disk that is briefly full must not cost the sign-in.
    static let savingAttempts = 3

    /// A credential that meets the need; nil if only a renewal could, and the need does not allow one.
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
        guard
            let credential = try await RefreshError.wrapping({ () async throws(CredentialError) in
                try await lease.load()
            })
        else { throw .notSignedIn(key) }
        if Self.satisfies(credential, need, now: client.clock.now) { return credential }
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
    static func satisfies(_ credential: Credential, _ need: Need, now: TokenClock.Reading) -> Bool {
        !Freshness.judge(credential, now: now).isDue && need.accepts(credential.accessToken)
    }

    /// Whether the service has just issued a token that had already expired; another one would be no better.
    private func isPaused(
        _ credential: Credential, _ need: Need, _ refreshToken: Secret, _ lease: any CredentialLease
    ) async throws(RefreshError) -> Bool {
        if case .fresh = need { return false }
        guard Freshness.isInPause(credential, now: client.clock.now) else { return false }
        let journal = try await RefreshError.wrapping { () async throws(CredentialError) in try await lease.journal() }
        return journal.map { $0.state == .ended && $0.isAbout(refreshToken) } ?? false
    }

    // MARK: - Spending the refresh token

    private func spend(
        _ first: Secret, appID: String, of stored: Credential, under lease: any CredentialLease
    ) async throws(RefreshError) -> Credential {
        var (token, credential) = (first, stored)
        let earlier = try await RefreshError.wrapping { () async throws(CredentialError) in try await lease.journal() }
        var firstSent: Int64?
        if let earlier, earlier.isAbout(token) {
            switch earlier.state {
            case .refused: throw .refused(status: nil, message: earlier.message, at: earlier.at)
            case .lost: throw .lost(at: earlier.at)
            case .sent: firstSent = earlier.at
            case .futile, .ended: break
            }
        }
        try await RefreshError.wrapping { () async throws(CredentialError) in
            try await lease.reserve()
            if firstSent == nil { try await lease.setJournal(journal(token, .sent)) }
        }
        // A process that died used one attempt; this is the second one.
        var attemptsLeft = firstSent == nil ? 2 : 1
        while true {
            attemptsLeft -= 1
            switch await post(token, of: credential.accessToken, appID: appID) {
            case .success(let issued):
                let renewed = try await keep(credential.renewed(with: issued), under: lease)
                onNotice(.refreshed(key, generation: renewed.generation))
                if renewed.refreshToken == nil {
                    onNotice(.notRenewableAgain(key, until: renewed.accessTokenExpires))
                }
                // The service does not rotate refresh tokens: the journal, which is about the current token, is
                // complete.
                if renewed.refreshToken == token { await write(nil, under: lease) }
                if let next = renewed.refreshToken, Freshness.judge(renewed, now: issued.askedAt).isExpired {
                    await write(journal(next, .ended), under: lease)
                    onNotice(.endedAlready(key, at: renewed.accessTokenExpires))
                }
                return renewed
            case .failure(.outcomeUnknown(.noAccessToken(let status, let next, let expires))):
                // There is no other copy of it, and the one that was sent is used up.
                credential = try await keep(credential.replacing(refreshToken: next, expires: expires), under: lease)
                (token, firstSent) = (next, nil)
                let cause = OAuthError.Unknown.noAccessToken(status: status, refreshToken: next, expires: expires)
                if Task.isCancelled { throw .cancelled }
                if attemptsLeft == 0 { throw .unavailable(cause) }
                onNotice(.tryingAgain(key, cause))
                await write(journal(token, .sent), under: lease)
            case .failure(.outcomeUnknown(let cause)):
                firstSent = firstSent ?? client.clock.wall()
                if Task.isCancelled { throw .cancelled }
                if attemptsLeft == 0 { throw .unavailable(cause) }
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

    /// The call itself. Once it has been sent, cancellation does not end it immediately, because its response may be
    /// the only copy of the new tokens.
    private func post(
        _ token: Secret, of accessToken: Secret, appID: String
    ) async -> Result<IssuedTokens, OAuthError> {
        // Bare tasks: the first is awaited below, and the second cancels it and ends by itself after `grace`.
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
                    // This task is never cancelled; if the clock cannot wait, there is no grace period.
                }
                call.cancel()
            }
        }
        guard case .failure(let error) = result else { return result }
        onNotice(.asked(key))
        if Task.isCancelled, case .outcomeUnknown = error { onNotice(.brokenOff(key)) }
        return result
    }

    /// Stores the new tokens, of which there is no other copy: in a file if they belong in the keyring and it does not
    /// accept them.
    private func keep(_ renewed: Credential, under lease: any CredentialLease) async throws(RefreshError) -> Credential
    {
        // Until then they can be lost like a response in transit.
        defer { onNotice(.asked(key)) }
        var renewed = renewed
        var refusal: SecretVaultError?
        var attempt = 0
        var isKept = false
        while !isKept {
            attempt += 1
            do {
                // This also removes the journal, which is about a token that is gone.
                let leftover = try await lease.save(renewed)
                if let refusal { onNotice(.keptInFile(key, refusal, leftover: leftover)) }
                isKept = true
            } catch .keyring(_, let cause) where renewed.isInKeyring && (!cause.mayPass || attempt > 1) {
                refusal = cause
                renewed.isInKeyring = false
                attempt = 0
            } catch .tokensUnstored(let path, let cause) {
                throw .notKept(.tokensUnstored(path: path, cause))
            } catch {
                // The journal stays, and shows the next process that the token was sent.
                if attempt == Self.savingAttempts { throw .notKept(error) }
                do {
                    try await client.sleep(Self.pause)
                } catch {
                    // Cancelled: try again without a pause.
                }
            }
        }
        return renewed
    }

    /// Interprets a response that issued nothing, and records it.
    ///
    /// - Parameter firstSent: when this token was sent without a known outcome; nil if it never was.
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
        // This call used up nothing. The outcome of an earlier one, if any, is still unknown.
        if firstSent == nil { await write(nil, under: lease) }
        return switch error {
        case .notSent(.cancelled): .cancelled
        case .notSent(let cause): .unreachable(cause)
        case .rateLimited(let retryAfter): .rateLimited(retryAfter: retryAfter)
        case .outcomeUnknown(let cause): .unavailable(cause)
        case .redirected, .otherStatus, .refused, .refusedOtherwise: .service(error)
        }
    }

    /// Writes the journal. The service's response matters more than a failure to write it: the next process that asks
    /// gets the response again.
    private func write(_ journal: RefreshJournal?, under lease: any CredentialLease) async {
        do { try await lease.setJournal(journal) } catch {}
    }

    /// Records that renewing these tokens again would not help against a 401, unless the journal already records more.
    func markFutile(_ refused: Secret) async throws(CredentialError) {
        let lease = try await store.lease(key, patience: Self.patience) {}
        defer { lease.release() }
        guard let credential = try await lease.load(), credential.accessToken == refused,
            let token = credential.refreshToken, try await lease.journal() == nil
        else { return }
        try await lease.setJournal(journal(token, .futile))
    }

    /// Records that the service rejects this access token, if it is the current one and its renewal was refused.
    func markInvalid(_ accessToken: Secret) async throws(CredentialError) {
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
}

/// Why there is no usable token. None of these cases ever removes or empties a credential.
package enum RefreshError: Error, Equatable, Sendable {
    /// There is no credential for this key.
    case notSignedIn(CredentialKey)
    /// A token of this kind cannot be renewed.
    case notRenewable(Credential.Kind)
    /// The access token has expired or is unwanted, and there is no refresh token.
    case noRefreshToken
    /// The service refused this refresh token: a new sign-in is needed. `status` is nil if it did so earlier, and was not
    /// asked again. `at` is in milliseconds since 1970 UTC.
    case refused(status: Int?, message: String?, at: Int64)
    /// The service issued new tokens at this time, in milliseconds since 1970 UTC, and the response never arrived. The
    /// old tokens are invalid and the new ones are lost: a new sign-in is needed.
    case lost(at: Int64)
    /// The service cannot be reached; no token was used up.
    case unreachable(HTTPTransportError)
    /// The response was lost or could not be understood, twice. The tokens may be valid or used up; the next attempt
    /// will show.
    case unavailable(OAuthError.Unknown)
    /// Too many requests, even after waiting; no token was used up. `retryAfter` is in seconds.
    case rateLimited(retryAfter: Double?)
    /// Another inconclusive response: a redirect, 403, 404, a page of a proxy, ...
    case service(OAuthError)
    /// The credential cannot be read, locked or written.
    case credential(CredentialError)
    /// The service issued new tokens, and they could not be stored: a new sign-in is needed.
    case notKept(CredentialError)
    /// The task was cancelled.
    case cancelled
}

extension RefreshError {
    /// Rethrows the error of a store as `.credential`.
    static func wrapping<Value>(
        _ work: () async throws(CredentialError) -> Value
    ) async throws(RefreshError) -> Value {
        do {
            return try await work()
        } catch {
            throw .credential(error)
        }
    }

    /// Whether an access token that has not expired may still be used after this error, because it is not known to be
    /// invalid. A refusal concerns the refresh token.
    var leavesTokenUsable: Bool {
        switch self {
        case .unreachable, .unavailable, .rateLimited, .service, .noRefreshToken, .refused: true
        case .credential(let error): error != .cancelled
        case .notSignedIn, .notRenewable, .lost, .notKept, .cancelled: false
        }
    }
}

extension RefreshError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notSignedIn(let key): "not signed in to \(key.words)"
        case .notRenewable(.staticToken): "a static token cannot be renewed"
        case .notRenewable(.legacy): "a legacy token cannot be renewed"
        case .notRenewable(.oauth), .noRefreshToken: "the service gave no refresh token for this sign-in"
        case .refused(let status, let message, _):
            "the service refused the refresh token" + (status.map { " (\($0))" } ?? " earlier")
                + (message.map { ": " + $0 } ?? "")
        case .lost:
            "the service renewed the tokens, but its response with them was lost, and the old ones are invalid"
        case .unreachable(let cause): "the service cannot be reached: \(cause)"
        case .unavailable(let cause): OAuthError.outcomeUnknown(cause).description
        case .rateLimited(let retryAfter): OAuthError.rateLimited(retryAfter: retryAfter).description
        case .service(let error): error.description
        case .credential(let error): error.description
        case .notKept(let error): "the new tokens could not be saved: \(error)"
        case .cancelled: "renewing the token was cancelled"
        }
    }
}
