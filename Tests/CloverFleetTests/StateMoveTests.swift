import CloverAuth
import CloverFleet
import CloverHTTP
import CloverOutput
import CloverPayments
import CloverRateLimit
import CloverSystem
import CloverTestSupport
import Glibc
import ProbeSupport
import Testing

private typealias Directory = ProbeSupport.TemporaryDirectory

@Suite("Moves of sign-ins and charges between a directory and a database", .serialized)
struct StateMoveTests {
    /// A machine's directory with sign-ins and a journal, and a database.
    struct World {
        let database: FleetWorld
        let directory: ProbeSupport.TemporaryDirectory
        let keys: ProbeSupport.TemporaryDirectory
        var state: StateDirectory { StateDirectory(path: directory.path) }
        var store: FileCredentialStore { FileCredentialStore(state: state) }

        init(_ database: FleetWorld, keys: ProbeSupport.TemporaryDirectory) throws {
            directory = try Directory()
            self.database = database
            self.keys = keys
        }

        /// With sign-ins of these merchants, and a random journal.
        init(_ merchants: [String] = ["M1", "M2"], charges: Int = 12, seed: UInt64 = .random(in: 0...UInt64.max))
            async throws
        {
            directory = try Directory()
            database = try await FleetWorld()
            keys = try Directory()
            _ = try await TokenWorld.keys(database.url, in: keys) { (keys) throws(CredentialError) in try keys.create()
            }
            try await fill(merchants, charges: charges, seed: seed)
        }

        func fill(_ merchants: [String], charges: Int, seed: UInt64) async throws {
            for merchant in merchants {
                let key = try CredentialKey(environment: "us", merchantID: merchant, appID: "APP")
                try await store.save(
                    Credential(
                        key: key, kind: .oauth, accessToken: Secret("a-" + merchant),
                        refreshToken: Secret("r-" + merchant), createdAt: 1))
                try await ProfileStore(state: state).set("shop-" + merchant, key)
            }
            if let merchant = merchants.first {
                let key = try CredentialKey(environment: "us", merchantID: merchant, appID: "APP")
                let lease = try await store.lease(key, patience: 1, onWait: {})
                try await lease.setJournal(
                    RefreshJournal(
                        tokenHash: SecretHash.hexadecimal(of: Secret("r-" + merchant)), state: .refused,
                        at: 1_700_000_000_123, pid: 42, httpStatus: 401, message: "no"))
                lease.release()
            }
            try await StateMoveTests.makeCharges(charges, seed: seed, in: state)
        }

        func move(
            _ url: String? = nil, onStep: @escaping @Sendable (FleetMove.Step) throws -> Void = { _ in }
        ) -> FleetMove {
            FleetMove(
                url ?? database.url, keys: StateKeyFile(directory: keys.path), state: state, vault: nil, pause: 0,
                onStep: onStep)
        }

        /// Whether both places may be used, and have the sign-ins.
        func isInBoth() async throws -> Bool {
            guard let counts = try await inDatabase(), counts[0] > 0 else { return false }
            return try await inDirectory() != nil
        }

        /// Another machine of the same database.
        func other() throws -> World { try World(database, keys: keys) }

        /// What is in the directory, if it may be used.
        func inDirectory() async throws -> [String]? {
            do throws(StorageError) {
                try state.refuseMoved()
            } catch {
                guard case .moved = error else { throw error }
                return nil
            }
            var found = try await dump()
            for key in try await store.keys() {
                let credential = try #require(try await store.load(key))
                found.append("\(key.words) \(credential.accessToken.exposed) \(credential.refreshToken?.exposed ?? "")")
                found.append("\(key.words) \(String(describing: try await store.journal(key)))")
            }
            found += try await ProfileStore(state: state).all().map { "\($0.key) \($0.value.words)" }.sorted()
            return found
        }

        /// The rows of the journal's file, as SQLite sees them.
        private func dump() async throws -> [String] {
            let script = """
                import sqlite3, sys
                base = sqlite3.connect(sys.argv[1])
                order = [r[0] for r in base.execute("SELECT id FROM operations ORDER BY place")]
                print(order)
                for row in base.execute("SELECT * FROM operations ORDER BY place"): print(repr(row[1:]))
                for row in base.execute("SELECT * FROM transitions ORDER BY rowid"): print(repr(row))
                """
            let python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
            let result = try await python.run(["-I", "-S", "-c", script, directory.path("journal.sqlite")])
            try #require(result.status == 0, "\(result)")
            return result.outputText.split(separator: "\n").map(String.init)
        }

