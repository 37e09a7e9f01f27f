import CloverAuth
import CloverHTTP
import CloverSystem
import FoundationEssentials
import Glibc
import ProbeSupport
import Testing

@Suite("Renewing tokens in several processes")
struct RefreshProcessTests {
    private let temporary: TemporaryDirectory
    private let store: FileCredentialStore
    private let key: CredentialKey

    init() throws {
        temporary = try TemporaryDirectory()
        store = FileCredentialStore(state: StateDirectory(path: temporary.path))
        key = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
    }

    private var service: RotatingService {
        RotatingService(path: temporary.path("service"), now: { TokenClock.live.wall() / 1000 })
    }

    private func refresher() -> TokenRefresher {
        let client = OAuthClient(
            endpoints: OAuthEndpoints(webBaseURL: "https://web.example", apiBaseURL: "https://api.example"),
            transport: service, clock: .live, sleep: { _ in })
        return TokenRefresher(store: store, client: client, clock: .live, onNotice: { _ in })
    }

    /// Tokens of this generation that ended a while ago.
    private func expired(_ generation: Int = 0) -> Credential {
        let now = TokenClock.live.now
        let then = TokenClock.Reading(
            wall: now.wall - 3_600_000, boot: now.boot - 3_600_000, bootID: now.bootID)
        return Credential(
            key: key,
            issued: IssuedTokens(
                accessToken: Secret("a-\(generation)"), refreshToken: Secret("r-\(generation)"),
                accessTokenExpires: then.wall / 1000 + 1800, askedAt: then), origin: .login)
    }

    @Test("Many processes that start on an expired token renew it once, and all get the new one")
    func oneRefresh() async throws {
        try await store.save(expired())
        var probes: [ProbeProcess] = []
        for _ in 0..<32 { probes.append(try ProbeProcess("current", temporary.path, "M1")) }
        for probe in probes { #expect(await probe.line() == "ready") }
        for probe in probes { probe.go() }
        for probe in probes { #expect(await probe.lines() == ["token a-1"]) }
        #expect(try await service.counts() == .init(generation: 1, refused: 0, requests: 1))
        #expect(try temporary.names("credentials") == ["us_M1_APP.json", "us_M1_APP.json.lock"])
    }

    @Test("A process that is killed before the service worked costs nothing")
    func killedBefore() async throws {
        try await store.save(expired())
        let probe = try ProbeProcess("halt", temporary.path, "M1", "before")
        #expect(await probe.line() == "before")
        await probe.killNow()
        #expect(try temporary.names("credentials").contains("us_M1_APP.refresh.json"))
        #expect(try await refresher().current(key).accessToken == Secret("a-1"))
        #expect(try temporary.names("credentials") == ["us_M1_APP.json", "us_M1_APP.json.lock"])
    }

    @Test("A process that is killed after the service worked leaves an explanation of the loss")
    func killedAfter() async throws {
        try await store.save(expired())
        let before = try temporary.read("credentials/us_M1_APP.json")
        let probe = try ProbeProcess("halt", temporary.path, "M1", "after")
        #expect(await probe.line() == "after")
        await probe.killNow()
        let error = await #expect(throws: RefreshError.self) { try await refresher().current(key) }
        guard case .lost = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try temporary.read("credentials/us_M1_APP.json") == before)
        #expect(try await service.counts() == .init(generation: 1, refused: 1, requests: 2))
    }

    @Test("Others wait for a process that renews, and one that dies lets them go on")
    func diesWhileOthersWait() async throws {
        try await store.save(expired())
        let holder = try ProbeProcess("halt", temporary.path, "M1", "before")
        #expect(await holder.line() == "before")
        let waiter = try ProbeProcess("current", temporary.path, "M1")
        #expect(await waiter.line() == "ready")
        waiter.go()
        await holder.killNow()
        #expect(await waiter.lines() == ["token a-1"])
    }

    @Test("A process that is killed anywhere leaves a whole pair, or a journal that explains its loss")
    func killedAnywhere() async throws {
        var random = SeededGenerator(seed: 7)
        var losses = 0
        try await store.save(expired())
        // Both ends must have happened, or this test shows less than it says; which one a kill makes is a matter of chance.
        for round in 0..<1000 where round < 60 || losses == 0 || losses == round {
            let before = try await service.counts().generation
            let probe = try ProbeProcess("renew", temporary.path, "M1", "100000")
            #expect(await probe.line() == "ready")
            probe.go()
            let service = service
            #expect(try await eventually { try await service.counts().generation > before })
            for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
            await probe.killNow()

            let kept = try #require(try await store.load(key))
            let generation = try await service.counts().generation
            let token = try #require(kept.refreshToken)
            let lease = try await store.lease(key, patience: 60, onWait: {})
            let journal = try await lease.journal()
            lease.release()
            if token == Secret("r-\(generation)") {
                #expect(kept.accessToken == Secret("a-\(generation)"))
                #expect(try await refresher().refreshNow(key).accessToken == Secret("a-\(generation + 1)"))
            } else {
                losses += 1
                #expect(token == Secret("r-\(generation - 1)"))
                #expect(kept.accessToken == Secret("a-\(generation - 1)"))
                #expect(journal?.state == .sent)
                #expect(journal?.isAbout(token) == true)
                let error = await #expect(throws: RefreshError.self) { try await refresher().refreshNow(key) }
                #expect(error == .lost(at: try #require(journal).at))
                try await store.save(expired(generation))
            }
            #expect(try temporary.names("credentials") == ["us_M1_APP.json", "us_M1_APP.json.lock"])
        }
        #expect(losses > 0 && losses < 1000)
    }

    @Test("On a full disk nothing is sent, nothing is damaged, and everything says why")
    func fullDisk() async throws {
        try await store.save(expired())
        try await ProfileStore(state: StateDirectory(path: temporary.path)).set("old", key)
        try await store.setCurrentChoice(SignedIn(key: key))
        let names = ["credentials/us_M1_APP.json", "profiles.json", "current.json"]
        let before = try names.map { try temporary.read($0) }
        let probe = try ProbeProcess("full", temporary.path, "M1", "10")
        #expect(await probe.lines() == ["save full", "choose full", "profile full", "current full"])
        #expect(try names.map { try temporary.read($0) } == before)
        #expect(try await service.counts().requests == 0)
        #expect(
            try temporary.names("credentials") == [
                "us_M1_APP.json", "us_M1_APP.json.lock", "us_OTHER_APP.json.lock",
            ])
        #expect(try await refresher().current(key).accessToken == Secret("a-1"))
    }

