import CloverAuth
import CloverFleet
import CloverHTTP
import CloverSystem
import Glibc
import ProbeSupport

/// Plays a process that renews tokens. The service is the directory `service` in the state directory. A file `database` there names
/// a database that keeps the tokens; its keys are in the state directory of the process. Arguments after
/// the state directory: the merchant, and what the command needs.
struct Renewals {
    private let state: StateDirectory
    private let key: CredentialKey
    private let rest: [String]

    init(_ words: [String]) throws {
        state = StateDirectory(path: words[1])
        key = try CredentialKey(environment: "us", merchantID: words[2], appID: "APP")
        rest = Array(words.dropFirst(3))
    }

    /// The address of the database and the path of the service's state, if the tokens are in a database.
    private var shared: (url: String, service: String)? {
        guard let file = fopen(state.path + "/database", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [CChar](repeating: 0, count: 1024)
        let count = fread(&bytes, 1, bytes.count, file)
        let lines = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
            separator: "\n")
        return lines.count == 2 ? (String(lines[0]), String(lines[1])) : nil
    }

    private var store: any CredentialStore {
        let files = FileCredentialStore(state: state)
        return shared.map {
            FleetCredentialStore(
                $0.url, keys: StateKeyFile(directory: state.path), choices: files, state: state, patience: 60,
                grace: 0.3)
        } ?? files
    }

    private func refresher(
        fault: @escaping @Sendable (Int) async -> RotatingService.Fault? = { _ in nil },
        onRotation: @escaping @Sendable () async -> Void = {}
    ) -> TokenRefresher {
        let service = RotatingService(
            path: shared?.service ?? state.path + "/service", now: { TokenClock.live.wall() / 1000 }, fault: fault,
            onRotation: onRotation)
        let client = OAuthClient(
            endpoints: OAuthEndpoints(webBaseURL: "https://web.example", apiBaseURL: "https://api.example"),
            transport: service, clock: .live, sleep: { try await Task.sleep(for: .seconds($0 / 100)) })
        return TokenRefresher(
            store: store, client: client, clock: .live, onNotice: { _ in })
    }

    /// `current STATE MERCHANT`: prints the token that a command would use now, or the error.
    func current() async throws {
        let refresher = refresher()
        Main.tell("ready")
        Main.waitForParent()
        do {
            Main.tell("token \(try await refresher.current(key).accessToken.exposed)")
        } catch {
            Main.tell("error \(error)")
        }
    }

    /// `renew STATE MERCHANT ROUNDS`: renews again and again.
    func renew() async throws {
        let refresher = refresher()
        Main.tell("ready")
        Main.waitForParent()
        for _ in 0..<(rest.first.flatMap { Int($0) } ?? 1) { _ = try await refresher.refreshNow(key) }
        Main.tell("renewed")
    }

    /// `halt STATE MERCHANT before|after`: renews, and stays for ever just before or after the service has worked.
    func halt() async throws {
        let place = rest.first
        let stay: @Sendable (String) -> Void = { here in
            guard here == place else { return }
            Main.tell(here)
            Main.waitForParent()
        }
        let refresher = refresher(
            fault: { _ in
                stay("before")
                return nil
            }, onRotation: { stay("after") })
        _ = try await refresher.current(key)
        Main.tell("renewed")
    }

    /// `full STATE MERCHANT BYTES`: tries everything that writes, while no file may grow beyond this size, and
    /// prints how each ends. A limit on the size of files stands for a full disk, because anybody may set it
    /// (setrlimit(2)); without the signal, writing fails as on a full disk, with another number.
    func full() async throws {
        signal(SIGXFSZ, SIG_IGN)
        let bytes = rlim_t(rest.first.flatMap { UInt($0) } ?? 0)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { throw Main.UsageError() }
        try await tryEverything()
    }

    /// `denied STATE MERCHANT`: tries everything that writes, as a user to whom the permission bits apply, and prints
    /// how each ends.
    func denied() async throws {
        // An unprivileged user: permission bits do not restrict root.
        if geteuid() == 0, setuid(65_534) != 0 { throw Main.UsageError() }
        await report("load") { _ = try await FileCredentialStore(state: state).load(key) }
        try await tryEverything()
    }

    private func tryEverything() async throws {
        let store = FileCredentialStore(state: state)
        let other = try CredentialKey(environment: "us", merchantID: "OTHER", appID: "APP")
        let credential = Credential(key: other, kind: .oauth, accessToken: Secret("t"), createdAt: 1)
        await report("save") { try await store.save(credential) }
        await report("choose") { try await store.setCurrentChoice(SignedIn(key: other)) }
        await report("profile") { try await ProfileStore(state: state).set("new", other) }
        await report("current") { _ = try await refresher().current(key) }
    }

    private func report(_ name: String, _ work: () async throws -> Void) async {
        do {
            try await work()
            Main.tell("\(name) done")
        } catch CredentialError.storage(.system(_, _, let number)),
            RefreshError.credential(.storage(.system(_, _, let number)))
        {
            Main.tell("\(name) \([EFBIG: "full", EACCES: "denied"][number] ?? "\(number)")")
        } catch {
            Main.tell("\(name) \(error)")
        }
    }
}