        /// Sign-ins, names and charges in the database, if it may be used.
        func inDatabase() async throws -> [Int]? {
            do {
                let check = try FleetMigration(database.url).check()
                let names = try await database.rows("SELECT count(*) FROM clover_state.profiles")
                return [check.signIns, Int(names[0]) ?? 0, check.charges]
            } catch let error as LedgerError {
                guard case .unusable = error else { throw error }
                return nil
            }
        }
    }

    /// Records random operations, which end in random states.
    private static func makeCharges(_ count: Int, seed: UInt64, in state: StateDirectory) async throws {
        var random = SeededGenerator(seed: seed)
        let journal = try await ChargeJournal.open(in: state)
        var ids: [String] = []
        for number in 0..<count {
            if Int.random(in: 0..<6, using: &random) == 0 {
                let text = ["a\0b", "\u{10FFFF}", #"\\u0000"#, "Zoë"].randomElement(using: &random) ?? ""
                _ = try await journal.add(
                    [HandOff(state: "\(number)" + text, place: "x://", body: text, location: "L")], now: 1000)
                continue
            }
            let parent = Int.random(in: 0..<3, using: &random) == 0 ? ids.randomElement(using: &random) : nil
            let id = "c_\(number)"
            let operation = PaymentOperation(
                id: id, kind: parent == nil ? .charge : .refund, parent: parent,
                rail: [.ecommerce, .reader].randomElement(using: &random) ?? .reader, environment: "sandbox",
                merchantID: "M1", idempotencyKey: "k-\(seed)-\(number)", externalID: "E\(number)",
                amount: Money(minorUnits: Int64(number), currency: .usDollar),
                request: OperationRequest(path: "/v1/charges", body: #"{"a":"\u0000é"}"#), now: Int64(1000 + number))
            let lock = try await journal.add(operation)
            if parent == nil { ids.append(id) }
            let steps = Int.random(in: 0..<4, using: &random)
            if steps > 0 { _ = try await journal.advance(id, to: .sent, now: 2000) }
            if steps > 1 { _ = try await journal.advance(id, to: .unknown, detail: "lost", now: 3000) }
            if steps > 2 {
                var outcome = OperationOutcome()
                outcome.paymentID = "P\(number)"
                let shown = ObservedPayment(
                    source: .externalID, ending: .approved, externalID: "E\(number)", outcome: outcome)
                _ = try await journal.settle(id, Verdict(on: operation, [.payment(shown)]), now: 4000)
            }
            withExtendedLifetime(lock) {}
        }
    }

    // MARK: There and back

    @Test("random journals, sign-ins and names that were moved there and back are the same, row by row")
    func thereAndBack() async throws {
        for turn in 0..<4 {
            let world = try await World(charges: turn * 9)
            let before = try #require(try await world.inDirectory())
            let moved = try await world.move().toDatabase()
            #expect(moved.signIns == 2 && moved.names == 2)
            #expect(try await world.inDirectory() == nil)
            #expect(try await world.inDatabase() == [2, 2, moved.charges])
            #expect(try await world.database.rows("SELECT count(*) FROM clover_state.transitions") != ["-"])
            // What an earlier run moved is not reported again.
            #expect(try await world.move().toDatabase().isEmpty)
            #expect(try await world.move().toDirectory() == .moved(moved))
            guard case .moved(let nothing) = try await world.move().toDirectory() else {
                Issue.record("a move that was complete was taken back")
                return
            }
            #expect(nothing.isEmpty)
            #expect(try await world.inDatabase() == nil)
            #expect(try await world.inDirectory() == before)
            // Once more, over what the first move left in both places.
            #expect(try await world.move().toDatabase() == moved)
            #expect(try await world.move().toDirectory() == .moved(moved))
            #expect(try await world.inDirectory() == before)
        }
    }

    @Test("what a machine's file does not name, the database names after the machine, and counts as old")
    func machine() async throws {
        let world = try await World(charges: 8)
        _ = try await world.move().toDatabase()
        let state = StateDirectory(path: try Directory().path)
        let other = FleetJournal(world.database.url, state: state)
        #expect(try other.machine(creates: false) == nil)
        let machines = try await world.database.rows(
            "SELECT DISTINCT request ->> 'machine' FROM clover_state.operations")
        #expect(machines == [try FleetJournal(world.database.url, state: world.state).machine(creates: false)])
        #expect(try #require(try other.age(ofPlace: 1)) > 86_400_000)
    }

    @Test("a move that is killed at any step is completed by the same move; never may both places be used")
    func killedAtSteps() async throws {
        for isBack in [false, true] {
            for step in FleetMove.Step.allCases {
                let world = try await World()
                let before = try await world.inDirectory()
                if isBack { _ = try await world.move().toDatabase() }
                let dying = world.move { if $0 == step { throw FleetMoveError.ended } }
                do {
                    if isBack { _ = try await dying.toDirectory() } else { _ = try await dying.toDatabase() }
                    // A step of the other direction.
                    continue
                } catch FleetMoveError.ended {}
                #expect(try await !world.isInBoth(), "\(step), back: \(isBack)")
                if isBack {
                    _ = try await world.move().toDirectory()
                } else {
                    _ = try await world.move().toDatabase()
                    #expect(try await world.inDatabase()?[0] == 2, "\(step)")
                    #expect(try await world.inDirectory() == nil)
                    #expect(try world.directory.names("credentials").allSatisfy { $0.hasSuffix(".lock") }, "\(step)")
                    _ = try await world.move().toDirectory()
                }
                #expect(try await world.inDatabase() == nil, "\(step), back: \(isBack)")
                #expect(try await world.inDirectory() == before, "\(step), back: \(isBack)")
            }
        }
    }

    @Test("a move that was begun is taken back by the opposite one, until the target has everything")
    func takenBack() async throws {
        for step in [FleetMove.Step.marked, .sealed, .sending] {
            let world = try await World()
            let before = try await world.inDirectory()
            await #expect(throws: FleetMoveError.ended) {
                try await world.move { if $0 == step { throw FleetMoveError.ended } }.toDatabase()
            }
            #expect(try await world.move().toDirectory() == .undone)
            #expect(try await world.inDirectory() == before)
            #expect(try await world.inDatabase() == [0, 0, 0])
        }
        for step in [FleetMove.Step.closed, .arriving, .journal, .tokens] {
            let world = try await World()
            let moved = try await world.move().toDatabase()
            await #expect(throws: FleetMoveError.ended) {
                try await world.move { if $0 == step { throw FleetMoveError.ended } }.toDirectory()
            }
            #expect(try await world.move().toDatabase() == moved, "\(step)")
            #expect(try await world.inDatabase() == [2, 2, moved.charges], "\(step)")
            #expect(try await world.inDirectory() == nil, "\(step)")
        }
        let world = try await World()
        await #expect(throws: FleetMoveError.ended) {
            try await world.move { if $0 == .filled { throw FleetMoveError.ended } }.toDatabase()
        }
        await #expect(throws: FleetMoveError.unfinished) { try await world.move().toDirectory() }
    }

