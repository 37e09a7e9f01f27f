import CloverAPI
import CloverAuth
import CloverHTTP
import CloverSystem
import FoundationEssentials
import Synchronization

/// A sign-in in the state directory.
struct StoredSignIn: Sendable {
    /// As it was when it was read.
    let credential: Credential
    let store: FileCredentialStore
    private let state: StateDirectory

    /// The current sign-in, if it fits, or the only one that does.
    init(_ merchantID: String?, _ environment: String?, in state: StateDirectory) async throws {
        self.state = state
        store = FileCredentialStore(
            state: state, vault: SecretServiceVault(variables: ProcessInfo.processInfo.environment))
        let wanted = try environment.map { try ServiceEnvironment(parsing: $0).name }
        func fits(_ key: CredentialKey) -> Bool {
            (merchantID == nil || key.merchantID == merchantID) && (wanted == nil || key.environment == wanted)
        }
        var keys = try await store.keys().filter(fits)
        if let current = try await store.current(), keys.contains(current) { keys = [current] }
        guard keys.count == 1, let found = try await store.load(keys[0]) else {
            throw CloverError.signIn(isAmbiguous: keys.count > 1, merchantID: merchantID, environment: environment)
        }
        credential = found
    }

    func tokens(
        _ service: ServiceEnvironment, _ transport: any HTTPTransport,
        _ sleep: @escaping @Sendable (Double) async throws -> Void
    ) -> any AccessTokenSource {
        let client = OAuthClient(
            endpoints: OAuthEndpoints(webBaseURL: service.webBaseURL, apiBaseURL: service.apiBaseURL),
            transport: transport, clock: .live, sleep: sleep)
        return SharedTokens(
            credential, store: store,
            refresher: TokenRefresher(store: store, client: client, clock: .live, onNotice: { _ in }))
    }

    /// Whether there are tokens that are valid, or can be renewed.
    func isUsable() async throws -> Bool {
        guard let credential = try await store.load(credential.key) else { return false }
        let now = TokenClock.live.now
        return credential.refreshToken == nil
            ? !Freshness.judge(credential, now: now).isExpired
            : !Freshness.isRefreshTokenExpired(credential, now: now)
    }

    /// Removes the tokens and the names of the sign-in, after a renewal in progress.
    func remove() async throws {
        let key = credential.key
        let lease = try await store.lease(key, patience: Self.timeout, onWait: {})
        defer { lease.release() }
        _ = try await lease.remove()
        lease.release()
        try await store.forgetChoice(of: key)
        try await ProfileStore(state: state).removeAll(key)
    }

    /// Timeout in seconds for a renewal by another process.
    private static let timeout: Double = 120
}

/// The tokens of a stored sign-in, renewed when due, once for all processes.
final class SharedTokens: AccessTokenSource {
    private let key: CredentialKey
    private let store: any CredentialStore
    private let refresher: TokenRefresher
    private let kept: Mutex<(credential: Credential, isChecked: Bool)>

    /// - Parameter first: the credential as just read.
    init(_ first: Credential, store: any CredentialStore, refresher: TokenRefresher) {
        key = first.key
        self.store = store
        self.refresher = refresher
        kept = Mutex((first, false))
    }

    func token() async throws -> Secret {
        let (credential, isChecked) = current
        guard !Freshness.judge(credential, now: TokenClock.live.now).isDue else {
            return keep(try await renewing { () async throws(RefreshError) in try await refresher.current(key) })
        }
        if !isChecked {
            try await renewing { () async throws(RefreshError) in try await refresher.checkValidity(of: credential) }
            _ = keep(credential)
        }
        return credential.accessToken
    }

    func replacement(for refused: Secret, isGood: () async throws -> Bool) async throws -> Secret? {
        if let stored = try await store.load(key), stored.accessToken != refused { return keep(stored) }
        if try await refresher.isFutile(key, for: refused) { return nil }
        if try await refresher.isNew(refused, of: key) {
            try await refresher.noteRefusal(key, of: refused)
            return nil
        }
        // Otherwise a program that lacks a permission would renew the tokens on each run.
        if try await isGood() { return nil }
        return try await renewing { () async throws(RefreshError) in
            try await refresher.replacement(key, for: refused)
        }.map(keep)
    }

    /// Throws the errors of a renewal with the name of the merchant.
    private func renewing<Value>(_ body: () async throws(RefreshError) -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw CloverError.renewing(key, error)
        }
    }

    func noteRefusal(ofReplacement token: Secret) async {
        do {
            try await refresher.noteRefusal(key, of: token)
        } catch {
            // The next run then renews them once more, as this run did.
        }
    }

    /// Not inlined: Swift 6.3 can keep the address of a lock's owner across a suspension.
    @inline(never)
    private var current: (Credential, Bool) { kept.withLock { ($0.credential, $0.isChecked) } }

    @inline(never)
    private func keep(_ credential: Credential) -> Secret {
        kept.withLock { $0 = (credential, true) }
        return credential.accessToken
    }
}
