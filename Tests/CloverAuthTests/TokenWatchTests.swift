import CloverAuth
import CloverHTTP
import CloverSystem
import FoundationEssentials
import Glibc
import ProbeSupport
import Testing

@Suite("Token events")
struct TokenWatchTests {
    private let bench: RefreshBench

    init() throws {
        bench = try RefreshBench()
    }

    private var key: CredentialKey { bench.key }

    private typealias Iterator = AsyncThrowingStream<TokenEvent, any Error>.Iterator

    private func watch(of keys: Set<CredentialKey>? = nil) async throws -> Iterator {
        try await bench.store.events(of: keys, clock: bench.time.clock).makeAsyncIterator()
    }

    private func event(
        _ kind: TokenEvent.Kind, generation: Int? = nil, expires: Int64? = nil, key: CredentialKey? = nil
    ) -> TokenEvent {
        TokenEvent(
            kind: kind, key: key ?? self.key, at: bench.time.clock.wall(), generation: generation,
            accessTokenExpires: expires, refreshTokenExpires: nil)
    }

    @Test("A sign-in, a renewal, a refusal and a removal are reported once each", .timeLimit(.minutes(10)))
    func life() async throws {
        var events = try await watch()
        let expires = bench.time.clock.wall() / 1000 + 1800
        try await bench.signInExpired()
        #expect(try await events.next() == event(.new, generation: 0, expires: expires))
        let renewed = try await bench.refresher(bench.service()).current(key)
        let second = try #require(try await events.next())
        #expect(second.kind == .refreshed)
        #expect(second.generation == 1)
        #expect(second.accessTokenExpires == renewed.accessTokenExpires)
        #expect(second.refreshTokenExpires == renewed.refreshTokenExpires)
        let service = bench.service(fault: { _ in .answer(401, "invalid_grant") })
        await #expect(throws: RefreshError.self) { try await bench.refresher(service).refreshNow(key) }
        #expect(try await events.next()?.kind == .invalidated)
        _ = try await bench.store.remove(key)
        #expect(try await events.next() == event(.deleted))
        try await bench.store.save(bench.credential(3))
        #expect(try await events.next()?.kind == .new)
    }

    @Test("The loss of a pair is reported", .timeLimit(.minutes(10)))
    func lost() async throws {
        try await bench.signInExpired()
        var events = try await watch()
        let service = bench.service(fault: { $0 == 1 ? .loseAnswer : nil })
        await #expect(throws: RefreshError.self) { try await bench.refresher(service).current(key) }
        #expect(try await events.next()?.kind == .invalidated)
    }

    @Test("A watch that begins does not tell what is there, and a change of no token is none", .timeLimit(.minutes(10)))
    func quiet() async throws {
        try await bench.store.save(bench.credential())
        var events = try await watch()
        try await bench.store.save(bench.credential())
        try await bench.write(.sent)
        try await bench.write(.refused, about: 99)
        try await bench.store.setCurrentChoice(SignedIn(key: key))
        try await bench.store.save(bench.credential(2))
        #expect(try await events.next()?.kind == .new)
    }

    @Test(
        "Other tokens that are no renewal are new",
        arguments: [Credential.Origin.login, .receive, .migration, .token, .refresh])
    func origins(origin: Credential.Origin) async throws {
        try await bench.store.save(bench.credential())
        var events = try await watch()
        try await bench.store.save(
            Credential(key: key, kind: .oauth, accessToken: Secret("b"), createdAt: 9, origin: origin, generation: 1))
        #expect(try await events.next()?.kind == .new)
    }

    @Test("Only the requested credentials are reported", .timeLimit(.minutes(10)))
    func filtered() async throws {
        let other = try CredentialKey(environment: "us", merchantID: "M2")
        var events = try await watch(of: [other])
        try await bench.store.save(bench.credential())
        try await bench.store.save(Credential(key: other, kind: .staticToken, accessToken: Secret("t"), createdAt: 1))
        #expect(try await events.next() == event(.new, generation: 0, key: other))
    }

    @Test("The directory is made, closed to others", .timeLimit(.minutes(10)))
    func directoryIsMade() async throws {
        _ = try await watch()
        #expect(try bench.temporary.mode("credentials") == 0o700)
    }

    @Test("A directory that others may enter, or a link, is refused")
    func unsafeDirectory() async throws {
        try bench.temporary.makeDirectory("credentials", mode: 0o750)
        let path = bench.temporary.path("credentials")
        await #expect(throws: CredentialError.storage(.refused(path: path, .looseMode(0o750)))) { try await watch() }
    }

    @Test("A directory that is removed and made again is watched on", .timeLimit(.minutes(10)))
    func directoryRemoved() async throws {
        try await bench.store.save(bench.credential())
        var events = try await watch()
        for round in 1...3 {
            try FileManager.default.removeItem(atPath: bench.temporary.path("credentials"))
            #expect(try await events.next()?.kind == .deleted)
            try await bench.store.save(bench.credential(round))
            #expect(try await events.next()?.kind == .new)
        }
    }