    @Test("a journal that a move sealed is not one of a newer program, also without the mark")
    func sealedAlone() async throws {
        let world = try await World(charges: 12)
        _ = try await world.move().toDatabase()
        #expect(unlink(world.directory.path("moved")) == 0)
        let error = await #expect(throws: (any Error).self) { try await ChargeJournal.open(in: world.state) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("a move of sign-ins and charges between"), "\(text)")
        #expect(try await ChargeJournal.left(in: world.state.forMoving)?.charges(limit: 1).isEmpty == false)
    }

    @Test(
        "a move whose connection is lost at any statement, before it or with its response, is completed by the next run"
    )
    func lostStatements() async throws {
        for isBack in [false, true] {
            for side in ["before", "after"] {
                // Another start in each run, so that several runs lose every statement.
                var number = Int.random(in: 1...6)
                while true {
                    let world = try await World(["M1"], charges: 3)
                    let before = try await world.inDirectory()
                    if isBack { _ = try await world.move().toDatabase() }
                    let relay = try await PostgreSQLRelay(to: world.database.server, at: number, side, "cut")
                    // The same address, so that the mark fits.
                    let cut = world.move(relay.address(of: world.database.name))
                    var wasLost = false
                    do {
                        if isBack { _ = try await cut.toDirectory() } else { _ = try await cut.toDatabase() }
                    } catch {
                        wasLost = true
                    }
                    let place: Comment = "statement \(number) \(side), back: \(isBack)"
                    #expect(try await !world.isInBoth(), place)
                    guard wasLost else { break }
                    // The relay disturbs once.
                    if isBack { _ = try await cut.toDirectory() } else { _ = try await cut.toDatabase() }
                    if !isBack { _ = try await cut.toDirectory() }
                    #expect(try await world.inDirectory() == before, place)
                    #expect(try await world.inDatabase() == nil, place)
                    number += 6
                }
                #expect(number > 9)
            }
        }
    }

