import CloverAuth
import CloverHTTP
import CloverSystem
import ProbeSupport

/// A store, a service and clocks for tests of renewals; the service's present refresh token is in the store.
struct RefreshBench {
    let temporary: TemporaryDirectory
    let store: FileCredentialStore
    let key: CredentialKey
    let time = TestClock()
    let pauses = PauseRecorder()
    let notices = NoticeLog()

    let journalFile = "credentials/us_M1_APP.refresh.json"
    let credentialFile = "credentials/us_M1_APP.json"

    init(vault: (any SecretVault)? = nil) throws {
        temporary = try TemporaryDirectory()
        store = FileCredentialStore(state: StateDirectory(path: temporary.path), vault: vault)
        key = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
    }

    func service(
        fault: @escaping @Sendable (_ request: Int) async -> RotatingService.Fault? = { _ in nil },
        onRotation: @escaping @Sendable () async -> Void = {}
    ) -> RotatingService {
        RotatingService(
            path: temporary.path("service"), now: { [time] in time.clock.wall() / 1000 }, fault: fault,
            onRotation: onRotation)
    }

    func client(
        _ service: any HTTPTransport, sleep: (@Sendable (Double) async throws -> Void)? = nil
    ) -> OAuthClient {
        OAuthClient(
            endpoints: OAuthEndpoints(webBaseURL: "https://web.example", apiBaseURL: "https://api.example"),
            transport: service, clock: time.clock, sleep: sleep ?? pauses.sleep)
    }

    func refresher(
        _ service: any HTTPTransport, sleep: (@Sendable (Double) async throws -> Void)? = nil
    ) -> TokenRefresher {
        TokenRefresher(store: store, client: client(service, sleep: sleep), clock: time.clock) { [notices] in
            notices.add($0)
        }
    }

    /// Tokens of this generation, as the service would have issued them now.
    func credential(_ generation: Int = 0, life: Int64? = 1800, inKeyring: Bool = false) -> Credential {
        let now = time.clock.now
        return Credential(
            key: key,
            issued: IssuedTokens(
                accessToken: Secret("a-\(generation)"), refreshToken: Secret("r-\(generation)"),
                accessTokenExpires: life.map { now.wall / 1000 + $0 }, askedAt: now), origin: .login,
            inKeyring: inKeyring)
    }

    /// Signs in, and lets the access token end, except for this many seconds.
    func signInExpired(secondsLeft: Int64 = -1, inKeyring: Bool = false) async throws {
        try await store.save(credential(inKeyring: inKeyring))
        time.advance(seconds: 1800 - secondsLeft)
    }

    /// What the journal says now.
    func journal() async throws -> RefreshJournal? {
        try await store.lease(key, patience: 60, onWait: {}).journal()
    }

    /// Writes a journal about the refresh token of this generation.
    func write(_ state: RefreshJournal.State, about generation: Int = 0, at: Int64 = 5) async throws {
        try await store.lease(key, patience: 60, onWait: {}).setJournal(
            RefreshJournal(
                tokenHash: SecretHash.hexadecimal(of: Secret("r-\(generation)")), state: state, at: at, pid: 1,
                httpStatus: state == .refused ? 400 : nil, message: state == .refused ? "gone" : nil))
    }
}