    @Test("Not even the loss of the state directory ends the watch", .timeLimit(.minutes(10)))
    func stateRemoved() async throws {
        let state = StateDirectory(path: bench.temporary.path("a/b/state"))
        let store = FileCredentialStore(state: state)
        try await store.save(bench.credential())
        var events = try await store.events(of: nil, clock: bench.time.clock).makeAsyncIterator()
        try FileManager.default.removeItem(atPath: bench.temporary.path("a"))
        #expect(try await events.next()?.kind == .deleted)
        try await store.save(bench.credential(1))
        #expect(try await events.next()?.kind == .new)
    }

    @Test("A directory that is moved away counts as removed, and another in its place as new", .timeLimit(.minutes(10)))
    func directoryMoved() async throws {
        try await bench.store.save(bench.credential())
        var events = try await watch()
        #expect(rename(bench.temporary.path("credentials"), bench.temporary.path("elsewhere")) == 0)
        #expect(try await events.next()?.kind == .deleted)
        #expect(rename(bench.temporary.path("elsewhere"), bench.temporary.path("credentials")) == 0)
        #expect(try await events.next()?.kind == .new)
    }

    @Test("A file that cannot be read is an event, and the watch goes on", .timeLimit(.minutes(10)))
    func unreadable() async throws {
        try await bench.store.save(bench.credential())
        let good = try bench.temporary.read(bench.credentialFile)
        var events = try await watch()
        let path = bench.temporary.path(bench.credentialFile)
        #expect(chmod(path, 0o644) == 0)
        #expect(
            try await events.next()
                == event(.unreadable(.storage(.refused(path: path, .looseMode(0o644))))))
        try bench.temporary.write(bench.credentialFile, #"{"version":2}"#)
        #expect(
            try await events.next() == event(.unreadable(.newerVersion(path: path, found: 2, supported: 1))))
        // The same tokens again are nothing new; other ones are.
        try bench.temporary.write(bench.credentialFile, bytes: good)
        try await bench.store.save(bench.credential(1))
        #expect(try await events.next()?.kind == .new)
    }

    @Test("Tokens in the keyring are watched without asking it", .timeLimit(.minutes(10)))
    func keyring() async throws {
        let vault = MemoryVault()
        let bench = try RefreshBench(vault: vault)
        var events = try await bench.store.events(of: nil, clock: bench.time.clock).makeAsyncIterator()
        try await bench.signInExpired(inKeyring: true)
        #expect(try await events.next()?.kind == .new)
        _ = try await bench.refresher(bench.service()).current(key)
        vault.forgetSteps()
        #expect(try await events.next()?.kind == .refreshed)
        #expect(vault.steps == [])
        let service = bench.service(fault: { _ in .answer(401, "invalid_grant") })
        await #expect(throws: RefreshError.self) { try await bench.refresher(service).refreshNow(key) }
        #expect(try await events.next()?.kind == .invalidated)
    }

    @Test("More changes than the kernel's queue holds end with the last one reported", .timeLimit(.minutes(10)))
    func overflow() async throws {
        var events = try await watch()
        // No events are read meanwhile. The queue holds 16,384 by default (inotify(7)).
        let limit = try #require(
            Int(
                String(
                    decoding: try Data(contentsOf: URL(filePath: "/proc/sys/fs/inotify/max_queued_events")),
                    as: UTF8.self
                )
                .prefix { $0.isNumber }))
        for number in 0..<(limit / 2 + 100) {
            let file = open(bench.temporary.path("credentials/noise-\(number % 2)"), O_CREAT | O_WRONLY, 0o600)
            close(file)
            unlink(bench.temporary.path("credentials/noise-\(number % 2)"))
        }
        try await bench.store.save(bench.credential(1))
        #expect(try await events.next()?.kind == .new)
    }

    @Test("Cancelling the reader ends the stream", .timeLimit(.minutes(10)))
    func cancellation() async throws {
        let stream = try await bench.store.events(of: nil, clock: .live)
        let reader = Task {
            var count = 0
            for try await _ in stream { count += 1 }
            return count
        }
        await Task.yield()
        reader.cancel()
        #expect(try await reader.value == 0)
    }

    @Test("Nothing stays open after a watch", .timeLimit(.minutes(10)))
    func descriptors() async throws {
        func count() throws -> Int { try Descriptors.count(under: "anon_inode:inotify") }
        for _ in 0..<20 {
            var events = try await watch()
            try await bench.store.save(bench.credential(Int.random(in: 1...1_000_000)))
            _ = try await events.next()
        }
        // Other tests of this process have watches of their own, but not that many.
        #expect(try await eventually { try count() < 15 })
    }

    @Test("Another process's changes are reported", .timeLimit(.minutes(10)))
    func otherProcess() async throws {
        let other = try CredentialKey(environment: "sandbox", merchantID: "M7")
        var events = try await watch()
        let probe = try ProbeProcess("save", bench.temporary.path, "M7", "1", "1")
        #expect(await probe.line() == "ready")
        probe.go()
        #expect(try await events.next() == event(.new, generation: 0, key: other))
        #expect(await probe.exitStatus() == 0)
    }
}
