import CloverAuth
import CloverFleet
import CloverHTTP
import CloverSystem
import ProbeSupport
import Synchronization
import Testing

/// What every store of credentials must do, wherever it keeps them.
@Suite("Sign-ins in files and in PostgreSQL")
struct CredentialStoreTests {
    @Test("a credential is read back as it was saved, with all its fields", arguments: FleetWorld.Store.allCases)
    func roundTrip(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        #expect(try await world.store.load(world.key) == nil)
        let full = Credential(
            key: try CredentialKey(environment: "https://emulator.example:8443/x", merchantID: "M1", appID: "APP1"),
            kind: .oauth, accessToken: Secret("a\"/\\{}"), refreshToken: Secret("refresh"), accessTokenExpires: 1,
            refreshTokenExpires: Int64.max, createdAt: 0, refreshedAt: 5, employeeID: "E", origin: .refresh,
            generation: 3, codeHash: "c", serverTime: 4, bootTime: 6, bootID: "b")
        let fixed = Credential(
            key: try CredentialKey(environment: "us", merchantID: "M1"), kind: .staticToken,
            accessToken: Secret(String(repeating: "t", count: 8192)), createdAt: 1)
        try await world.store.prepare()
        try await world.store.save(full)
        try await world.store.save(fixed)
        #expect(try await world.store.load(full.key) == full)
        #expect(try await world.store.load(fixed.key) == fixed)
        #expect(try await world.store.load(world.key) == nil)
        await #expect(throws: CredentialError.unusableToken(field: "accessToken")) {
            try await world.store.save(
                Credential(key: world.key, kind: .oauth, accessToken: Secret("a b"), createdAt: 1))
        }
    }

    @Test(
        "keys are listed in order; removing forgets one credential and its choice", arguments: FleetWorld.Store.allCases
    )
    func keysAndRemoval(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        let keys = [
            try CredentialKey(environment: "http://127.0.0.1:80", merchantID: "M", appID: "A"),
            try CredentialKey(environment: "sandbox", merchantID: "M"), world.key,
        ]
        for key in keys.reversed() { try await world.store.save(world.credential(key: key)) }
        #expect(try await world.store.keys() == keys)
        try await world.store.setCurrentChoice(SignedIn(key: keys[1], profile: "shop"))
        #expect(try await world.store.currentChoice() == SignedIn(key: keys[1], profile: "shop"))
        #expect(try await world.store.remove(keys[0]))
        #expect(try await world.store.current() == keys[1])
        #expect(try await world.store.remove(keys[1]))
        #expect(try await !world.store.remove(keys[1]))
        #expect(try await world.store.current() == nil)
        #expect(try await world.store.keys() == [world.key])
    }

    @Test("names are set, moved and removed", arguments: FleetWorld.Store.allCases)
    func names(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        let other = try CredentialKey(environment: "us", merchantID: "M2")
        try await world.names.set("downtown", world.key)
        try await world.names.set("airport", other)
        try await world.names.set("second", world.key)
        #expect(try await world.names.all() == ["downtown": world.key, "airport": other, "second": world.key])
        try await world.names.set("airport", world.key)
        #expect(try await world.names.key(named: "airport") == world.key)
        #expect(try await world.names.remove("second"))
        #expect(try await !world.names.remove("second"))
        #expect(try await world.names.removeAll(world.key) == ["airport", "downtown"])
        #expect(try await world.names.all() == [:])
        await #expect(throws: CredentialError.invalidProfile("a b")) { try await world.names.set("a b", other) }
    }

    // MARK: Leases

    @Test(
        "one lease at a time, and the next one comes with the release of the first",
        arguments: FleetWorld.Store.allCases)
    func turns(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        let first = try await world.store.lease(world.key, patience: 60) { Issue.record("waited") }
        let waits = Mutex(0)
        let second = Task {
            try await world.store.lease(world.key, patience: 60) { waits.withLock { $0 += 1 } }
        }
        #expect(await eventually { waits.withLock { $0 == 1 } })
        try await first.save(world.credential("first"))
        first.release()
        let held = try await second.value
        #expect(try await held.load() == world.credential("first"))
        #expect(waits.withLock { $0 } == 1)
        held.release()
        await #expect(throws: CredentialError.self) { try await held.load() }
    }

    @Test(
        "a wait for a lease ends with its time or its task, and the lease is not taken later",
        arguments: FleetWorld.Store.allCases)
    func endedWaits(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        let first = try await world.store.lease(world.key, patience: 60) {}
        let error = await #expect(throws: CredentialError.self) {
            try await world.store.lease(world.key, patience: 0.01) {}
        }
        guard case .lockBusy = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let waits = Mutex(0)
        let second = Task { try await world.store.lease(world.key, patience: 60) { waits.withLock { $0 += 1 } } }
        #expect(await eventually { waits.withLock { $0 == 1 } })
        second.cancel()
        await #expect(throws: CredentialError.cancelled) { try await second.value }
        first.release()
        let next = try await world.store.lease(world.key, patience: 60) {}
        #expect(try await next.load() == nil)
    }

    @Test("a journal is kept until other tokens replace those that it is about", arguments: FleetWorld.Store.allCases)
    func journal(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        try await world.store.save(world.credential())
        let lease = try await world.store.lease(world.key, patience: 60) {}
        #expect(try await lease.journal() == nil)
        try await lease.reserve()
        try await lease.setJournal(world.journal(state: .sent))
        #expect(try await lease.journal() == world.journal(state: .sent))
        #expect(try await world.store.journal(world.key) == world.journal(state: .sent))
        try await lease.save(world.credential("1"))
        #expect(try await lease.journal() == world.journal(state: .sent))
        try await lease.save(world.credential("2"))
        #expect(try await lease.journal() == nil)
        try await lease.setJournal(world.journal("r-2"))
        try await lease.setJournal(nil)
        #expect(try await lease.journal() == nil)
        try await lease.setJournal(world.journal("r-2"))
        #expect(try await lease.remove())
        #expect(try await lease.journal() == nil)
        #expect(try await !lease.remove())
        lease.release()
        #expect(try await world.store.load(world.key) == nil)
    }

    @Test("changes are events: new, renewed, invalid and removed", arguments: FleetWorld.Store.allCases)
    func events(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        try await world.store.save(world.credential("old", key: try CredentialKey(environment: "us", merchantID: "M2")))
        var events = try await world.store.events(of: nil, clock: .live).makeAsyncIterator()
        try await world.store.save(world.expired())
        #expect(try await events.next()?.kind == .new)
        _ = try await world.refresher().current(world.key)
        #expect(try await events.next()?.kind == .refreshed)
        let lease = try await world.store.lease(world.key, patience: 60) {}
        try await lease.setJournal(world.journal())
        lease.release()
        #expect(try await events.next()?.kind == .invalidated)
        #expect(try await world.store.remove(world.key))
        #expect(try await events.next()?.kind == .deleted)
    }

    // MARK: Several processes

    @Test(
        "64 processes of separate machines that start on an ended token renew it once, and all get the new one",
        arguments: FleetWorld.Store.allCases)
    func oneRefresh(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        try await world.store.save(world.expired())
        var (machines, probes): ([TemporaryDirectory], [ProbeProcess]) = ([], [])
        for _ in 0..<64 {
            // Files are of one machine.
            let machine = kind == .files ? world.directory : try world.machine()
            machines.append(machine)
            probes.append(try ProbeProcess("current", machine.path, "M1"))
        }
        for probe in probes { #expect(await probe.line() == "ready") }
        for probe in probes { probe.go() }
        for probe in probes { #expect(await probe.lines() == ["token a-1"]) }
        #expect(try await world.service.counts() == .init(generation: 1, refused: 0, requests: 1))
        #expect(try await world.store.journal(world.key) == nil)
    }

    @Test(
        "a process that is killed before the service worked costs nothing; after it, the loss is explained",
        arguments: FleetWorld.Store.allCases)
    func killed(_ kind: FleetWorld.Store) async throws {
        for place in ["before", "after"] {
            let world = try await TokenWorld(kind)
            try await world.store.save(world.expired())
            let probe = try ProbeProcess("halt", world.directory.path, "M1", place)
            #expect(await probe.line() == place)
            let waiter = try ProbeProcess("current", world.directory.path, "M1")
            #expect(await waiter.line() == "ready")
            waiter.go()
            await probe.killNow()
            let lines = await waiter.lines()
            let counts = try await world.service.counts()
            if place == "before" {
                #expect(lines == ["token a-1"])
                #expect(counts == .init(generation: 1, refused: 0, requests: 2))
            } else {
                #expect(lines.count == 1 && lines[0].contains("was lost"), "\(lines)")
                #expect(counts == .init(generation: 1, refused: 1, requests: 2))
                #expect(try await world.store.journal(world.key)?.state == .lost)
                #expect(try await world.store.load(world.key)?.accessToken == Secret("a-0"))
            }
        }
    }

    @Test(
        "a process that is killed anywhere leaves a whole pair, or a journal that explains its loss",
        arguments: FleetWorld.Store.allCases)
    func killedAnywhere(_ kind: FleetWorld.Store) async throws {
        let world = try await TokenWorld(kind)
        var random = SeededGenerator(seed: 7)
        try await world.store.save(world.expired())
        for round in 0..<20 {
            let before = try await world.service.counts().generation
            let probe = try ProbeProcess("renew", world.directory.path, "M1", "100000")
            #expect(await probe.line() == "ready")
            probe.go()
            #expect(try await eventually { try await world.service.counts().generation > before })
            for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
            await probe.killNow()
            try await world.expectWholeOrExplained("round \(round)")
        }
    }
}

extension TokenWorld {
    /// After a renewal that was disturbed and has ended: the stored pair works, or its loss is explained and a new sign-in heals it.
    func expectWholeOrExplained(_ place: Comment) async throws {
        let lease = try await store.lease(key, patience: 60) {}
        let kept = try #require(try await lease.load(), place)
        let journal = try await lease.journal()
        lease.release()
        let generation = try await service.counts().generation
        let token = try #require(kept.refreshToken, place)
        if token == Secret("r-\(generation)") {
            #expect(kept.accessToken == Secret("a-\(generation)"), place)
            #expect(try await refresher().refreshNow(key).accessToken == Secret("a-\(generation + 1)"), place)
        } else {
            #expect(token == Secret("r-\(generation - 1)"), place)
            #expect(journal?.isAbout(token) == true, place)
            let error = await #expect(throws: RefreshError.self) { try await refresher().refreshNow(key) }
            #expect(error == .lost(at: try #require(journal).at), place)
            try await store.save(expired(generation))
        }
    }
}