    @Test("A disk with room for the journal alone is found full before anything is sent")
    func almostFullDisk() async throws {
        try await store.save(expired())
        let probe = try ProbeProcess("full", temporary.path, "M1", "8000")
        #expect(await probe.lines() == ["save done", "choose done", "profile done", "current full"])
        #expect(try await service.counts().requests == 0)
        #expect(try await refresher().current(key).accessToken == Secret("a-1"))
    }

    @Test("In a directory that cannot be written, tokens are read, nothing is sent, and everything says why")
    func readOnly() async throws {
        try await store.save(expired())
        let paths = ["credentials/us_M1_APP.json", "credentials/us_M1_APP.json.lock", "credentials", "."]
        // The probe becomes another user when this one is root, and needs its own files.
        if geteuid() == 0 { for path in paths { #expect(chown(temporary.path(path), 65_534, 65_534) == 0) } }
        let before = try temporary.read("credentials/us_M1_APP.json")
        #expect(chmod(temporary.path("credentials/us_M1_APP.json.lock"), 0o400) == 0)
        #expect(chmod(temporary.path("credentials"), 0o500) == 0)
        #expect(chmod(temporary.path("."), 0o500) == 0)
        defer {
            chmod(temporary.path("."), 0o700)
            chmod(temporary.path("credentials"), 0o700)
        }
        let probe = try ProbeProcess("denied", temporary.path, "M1")
        #expect(
            await probe.lines() == [
                "load done", "save denied", "choose denied", "profile denied", "current denied",
            ])
        #expect(try temporary.read("credentials/us_M1_APP.json") == before)
        #expect(try temporary.names() == ["credentials"])
    }
}