    // MARK: Refusals

    @Test("a live charge or a renewal in the source refuses the move, and the source stays in use")
    func inUse() async throws {
        let world = try await World(charges: 0)
        let journal = try await ChargeJournal.open(in: world.state)
        let operation = PaymentOperation(
            id: "c_1", kind: .charge, rail: .ecommerce, environment: "sandbox", merchantID: "M1", idempotencyKey: "k1",
            externalID: "E1", amount: Money(minorUnits: 1250, currency: .usDollar),
            request: OperationRequest(path: "/v1/charges", body: "{}"), now: 1000)
        var lock = try await journal.add(operation)
        await #expect(throws: FleetMoveError.inUse("a charge")) { try await world.move().toDatabase() }
        lock = nil
        let key = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
        let lease = try await world.store.lease(key, patience: 1, onWait: {})
        await #expect(throws: FleetMoveError.inUse("the tokens of \(key.words)")) {
            try await world.move().toDatabase()
        }
        lease.release()
        #expect(try await world.inDirectory() != nil)
        #expect(try await journal.advance("c_1", to: .sent, now: 2000).state == .sent)
        _ = try await world.move().toDatabase()
        // The same of the database.
        let shared = ChargeJournal(FleetJournal(world.database.url, state: world.state))
        lock = try await shared.lock("c_1")
        await #expect(throws: FleetMoveError.inUse("the charge c_1")) { try await world.move().toDirectory() }
        lock = nil
        let store = TokenWorld.store(world.database.url, in: world.keys)
        let shop = try await store.lease(key, patience: 1, onWait: {})
        await #expect(throws: FleetMoveError.self) { try await world.move().toDirectory() }
        shop.release()
        #expect(try await world.inDatabase() == [2, 2, 1])
        #expect(
            try await eventually {
                do {
                    _ = try await world.move().toDirectory()
                    return true
                } catch FleetMoveError.inUse {
                    return false
                }
            })
        _ = lock
    }

    @Test("programs that use the source since before the move are refused: charges, tokens, names and requests")
    func oldPrograms() async throws {
        let world = try await World(charges: 2)
        func operation(_ id: String) -> PaymentOperation {
            PaymentOperation(
                id: id, kind: .charge, rail: .ecommerce, environment: "sandbox", merchantID: "M1", idempotencyKey: id,
                externalID: "E1", amount: Money(minorUnits: 1250, currency: .usDollar),
                request: OperationRequest(path: "/v1/charges", body: "{}"), now: 1000)
        }
        let key = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
        let file = try await ChargeJournal.open(in: world.state)
        let ledger = RateLedger(
            directory: world.state, token: RateBudget(FleetWorld.scope("a"), limits: RateLimits()), onNotice: { _ in })
        try await ledger.acquire().release()
        _ = try await world.move().toDatabase()
        await #expect(throws: (any Error).self) { try await file.add(operation("c_new")) }
        await #expect(throws: (any Error).self) { try await ChargeJournal.open(in: world.state) }
        await #expect(throws: CredentialError.self) { try await world.store.load(key) }
        await #expect(throws: CredentialError.self) { try await world.store.lease(key, patience: 0, onWait: {}) }
        await #expect(throws: CredentialError.self) { try await ProfileStore(state: world.state).all() }
        await #expect(throws: LedgerError.self) { try await ledger.acquire().release() }
        // And those of the database.
        let shared = ChargeJournal(FleetJournal(world.database.url, state: try world.other().state))
        _ = try await shared.add(operation("c_2"))
        let budget = world.database.ledger()
        try await budget.acquire().release()
        #expect(
            try await eventually {
                do {
                    _ = try await world.move().toDirectory()
                    return true
                } catch FleetMoveError.inUse {
                    return false
                }
            })
        await #expect(throws: JournalError.self) { try await shared.add(operation("c_3")) }
        await #expect(throws: LedgerError.self) { try await budget.acquire().release() }
        let store = TokenWorld.store(world.database.url, in: world.keys)
        await #expect(throws: CredentialError.self) { try await store.load(key) }
        #expect(try await ChargeJournal.open(in: world.state).operation("c_2") != nil)
    }

    @Test("a database that has other machines' charges and sign-ins gets those of one more; what differs is refused")
    func merges() async throws {
        let first = try await World(["M1"], charges: 5, seed: 1)
        _ = try await first.move().toDatabase()
        let second = try World(first.database, keys: first.keys)
        try await second.fill(["M2"], charges: 0, seed: 2)
        _ = try await second.move().toDatabase()
        #expect(try await first.inDatabase() == [2, 2, 5])
        // The same charges as the first machine's, as after a copy of its directory.
        let same = try World(first.database, keys: first.keys)
        try await same.fill([], charges: 5, seed: 1)
        let before = try await same.inDirectory()
        // They name no machine, and those in the database name the first one.
        await #expect(throws: FleetMoveError.self) { try await same.move().toDatabase() }
        #expect(try await same.inDirectory() == before)
        let other = try World(first.database, keys: first.keys)
        try await other.fill(["M2"], charges: 0, seed: 3)
        let key = try CredentialKey(environment: "us", merchantID: "M2", appID: "APP")
        try await other.store.save(
            Credential(
                key: key, kind: .oauth, accessToken: Secret("a-else"), refreshToken: Secret("r-else"), createdAt: 1))
        await #expect(throws: FleetMoveError.differs("the sign-in of \(key.words)")) {
            try await other.move().toDatabase()
        }
        #expect(try await other.store.load(key)?.accessToken == Secret("a-else"))
        await #expect(throws: FleetMoveError.differs("the sign-in of \(key.words)")) {
            try await other.move().toDirectory()
        }
        #expect(try await first.inDatabase() == [2, 2, 5])
    }

    @Test("a database that another machine moved back is closed: no old report is repeated, and it can be shared again")
    func closed() async throws {
        for step in [FleetMove.Step.filled, .left, .removed] {
            let first = try await World(["M1"], charges: 3, seed: 1)
            let dying = first.move { if $0 == step { throw FleetMoveError.ended } }
            await #expect(throws: FleetMoveError.ended) { try await dying.toDatabase() }
            let second = try first.other()
            _ = try await second.move().toDirectory()
            let place = try await first.database.rows("SELECT place FROM clover_state.moved").first ?? ""
            #expect(place.hasSuffix(":" + second.directory.path), "\(step)")
            let closed = FleetMoveError.closed(by: place, isComplete: true)
            for _ in 0..<2 {
                await #expect(throws: closed) { try await first.move().toDatabase() }
            }
            await #expect(throws: closed) { try await first.move().toDirectory() }
            // A machine that never moved anything cannot open it either: it would be empty.
            let third = try first.other()
            try await third.fill(["M3"], charges: 2, seed: 3)
            let before = try await third.inDirectory()
            await #expect(throws: closed) { try await third.move().toDatabase() }
            #expect(try await third.inDirectory() == before, "\(step)")
            #expect(try await first.inDatabase() == nil, "\(step)")
            // Its keys were charged, and only the other machine knows that.
            #expect(try await first.inDirectory() == nil, "\(step)")
            #expect(try first.directory.names("credentials").allSatisfy { $0.hasSuffix(".lock") }, "\(step)")
            _ = try await second.move().toDatabase()
            #expect(try await first.inDatabase() == [1, 1, 3], "\(step)")
            _ = try await first.move().toDatabase()
        }
    }

    @Test("what this machine keeps for the database is stored there before the database is left")
    func kept() async throws {
        let world = try await World(charges: 0)
        _ = try await world.move().toDatabase()
        // The second one has the name for M1.
        for name in ["unrecorded-c_1.json", "unstored-37f3adc1a11692d2.json"] {
            try world.directory.write(name, "{}")
            let error = await #expect(throws: FleetMoveError.self) { try await world.move().toDirectory() }
            #expect(error?.description.contains(world.directory.path(name)) == true, "\(String(describing: error))")
            #expect(unlink(world.directory.path(name)) == 0)
        }
        let ended = "unstored-0123456789abcdef.json"
        try world.directory.write(ended, "{}")
        _ = try await world.move().toDirectory()
        #expect(try !world.directory.names().contains(ended))
    }

    @Test("new tokens that only another machine may have refuse the move, and the sign-in is named")
    func keptElsewhere() async throws {
        for state in ["sent", "lost"] {
            let world = try await World(charges: 0)
            _ = try await world.move().toDatabase()
            func keys() async throws -> [UnstoredSignIn] {
                try await TokenWorld.keys(world.database.url, in: world.keys) { (keys) throws(CredentialError) in
                    try keys.unstored()
                }
            }
            #expect(try await keys() == [])
            _ = try await world.database.rows(
                """
                UPDATE clover_state.credentials SET journal = replace(journal, 'refused', '\(state)'),
                    changed_at = now() - interval '1 min' WHERE merchant = 'M1'
                """)
            let found = try await keys()
            #expect(found.map(\.key.merchantID) == ["M1"] && found.map(\.profile) == ["shop-M1"], "\(state)")
            let signIn = try #require(found.first)
            await #expect(throws: FleetMoveError.unstored(signIn)) { try await world.other().move().toDirectory() }
            #expect(try await world.inDatabase() == [2, 2, 0], "\(state)")
            // As after 'auth refresh' on that machine.
            _ = try await world.database.rows(
                "UPDATE clover_state.credentials SET journal = NULL, journal_token = NULL")
            _ = try await world.other().move().toDirectory()
        }
    }

    /// Records a charge that was approved, and an open refund of it.
    private static func pay(_ id: String, payment: String, refund: String, in state: StateDirectory) async throws {
        func operation(_ id: String, _ kind: OperationKind, parent: String?, key: String) -> PaymentOperation {
            PaymentOperation(
                id: id, kind: kind, parent: parent, rail: .ecommerce, environment: "sandbox", merchantID: "M1",
                idempotencyKey: key, externalID: "E1", amount: Money(minorUnits: 1250, currency: .usDollar),
                request: OperationRequest(path: "/v1/charges", body: "{}"), now: 1000)
        }
        let journal = try await ChargeJournal.open(in: state)
        let charge = operation(id, .charge, parent: nil, key: "one-key")
        let locks = [try await journal.add(charge)]
        _ = try await journal.advance(id, to: .sent, now: 2000)
        var outcome = OperationOutcome()
        outcome.paymentID = payment
        outcome.amount = 1250
        let shown = ObservedPayment(source: .externalID, ending: .approved, externalID: "E1", outcome: outcome)
        _ = try await journal.settle(id, Verdict(on: charge, [.payment(shown)]), now: 3000)
        withExtendedLifetime(locks) {}
        _ = try await journal.add(operation(refund, .refund, parent: id, key: refund))
    }

    @Test("two charges of one key are one if they have the same payment, with the refunds of both; others are named")
    func sameKey() async throws {
        let first = try await World([], charges: 0)
        try await Self.pay("c_1", payment: "P1", refund: "r_1", in: first.state)
        _ = try await first.move().toDatabase()
        let same = try first.other()
        try await Self.pay("c_2", payment: "P1", refund: "r_2", in: same.state)
        _ = try await same.move().toDatabase()
        let parents = try await first.database.rows(
            "SELECT parent FROM clover_state.operations WHERE kind = 'refund' ORDER BY id")
        #expect(parents == ["c_1", "c_1"])
        #expect(
            try await first.database.rows("SELECT id FROM clover_state.operations WHERE kind = 'charge'") == ["c_1"])
        let other = try first.other()
        try await Self.pay("c_3", payment: "P3", refund: "r_3", in: other.state)
        await #expect(
            throws: FleetMoveError.chargesDiffer(key: "one-key", inDirectory: "c_3", inDatabase: "c_1")
        ) {
            try await other.move().toDatabase()
        }
    }
}
