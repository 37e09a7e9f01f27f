import CloverAuth
import CloverFleet
import CloverHTTP
import CloverSystem
import ProbeSupport
import Testing

/// A store of credentials, in files or in a database, and a token service beside it.
struct TokenWorld {
    let store: any CredentialStore
    let names: ProfileStore
    let directory: TemporaryDirectory
    /// Nil for files.
    let database: FleetWorld?
    let key: CredentialKey

    /// - Parameter own: whether the database has a separate server, which may be stopped.
    init(_ kind: FleetWorld.Store, own: Bool = false) async throws {
        directory = try TemporaryDirectory()
        key = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
        let files = FileCredentialStore(state: StateDirectory(path: directory.path))
        switch kind {
        case .files:
            database = nil
            store = files
            names = ProfileStore(state: StateDirectory(path: directory.path))
        case .postgreSQL:
            let database = try await FleetWorld(own: own)
            self.database = database
            let shared = Self.store(database.url, in: directory)
            _ = try await Self.keys(database.url, in: directory) { (keys) throws(CredentialError) in try keys.create() }
            try directory.write("database", database.url + "\n" + directory.path("service"))
            store = shared
            names = ProfileStore(shared.names)
        }
    }

    static func store(
        _ url: String, in directory: TemporaryDirectory, patience: Double = 0, tokenPatience: Double = 60
    ) -> FleetCredentialStore {
        FleetCredentialStore(
            url, keys: StateKeyFile(directory: directory.path),
            choices: FileCredentialStore(state: StateDirectory(path: directory.path)),
            state: StateDirectory(path: directory.path), patience: patience, tokenPatience: tokenPatience,
            grace: 0.3)
    }

    static func keys<Value: Sendable>(
        _ url: String, in directory: TemporaryDirectory,
        _ body: @escaping @Sendable (StateKeys) throws(CredentialError) -> Value
    ) async throws -> Value {
        let file = StateKeyFile(directory: directory.path)
        return try await DedicatedThread.run { () throws(CredentialError) in
            try body(
                StateKeys(url, file, state: StateDirectory(path: directory.path), now: 1_700_000_000))
        }
    }

    /// Another machine, with a copy of the key.
    func machine(copiesKey: Bool = true) throws -> TemporaryDirectory {
        let other = try TemporaryDirectory()
        try other.write("database", String(decoding: try directory.read("database"), as: UTF8.self))
        if copiesKey {
            try other.write(
                StateKeyFile.name, String(decoding: try directory.read(StateKeyFile.name), as: UTF8.self), mode: 0o600)
        }
        return other
    }

    // MARK: Tokens

    var service: RotatingService {
        RotatingService(path: directory.path("service"), now: { TokenClock.live.wall() / 1000 })
    }

    /// - Parameter store: another store of the same credentials.
    func refresher(_ store: (any CredentialStore)? = nil) -> TokenRefresher {
        let client = OAuthClient(
            endpoints: OAuthEndpoints(webBaseURL: "https://web.example", apiBaseURL: "https://api.example"),
            transport: service, clock: .live, sleep: { _ in })
        return TokenRefresher(store: store ?? self.store, client: client, clock: .live, onNotice: { _ in })
    }

    func credential(_ name: String = "1", key: CredentialKey? = nil) -> Credential {
        Credential(
            key: key ?? self.key, kind: .oauth, accessToken: Secret("a-" + name), refreshToken: Secret("r-" + name),
            createdAt: 1)
    }

    /// Tokens of this generation that ended a while ago.
    func expired(_ generation: Int = 0) -> Credential {
        let now = TokenClock.live.now
        let then = TokenClock.Reading(wall: now.wall - 3_600_000, boot: now.boot - 3_600_000, bootID: now.bootID)
        return Credential(
            key: key,
            issued: IssuedTokens(
                accessToken: Secret("a-\(generation)"), refreshToken: Secret("r-\(generation)"),
                accessTokenExpires: then.wall / 1000 + 1800, askedAt: then), origin: .login)
    }

    func journal(_ token: String = "r-1", state: RefreshJournal.State = .refused) -> RefreshJournal {
        RefreshJournal(
            tokenHash: SecretHash.hexadecimal(of: Secret(token)), state: state, at: 1_700_000_000_123, pid: 42,
            httpStatus: 401, message: "no")
    }
}
