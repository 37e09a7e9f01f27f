import CloverAuth
import CloverHTTP
import CloverSystem
import Glibc
import ProbeSupport
import Synchronization
import Testing

@Suite("Renewing tokens")
struct TokenRefresherTests {
    private let bench: RefreshBench

    init() throws {
        bench = try RefreshBench()
    }

    private var key: CredentialKey { bench.key }

    // MARK: When it is renewed

    @Test("A token that is not due is returned as it is, without a request")
    func notDue() async throws {
        try await bench.signInExpired(secondsLeft: 60)
        let service = bench.service()
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-0"))
        #expect(try await service.counts().requests == 0)
    }

    @Test("A due token is renewed, and the new pair is on the disk before it is used", arguments: [59, 0, -5000])
    func due(secondsLeft: Int64) async throws {
        try await bench.signInExpired(secondsLeft: secondsLeft)
        let service = bench.service()
        let renewed = try await bench.refresher(service).current(key)
        #expect(renewed.accessToken == Secret("a-1"))
        #expect(renewed.refreshToken == Secret("r-1"))
        #expect(renewed.generation == 1)
        #expect(renewed.origin == .refresh)
        #expect(try await bench.store.load(key) == renewed)
        #expect(try await bench.journal() == nil)
        #expect(bench.notices.asking == [true, false])
        #expect(bench.notices.notices == [.refreshed(key, generation: 1)])
        #expect(try await service.counts() == .init(generation: 1, refused: 0, requests: 1))
        #expect(try bench.temporary.names("credentials") == ["us_M1_APP.json", "us_M1_APP.json.lock"])
    }

    @Test("A renewal that returns the same refresh token completes too")
    func sameRefreshToken() async throws {
        try await bench.signInExpired()
        let end = bench.time.clock.wall() / 1000 + 1800
        let service = ScriptedService(
            .answer(
                200, #"{"access_token":"b-1","access_token_expiration":\#(end),"refresh_token":"r-0"}"#))
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("b-1"))
        #expect(try await bench.journal() == nil)
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("b-1"))
        #expect(service.requests.count == 1)
    }

