import CloverAuth
import CloverFleet
import CloverHTTP
import CloverRateLimit
import CloverSystem
import CloverTestSupport
import Foundation
import ProbeSupport
import Testing

@Suite("Sign-ins in PostgreSQL: keys, lost connections, restarts", .serialized)
struct FleetCredentialTests {
    // MARK: Keys

    @Test("no token is in the database or its dump, and the key is in a private file only")
    func secrecy() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        let canary = "canary-\(UUID().uuidString)"
        try await world.store.save(world.credential(canary))
        let lease = try await world.store.lease(world.key, patience: 60) {}
        try await lease.setJournal(world.journal("r-" + canary))
        lease.release()
        let rows = try await database.rows(
            "SELECT c::text, encode(sealed, 'escape') FROM clover_state.credentials c")
        #expect(rows.count >= 1)
        #expect(!rows.joined().contains(canary))
        #expect(try world.directory.mode(StateKeyFile.name) == 0o600)
        let file = String(decoding: try world.directory.read(StateKeyFile.name), as: UTF8.self)
        let secret = try #require(file.firstMatch(of: /"key":"([0-9a-f]{64})"/)).1
        let all = try await database.rows("SELECT k::text FROM clover_state.token_key k") + rows
        #expect(!all.joined().contains(secret))
    }

    @Test("a machine without the key, or with another one, says so, and is never not signed in")
    func wrongKey() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let url = try #require(world.database).url
        try await world.store.save(world.credential())
        let id = try await TokenWorld.keys(url, in: world.directory) { (keys) throws(CredentialError) in
            try keys.shown()
        }[0].id
        let other = try world.machine(copiesKey: false)
        let store = TokenWorld.store(url, in: other)
        let expected = CredentialError.stateKey(.unknown(id: id, path: other.path(StateKeyFile.name)))
        await #expect(throws: expected) { try await store.load(world.key) }
        await #expect(throws: expected) { try await store.prepare() }
        await #expect(throws: expected) { try await store.save(world.credential("2")) }
        await #expect(throws: expected) {
            try await TokenWorld.keys(url, in: other) { (keys) throws(CredentialError) in try keys.create() }
        }
        await #expect(
            throws: CredentialError.stateKey(
                .lost(id: id, path: other.path(StateKeyFile.name), signIns: [world.key]))
        ) {
            try await TokenWorld.keys(url, in: other) { (keys) throws(CredentialError) in
                try keys.replace(forgets: false)
            }
        }
        #expect(try await store.keys() == [world.key])
        // A key of the same name with other bytes is not that key.
        let text = String(decoding: try world.directory.read(StateKeyFile.name), as: UTF8.self)
        let digit = try #require(text.firstMatch(of: /"key":"([0-9a-f])/)).1
        try other.write(
            StateKeyFile.name, text.replacing("\"key\":\"\(digit)", with: "\"key\":\"\(digit == "0" ? "1" : "0")"),
            mode: 0o600)
        await #expect(throws: CredentialError.stateKey(.unreadable(path: other.path(StateKeyFile.name)))) {
            try await store.load(world.key)
        }
        for text in [#"{"keys":["#, "{}", #"{"version":1,"keys":3}"#] {
            try other.write(StateKeyFile.name, text, mode: 0o600)
            await #expect(throws: CredentialError.stateKey(.unreadable(path: other.path(StateKeyFile.name)))) {
                try await store.load(world.key)
            }
        }
        #expect(try await world.store.load(world.key) == world.credential())
    }

    @Test(
        "a row that was changed or belongs to another sign-in is refused",
        arguments: [
            "UPDATE clover_state.credentials SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)",
            "UPDATE clover_state.credentials SET kind = 'legacy'",
            """
            UPDATE clover_state.credentials c SET sealed = o.sealed FROM clover_state.credentials o
            WHERE o.merchant <> c.merchant
            """,
        ])
    func altered(_ change: String) async throws {
        let world = try await TokenWorld(.postgreSQL)
        try await world.store.save(world.credential())
        try await world.store.save(
            world.credential("2", key: try CredentialKey(environment: "us", merchantID: "M2", appID: "APP")))
        _ = try await #require(world.database).rows(change)
        let error = await #expect(throws: CredentialError.self) { try await world.store.load(world.key) }
        guard case .stateKey(.altered(world.key, _)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a rotation encrypts every row anew; machines without the new key say so; the old key can then go")
    func rotation() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let url = try #require(world.database).url
        for merchant in ["M1", "M2", "M3"] {
            try await world.store.save(
                world.credential(
                    merchant, key: try CredentialKey(environment: "us", merchantID: merchant, appID: "APP")))
        }
        let lease = try await world.store.lease(world.key, patience: 60) {}
        try await lease.setJournal(world.journal("r-M1"))
        lease.release()
        func keys<Value: Sendable>(
            _ body: @escaping @Sendable (StateKeys) throws(CredentialError) -> Value
        ) async throws -> Value { try await TokenWorld.keys(url, in: world.directory, body) }
        let old = try await keys { (keys) throws(CredentialError) in try keys.shown() }[0].id
        await #expect(throws: CredentialError.stateKey(.notPrepared(path: world.directory.path(StateKeyFile.name)))) {
            _ = try await keys { (keys) throws(CredentialError) in try keys.rotate().id }
        }
        let machine = try world.machine()
        let late = TokenWorld.store(url, in: machine)
        let next = try await keys { (keys) throws(CredentialError) in try keys.prepareNext() }
        #expect(try await keys { (keys) throws(CredentialError) in try keys.prepareNext() } == next)
        // Until the rotation, everything goes on with the old key.
        try await late.save(
            world.credential("M2", key: try CredentialKey(environment: "us", merchantID: "M2", appID: "APP")))
        await #expect(throws: CredentialError.stateKey(.inUse(id: old, credentials: 3))) {
            try await keys { (keys) throws(CredentialError) in try keys.remove(old) }
        }
        #expect(try await keys { (keys) throws(CredentialError) in try keys.rotate().credentials } == 3)
        let shown = try await keys { (keys) throws(CredentialError) in try keys.shown() }
        #expect(shown.map(\.id) == [old, next])
        #expect(shown.map(\.isCurrent) == [false, true])
        #expect(shown.map(\.credentials) == [0, 3])
        #expect(try await world.store.load(world.key) == world.credential("M1"))
        #expect(try await world.store.journal(world.key) == world.journal("r-M1"))
        let error = await #expect(throws: CredentialError.self) { try await late.load(world.key) }
        guard error == .stateKey(.unknown(id: next, path: machine.path(StateKeyFile.name))) else {
            Issue.record("\(String(describing: error))")
            return
        }
        _ = try await keys { (keys) throws(CredentialError) in try keys.remove(old) }
        #expect(try await keys { (keys) throws(CredentialError) in try keys.shown() }.map(\.id) == [next])
        #expect(try await world.store.load(world.key) == world.credential("M1"))
    }

    @Test("a machine with the keys of two databases rotates each to its own next key")
    func twoDatabases() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let first = try #require(world.database).url
        let second = try await FleetWorld().url
        func keys<Value: Sendable>(
            _ url: String, _ body: @escaping @Sendable (StateKeys) throws(CredentialError) -> Value
        ) async throws -> Value { try await TokenWorld.keys(url, in: world.directory, body) }
        let next = try await keys(first) { (keys) throws(CredentialError) in try keys.prepareNext() }
        _ = try await keys(second) { (keys) throws(CredentialError) in try keys.create() }
        let other = try await keys(second) { (keys) throws(CredentialError) in try keys.prepareNext() }
        #expect(other != next)
        #expect(try await keys(first) { (keys) throws(CredentialError) in try keys.rotate().id } == next)
        #expect(try await keys(second) { (keys) throws(CredentialError) in try keys.rotate().id } == other)
    }

    @Test("a lease on a server that takes no changes is refused at once, with the reason; so is the store itself")
    func readOnly() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        try await world.store.save(world.credential())
        _ = try await database.rows("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
        let reason = "the server is read-only: default_transaction_read_only is on"
        await #expect(throws: CredentialError.databaseAway(address: database.url, message: reason)) {
            _ = try await world.store.lease(world.key, patience: 1) {}
        }
        let error = await #expect(throws: CredentialError.self) { try await world.store.prepare() }
        guard case .databaseUnusable(_, reason, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await world.store.load(world.key) == world.credential())
    }

    // MARK: Versions

    @Test("tables of version 1 get the sign-ins by a migration, and keep their counts; until then they are refused")
    func migration() async throws {
        let world = try await FleetWorld(isEmpty: true)
        _ = try FleetMigration(world.url).migrate(creates: true, to: 1)
        _ = try await world.rows("INSERT INTO clover_state.budgets (name, refusals) VALUES ('b', 3)")
        let directory = try ProbeSupport.TemporaryDirectory()
        let error = await #expect(throws: CredentialError.self) {
            try await TokenWorld.store(world.url, in: directory).keys()
        }
        guard case .databaseUnusable(_, let message, let fix) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("version 1") && message.contains("version \(FleetSchema.version)"))
        #expect(fix.contains("clover state migrate"))
        let versions = try FleetMigration(world.url).migrate(creates: false)
        #expect(versions.from == 1 && versions.to == FleetSchema.version)
        #expect(try await TokenWorld.store(world.url, in: directory).keys() == [])
        #expect(try await world.rows("SELECT refusals FROM clover_state.budgets") == ["3"])
    }

    // MARK: Lost connections

    private static let cut = """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """

    @Test("a lease whose session is cut takes the lock again, and stores the tokens that it was asking for")
    func cutWhileAsking() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        try await world.store.save(world.credential())
        let lease = try await world.store.lease(world.key, patience: 60) {}
        try await lease.setJournal(world.journal(state: .sent))
        _ = try await database.rows(Self.cut)
        // Another one that tried the same token meanwhile was refused, and recorded it.
        _ = try await database.rows(
            "UPDATE clover_state.credentials SET journal = replace(journal, 'sent', 'lost'), revision = revision + 1")
        try await lease.save(world.credential("2"))
        #expect(try await lease.journal() == nil)
        lease.release()
        #expect(try await world.store.load(world.key) == world.credential("2"))
    }

    @Test("a lease whose session is cut, and whose credential another machine has renewed since, changes nothing")
    func overtaken() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        try await world.store.save(world.credential())
        let lease = try await world.store.lease(world.key, patience: 60) {}
        _ = try await lease.load()
        _ = try await database.rows(Self.cut)
        try await world.store.save(world.credential("2"))
        await #expect(throws: CredentialError.overtaken(world.key)) { try await lease.journal() }
        await #expect(throws: CredentialError.overtaken(world.key)) {
            try await lease.setJournal(world.journal(state: .sent))
        }
        await #expect(throws: CredentialError.overtaken(world.key)) { try await lease.save(world.credential("3")) }
        lease.release()
        #expect(try await world.store.load(world.key) == world.credential("2"))
    }

    @Test("a renewal whose connection is cut at any statement, before or after it took effect, stores its one new pair")
    func cutAnywhere() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        func renew(cutAt number: Int, _ side: String) async throws -> PostgreSQLRelay {
            let before = try await world.service.counts()
            try await world.store.save(world.expired(before.generation))
            let relay = try await PostgreSQLRelay(to: database.server, at: number, side, "cut")
            let store = TokenWorld.store(relay.address(of: database.name), in: world.directory, patience: 60)
            let place: Comment = "statement \(number), \(side)"
            let next = before.generation + 1
            #expect(try await world.refresher(store).refreshNow(world.key).accessToken == Secret("a-\(next)"), place)
            if number > 0 { try await relay.waitUntilDisturbed() }
            #expect(try await world.store.load(world.key)?.refreshToken == Secret("r-\(next)"), place)
            #expect(try await world.store.journal(world.key) == nil, place)
            #expect(
                try await world.service.counts() == .init(generation: next, refused: 0, requests: next), place)
            #expect(try Self.unstored(world) == [], place)
            return relay
        }
        let count = try await renew(cutAt: 0, "before").count
        #expect(count > 10)
        for number in 1...count {
            for side in ["before", "after"] { _ = try await renew(cutAt: number, side) }
        }
    }

    /// Lets the server refuse new tokens like one whose disk is full, as long as `full_disk` has a row.
    private static let fullDisk = """
        CREATE TABLE full_disk (state text);
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM full_disk) THEN
                RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = (SELECT state FROM full_disk);
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER refuse BEFORE UPDATE OF sealed ON clover_state.credentials
        FOR EACH ROW EXECUTE FUNCTION refuse();
        """

    /// A process that has the new tokens on this machine and cannot store them, because the disk of the server is full.
    private func waitingForDisk(
        _ world: TokenWorld, _ database: FleetWorld, _ state: String
    ) async throws -> ProbeProcess {
        try await world.store.save(world.expired())
        _ = try await database.rows(Self.fullDisk)
        let probe = try ProbeProcess("halt", world.directory.path, "M1", "after")
        #expect(await probe.line() == "after")
        _ = try await database.rows("INSERT INTO full_disk VALUES ('\(state)')")
        probe.go()
        #expect(try await eventually { try Self.unstored(world).count == 1 })
        return probe
    }

    private static func unstored(_ world: TokenWorld) throws -> [String] {
        try world.directory.names().filter { $0.hasPrefix("unstored-") }
    }

    @Test(
        "new tokens that a full or faulty disk of the server cannot take are stored when it can",
        arguments: ["53100", "58030"])
    func fullForAWhile(_ state: String) async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        let probe = try await waitingForDisk(world, database, state)
        _ = try await database.rows("DELETE FROM full_disk")
        #expect(await probe.lines() == ["renewed"])
        #expect(try await world.store.load(world.key)?.accessToken == Secret("a-1"))
        #expect(try Self.unstored(world) == [])
    }

    @Test(
        "if the process is killed meanwhile, the next one of its machine stores the new tokens, whatever others tried",
        arguments: [false, true])
    func killedWithUnstored(_ othersTry: Bool) async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        let probe = try await waitingForDisk(world, database, "53100")
        await probe.killNow()
        let file = try #require(try Self.unstored(world).first)
        #expect(try world.directory.mode(file) == 0o600)
        let text = String(decoding: try world.directory.read(file), as: UTF8.self)
        #expect(!text.contains("a-1") && !text.contains("r-1"))
        if othersTry {
            let machine = try world.machine()
            let other = try ProbeProcess("current", machine.path, "M1")
            #expect(await other.line() == "ready")
            other.go()
            let lines = await other.lines()
            #expect(lines.count == 1 && lines[0].contains("was lost"), "\(lines)")
        }
        // While the disk is still full, nothing is asked of the service.
        let error = await #expect(throws: RefreshError.self) { try await world.refresher().current(world.key) }
        guard case .credential(.databaseAway) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        _ = try await database.rows("DELETE FROM full_disk")
        #expect(try await world.refresher().current(world.key).accessToken == Secret("a-1"))
        #expect(try await world.store.journal(world.key) == nil)
        #expect(try Self.unstored(world) == [])
        let tries = othersTry ? 1 : 0
        #expect(try await world.service.counts() == .init(generation: 1, refused: tries, requests: 1 + tries))
    }

    @Test("new tokens that cannot be stored in time stay on the machine, and the key that they need is not removed")
    func notStoredInTime() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        func keys<Value: Sendable>(
            _ body: @escaping @Sendable (StateKeys) throws(CredentialError) -> Value
        ) async throws -> Value { try await TokenWorld.keys(database.url, in: world.directory, body) }
        try await world.store.save(world.expired())
        _ = try await database.rows(Self.fullDisk + "INSERT INTO full_disk VALUES ('53100')")
        let store = TokenWorld.store(database.url, in: world.directory, tokenPatience: 0)
        let error = await #expect(throws: RefreshError.self) { try await world.refresher(store).refreshNow(world.key) }
        let path = world.directory.path(try #require(try Self.unstored(world).first))
        guard case .notKept(.tokensUnstored(path, .databaseAway)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        _ = try await database.rows("DELETE FROM full_disk")
        let old = try await keys { (keys) throws(CredentialError) in try keys.shown() }[0].id
        _ = try await keys { (keys) throws(CredentialError) in try keys.prepareNext() }
        _ = try await keys { (keys) throws(CredentialError) in try keys.rotate().id }
        await #expect(throws: CredentialError.stateKey(.keepsTokens(id: old, path: path, of: world.key))) {
            try await keys { (keys) throws(CredentialError) in try keys.remove(old) }
        }
        #expect(try await world.refresher().current(world.key).accessToken == Secret("a-1"))
        #expect(try Self.unstored(world) == [])
        _ = try await keys { (keys) throws(CredentialError) in try keys.remove(old) }
        #expect(try await world.store.load(world.key)?.refreshToken == Secret("r-1"))
        #expect(try await world.service.counts() == .init(generation: 1, refused: 0, requests: 1))
    }

    @Test("tokens that were left on a machine never replace a later sign-in, and signing out removes them")
    func obsoleteUnstored() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        let probe = try await waitingForDisk(world, database, "53100")
        await probe.killNow()
        _ = try await database.rows("DELETE FROM full_disk")
        // Another machine signs in.
        let machine = try world.machine()
        try await TokenWorld.store(database.url, in: machine).save(world.credential("9"))
        let lease = try await world.store.lease(world.key, patience: 60) {}
        #expect(try await lease.load() == world.credential("9"))
        lease.release()
        #expect(try await world.store.remove(world.key))
        #expect(try Self.unstored(world) == [])
    }

    @Test("while a client that lost its session may still get its response, others leave the credential to it")
    func grace() async throws {
        let world = try await TokenWorld(.postgreSQL)
        let database = try #require(world.database)
        try await world.store.save(world.expired())
        let holder = try ProbeProcess("halt", world.directory.path, "M1", "after")
        #expect(await holder.line() == "after")
        let waiter = FleetCredentialStore(
            database.url, keys: StateKeyFile(directory: world.directory.path), choices: world.store,
            state: StateDirectory(path: world.directory.path), grace: 300)
        _ = try await database.rows(Self.cut)
        let lease = Task { try await waiter.lease(world.key, patience: 300) {} }
        // The service's response arrives only now.
        holder.go()
        #expect(await holder.lines() == ["renewed"])
        let found = try await lease.value
        #expect(try await found.load()?.accessToken == Secret("a-1"))
        #expect(try await world.service.counts() == .init(generation: 1, refused: 0, requests: 1))
    }

    @Test("a database that is away ends a call at once, or after the time that it may wait; files are never used")
    func away() async throws {
        let directory = try ProbeSupport.TemporaryDirectory()
        let url = "postgresql:///clover?host=/nonexistent"
        let key = try CredentialKey(environment: "us", merchantID: "M1")
        for patience in [0, 0.6] {
            let store = TokenWorld.store(url, in: directory, patience: patience)
            for call in [
                { _ = try await store.load(key) }, { _ = try await store.keys() }, { try await store.prepare() },
                { _ = try await store.remove(key) }, { _ = try await store.names.all() },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: CredentialError.self) { try await call() }
                guard case .databaseAway(_, let message) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                // The end of the wait is not the reason.
                #expect(message.contains("/nonexistent"))
            }
        }
        #expect(try directory.names() == [])
    }

    @Test("whatever is killed or cut, clients or the server, no token is spent twice and none is lost without a word")
    func disturbed() async throws {
        let rounds = (ProcessInfo.processInfo.environment["CLOVER_TEST_SCALE"] == "full" ? 200 : 12)
        let world = try await TokenWorld(.postgreSQL, own: true)
        let database = try #require(world.database)
        var random = SeededGenerator(seed: 11)
        var losses = 0
        try await world.store.save(world.expired())
        for round in 0..<rounds {
            let before = try await world.service.counts()
            let probes = try (0..<4).map { _ in try ProbeProcess("renew", world.directory.path, "M1", "100000") }
            for probe in probes { #expect(await probe.line() == "ready") }
            for probe in probes { probe.go() }
            #expect(try await eventually { try await world.service.counts().generation > before.generation + 1 })
            for _ in 0..<Int.random(in: 0..<400, using: &random) { await Task.yield() }
            switch round % 3 {
            case 0: await probes[0].killNow()
            case 1: _ = try await database.rows(Self.cut)
            default: try await database.server.crash()
            }
            for probe in probes { await probe.killNow() }
            try await world.expectWholeOrExplained("round \(round)")
            let counts = try await world.service.counts()
            if counts.refused > before.refused { losses += 1 }
            // After a response that was not stored, the service is asked once more, and never again.
            #expect(counts.refused <= before.refused + 1, "round \(round): \(counts)")
        }
        print("disturbed: \(rounds) rounds, \(losses) with an explained loss")
    }
}