    @Test("What another process renewed since this one began is known to be new, for a while")
    func newnessOfOthers() async throws {
        try await bench.store.save(bench.credential())
        let service = bench.service()
        let other = bench.refresher(service)
        bench.time.advance(seconds: 1)
        #expect(try await other.isNew(Secret("a-0"), of: key) == false)
        #expect(
            try await bench.refresher(service).replacement(key, for: Secret("a-0"))?.accessToken == Secret("a-1"))
        #expect(try await other.isNew(Secret("a-1"), of: key))
        try await other.noteRefusal(key, of: Secret("a-1"))
        #expect(try await other.isFutile(key, for: Secret("a-1")))
        bench.time.advance(seconds: 1)
        #expect(try await bench.refresher(service).isNew(Secret("a-1"), of: key) == false)
        bench.time.advance(seconds: 60)
        #expect(try await other.isNew(Secret("a-1"), of: key) == false)
    }

    @Test("The hash of the token is on disk before the token is sent, and the token is not in it")
    func journalFirst() async throws {
        try await bench.signInExpired()
        let seen = Mutex<[String]>([])
        let path = bench.temporary
        let service = bench.service(
            fault: { _ in
                seen.withLock { seen in
                    do {
                        seen.append(
                            String(decoding: try path.read("credentials/us_M1_APP.refresh.json"), as: UTF8.self))
                    } catch {
                        seen.append("\(error)")
                    }
                }
                return nil
            })
        _ = try await bench.refresher(service).current(key)
        let text = try #require(seen.withLock(\.self).first)
        #expect(text.contains(SecretHash.hexadecimal(of: Secret("r-0"))))
        #expect(text.contains(#""state":"sent""#))
        #expect(!text.contains("r-0"))
    }

    @Test("Many tasks that want a due token share one renewal")
    func singleFlight() async throws {
        try await bench.signInExpired()
        let service = bench.service()
        let refresher = bench.refresher(service)
        let key = key
        let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<50 { group.addTask { try await refresher.current(key).accessToken } }
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        #expect(tokens == [Secret("a-1")])
        #expect(try await service.counts().requests == 1)
    }

    @Test("Refreshers that know nothing of each other renew once")
    func severalRefreshers() async throws {
        try await bench.signInExpired()
        let service = bench.service()
        let refreshers = (0..<10).map { _ in bench.refresher(service) }
        let key = key
        let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
            for refresher in refreshers { group.addTask { try await refresher.current(key).accessToken } }
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        #expect(tokens == [Secret("a-1")])
        #expect(try await service.counts().requests == 1)
    }

    @Test("Static and legacy tokens are never renewed", arguments: [Credential.Kind.staticToken, .legacy])
    func otherKinds(kind: Credential.Kind) async throws {
        let credential = Credential(key: key, kind: kind, accessToken: Secret("t"), createdAt: 0)
        try await bench.store.save(credential)
        let service = bench.service()
        let refresher = bench.refresher(service)
        #expect(try await refresher.current(key) == credential)
        #expect(try await refresher.replacement(key, for: Secret("t")) == nil)
        await #expect(throws: RefreshError.notRenewable(kind)) { try await refresher.refreshNow(key) }
        #expect(try await service.counts().requests == 0)
    }

    @Test("Without a refresh token, a token is used to its end and not longer")
    func noRefreshToken() async throws {
        let now = bench.time.clock.now
        try await bench.store.save(
            Credential(
                key: key,
                issued: IssuedTokens(
                    accessToken: Secret("a"), accessTokenExpires: now.wall / 1000 + 1800, askedAt: now),
                origin: .login))
        let refresher = bench.refresher(bench.service())
        bench.time.advance(seconds: 1799)
        #expect(try await refresher.current(key).accessToken == Secret("a"))
        #expect(try await refresher.replacement(key, for: Secret("a")) == nil)
        bench.time.advance(seconds: 1)
        await #expect(throws: RefreshError.noRefreshToken) { try await refresher.current(key) }
        await #expect(throws: RefreshError.noRefreshToken) { try await refresher.refreshNow(key) }
    }

    @Test("A renewal that brings nothing to renew with again says so")
    func lastRenewal() async throws {
        try await bench.signInExpired()
        let ends = bench.time.clock.wall() / 1000 + 1800
        let service = bench.service(fault: { _ in
            .answer(200, #"{"access_token":"last","access_token_expiration":\#(ends)}"#)
        })
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("last"))
        #expect(
            bench.notices.notices.contains {
                if case .notRenewableAgain(key, ends) = $0 { true } else { false }
            }, "\(bench.notices.notices)")
    }

    @Test("A pair that had expired when it was issued is reported once, and no process renews it again for a minute")
    func issuedEnded() async throws {
        try await bench.signInExpired()
        let ended = bench.time.clock.wall() / 1000 - 10
        let service = ScriptedService { number in
            .answer(
                200,
                #"{"access_token":"b-\#(number)","access_token_expiration":\#(ended),"refresh_token":"n-\#(number)"}"#)
        }
        // Each refresher stands for a separate process.
        for _ in 0..<5 {
            let refresher = bench.refresher(service)
            for _ in 0..<2 { #expect(try await refresher.current(key).accessToken == Secret("b-1")) }
            #expect(try await refresher.replacement(key, for: Secret("b-1")) == nil)
        }
        #expect(service.requests.count == 1)
        let notices = bench.notices.notices.filter { if case .endedAlready(key, ended) = $0 { true } else { false } }
        #expect(notices.count == 1, "\(bench.notices.notices)")
        bench.time.advance(seconds: 59)
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("b-1"))
        bench.time.advance(seconds: 1)
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("b-2"))
        #expect(service.requests.count == 2)
        // A person gets what is asked for.
        #expect(try await bench.refresher(service).refreshNow(key).accessToken == Secret("b-3"))
    }

    @Test("Without a credential there is nothing to renew")
    func signedOut() async throws {
        let refresher = bench.refresher(bench.service())
        await #expect(throws: RefreshError.notSignedIn(key)) { try await refresher.current(key) }
        await #expect(throws: RefreshError.notSignedIn(key)) { try await refresher.refreshNow(key) }
        await #expect(throws: RefreshError.notSignedIn(key)) {
            try await refresher.replacement(key, for: Secret("a"))
        }
    }

    // MARK: On demand, and after a refusal

    @Test("A renewal on demand renews a token that is not due, each time")
    func onDemand() async throws {
        try await bench.store.save(bench.credential())
        let refresher = bench.refresher(bench.service())
        #expect(try await refresher.refreshNow(key).generation == 1)
        #expect(try await refresher.refreshNow(key).generation == 2)
    }

    @Test("A refused token is replaced by one renewal, for all who were refused")
    func replacement() async throws {
        try await bench.store.save(bench.credential())
        let service = bench.service()
        let refresher = bench.refresher(service)
        let key = key
        let tokens = try await withThrowingTaskGroup(of: Secret?.self) { group in
            for _ in 0..<5 {
                group.addTask { try await refresher.replacement(key, for: Secret("a-0"))?.accessToken }
            }
            return try await group.reduce(into: Set<Secret?>()) { $0.insert($1) }
        }
        #expect(tokens == [Secret("a-1")])
        #expect(try await service.counts().requests == 1)
    }

    @Test("A replacement that is refused, too, is not replaced: the service means something else")
    func refusedReplacement() async throws {
        try await bench.store.save(bench.credential())
        let service = bench.service()
        let refresher = bench.refresher(service)
        #expect(try await refresher.replacement(key, for: Secret("a-0"))?.accessToken == Secret("a-1"))
        #expect(try await refresher.replacement(key, for: Secret("a-1")) == nil)
        #expect(try await refresher.replacement(key, for: Secret("a-0"))?.accessToken == Secret("a-1"))
        #expect(try await service.counts().requests == 1)
    }

    @Test("A replacement that has become due is renewed anyway")
    func dueReplacement() async throws {
        try await bench.store.save(bench.credential())
        let refresher = bench.refresher(bench.service())
        #expect(try await refresher.replacement(key, for: Secret("a-0"))?.accessToken == Secret("a-1"))
        bench.time.advance(seconds: 1800)
        #expect(try await refresher.replacement(key, for: Secret("a-1"))?.accessToken == Secret("a-2"))
    }

    @Test("Another process's newer token replaces a refused one without a renewal, every time there is one")
    func othersToken() async throws {
        try await bench.store.save(bench.credential(7))
        let service = bench.service()
        let refresher = bench.refresher(service)
        #expect(try await refresher.replacement(key, for: Secret("a-6"))?.accessToken == Secret("a-7"))
        try await bench.store.save(bench.credential(8))
        #expect(try await refresher.replacement(key, for: Secret("a-7"))?.accessToken == Secret("a-8"))
        #expect(try await refresher.replacement(key, for: Secret("a-8")) == nil)
        #expect(try await service.counts().requests == 0)
    }

    @Test("A renewal by another process during the wait for the lease is used")
    func renewedMeanwhile() async throws {
        try await bench.signInExpired()
        let service = bench.service()
        let lease = try await bench.store.lease(key, patience: 60, onWait: {})
        let refresher = bench.refresher(service)
        let key = key
        let waiting = Task { try await refresher.current(key) }
        #expect(await eventually { bench.notices.notices == [.waiting(key)] })
        try await lease.save(bench.credential(9))
        lease.release()
        #expect(try await waiting.value.accessToken == Secret("a-9"))
        #expect(try await service.counts().requests == 0)
    }

    // MARK: Cancellation

    @Test("A task cancelled while waiting for the lease ends at once, and nothing is sent")
    func cancelledWait() async throws {
        try await bench.signInExpired()
        let lease = try await bench.store.lease(key, patience: 60, onWait: {})
        let service = bench.service()
        let refresher = bench.refresher(service)
        let key = key
        let waiting = Task { try await refresher.current(key) }
        #expect(await eventually { bench.notices.notices == [.waiting(key)] })
        waiting.cancel()
        await #expect(throws: RefreshError.cancelled) { try await waiting.value }
        lease.release()
        #expect(try await service.counts().requests == 0)
        #expect(try await refresher.current(key).accessToken == Secret("a-1"))
    }

    @Test("Cancelling one of two tasks does not cost the other its token")
    func cancelledPassenger() async throws {
        try await bench.signInExpired()
        let lease = try await bench.store.lease(key, patience: 60, onWait: {})
        let refresher = bench.refresher(bench.service())
        let key = key
        let first = Task { try await refresher.current(key) }
        #expect(await eventually { bench.notices.notices == [.waiting(key)] })
        let hasBegun = Mutex(false)
        let second = Task {
            hasBegun.withLock { $0 = true }
            return try await refresher.current(key)
        }
        #expect(await eventually { hasBegun.withLock(\.self) })
        first.cancel()
        lease.release()
        #expect(try await second.value.accessToken == Secret("a-1"))
    }

    @Test("A response that arrives after cancellation is kept")
    func cancelledButAnswered() async throws {
        try await bench.signInExpired()
        let isAsked = Mutex(false)
        let mayAnswer = Mutex(false)
        let service = bench.service(onRotation: {
            isAsked.withLock { $0 = true }
            _ = await eventually { mayAnswer.withLock(\.self) }
        })
        // A pause that never ends stands for a response within the grace period.
        let refresher = bench.refresher(service, sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
        let key = key
        let task = Task { try await refresher.current(key) }
        #expect(await eventually { isAsked.withLock(\.self) })
        task.cancel()
        mayAnswer.withLock { $0 = true }
        #expect(try await task.value.accessToken == Secret("a-1"))
        #expect(try await bench.store.load(key)?.accessToken == Secret("a-1"))
        #expect(try await bench.journal() == nil)
    }

    @Test("A service that does not respond to a cancelled task is abandoned after the grace period, outcome open")
    func cancelledAndSilent() async throws {
        try await bench.signInExpired()
        let isAsked = Mutex(false)
        let service = bench.service(fault: { _ in
            isAsked.withLock { $0 = true }
            return .hang
        })
        let refresher = bench.refresher(service, sleep: { _ in })
        let key = key
        let task = Task { try await refresher.current(key) }
        #expect(await eventually { isAsked.withLock(\.self) })
        task.cancel()
        await #expect(throws: RefreshError.cancelled) { try await task.value }
        #expect(try await bench.journal()?.state == .sent)
    }

    // MARK: Files

    @Test("A journal that cannot be read stops a renewal before anything is sent, and stays")
    func unreadableJournal() async throws {
        try await bench.signInExpired()
        let text = #"{"version":2}"#
        try bench.temporary.write(bench.journalFile, text)
        let service = bench.service()
        let path = bench.temporary.path(bench.journalFile)
        await #expect(throws: RefreshError.credential(.newerVersion(path: path, found: 2, supported: 1))) {
            try await bench.refresher(service).current(key)
        }
        #expect(try await service.counts().requests == 0)
        #expect(try bench.temporary.read(bench.journalFile) == Array(text.utf8))
    }

    @Test("No room for the new pair stops a renewal before anything is sent")
    func noRoom() async throws {
        try await bench.signInExpired(secondsLeft: 30)
        // Nothing can be written in place of this directory, and it cannot be cleared away.
        try bench.temporary.makeDirectory("credentials/.us_M1_APP.json.new")
        let service = bench.service()
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-0"))
        bench.time.advance(seconds: 30)
        await #expect(throws: RefreshError.self) { try await bench.refresher(service).current(key) }
        #expect(try await service.counts().requests == 0)
        #expect(try await bench.journal() == nil)
    }

    @Test("A new pair that cannot be saved is reported after more than one attempt")
    func notKept() async throws {
        try await bench.signInExpired()
        let temporary = bench.temporary
        let service = bench.service(onRotation: {
            // The room that was reserved is taken away, and its place is blocked.
            do {
                _ = unlink(temporary.path("credentials/.us_M1_APP.json.new"))
                try temporary.makeDirectory("credentials/.us_M1_APP.json.new")
            } catch {
                Issue.record(error)
            }
        })
        let error = await #expect(throws: RefreshError.self) { try await bench.refresher(service).current(key) }
        guard case .notKept = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(bench.pauses.pauses.count == 2)
        #expect(try await bench.store.load(key)?.accessToken == Secret("a-0"))
        #expect(try await bench.journal()?.state == .sent)
    }

    @Test("No error of a renewal prints a token")
    func noSecrets() async throws {
        try await bench.signInExpired()
        let service = bench.service(fault: { _ in .answer(400, #"{"message":"invalid token r-0"}"#) })
        let error = await #expect(throws: RefreshError.self) { try await bench.refresher(service).current(key) }
        #expect(String(describing: error).contains("invalid token (redacted)"))
        #expect(!String(reflecting: error).contains("r-0"))
    }
}
