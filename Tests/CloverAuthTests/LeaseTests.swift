import CloverAuth
import CloverHTTP
import CloverSystem
import Glibc
import ProbeSupport
import Synchronization
import Testing

@Suite("Leases on credentials")
struct LeaseTests {
    private let temporary: TemporaryDirectory
    private let store: FileCredentialStore
    private let key: CredentialKey
    private let journalFile = "credentials/us_M1_APP.refresh.json"

    init() throws {
        temporary = try TemporaryDirectory()
        store = FileCredentialStore(state: StateDirectory(path: temporary.path))
        key = try CredentialKey(environment: "us", merchantID: "M1", appID: "APP")
    }

    private func credential(_ name: String = "1") -> Credential {
        Credential(
            key: key, kind: .oauth, accessToken: Secret("a-" + name), refreshToken: Secret("r-" + name), createdAt: 1)
    }

    private func journal(
        _ token: String = "r-1", state: RefreshJournal.State = .refused, message: String? = "no"
    ) -> RefreshJournal {
        RefreshJournal(
            tokenHash: SecretHash.hexadecimal(of: Secret(token)), state: state, at: 1_700_000_000_123, pid: 42,
            httpStatus: 401, message: message)
    }

    private func lease(patience: Double = 60, onWait: @escaping @Sendable () -> Void = {}) async throws
        -> any CredentialLease
    {
        try await store.lease(key, patience: patience, onWait: onWait)
    }

    private var lockPath: String { temporary.path("credentials/us_M1_APP.json.lock") }

    // MARK: Serialization

    @Test("One lease at a time, and the next one comes with the release of the first")
    func turns() async throws {
        let first = try await lease()
        let waits = Mutex(0)
        let second = Task { try await lease { waits.withLock { $0 += 1 } } }
        #expect(await eventually { waits.withLock { $0 == 1 } })
        try await first.save(credential("first"))
        first.release()
        let held = try await second.value
        #expect(try await held.load() == credential("first"))
        #expect(waits.withLock { $0 } == 1)
        held.release()
    }

    @Test("A free lease is taken without waiting")
    func free() async throws {
        let lease = try await lease(patience: 0) { Issue.record("waited") }
        lease.release()
        _ = try await self.lease(patience: 0) { Issue.record("waited") }
    }

    @Test("An expired timeout is an error, and the waiter does not get the lease later")
    func patience() async throws {
        let first = try await lease()
        await #expect(throws: CredentialError.lockBusy(path: lockPath)) { try await lease(patience: 0.01) }
        first.release()
        // The thread of the waiter that gave up gets the lock now, and must let it go.
        let next = try await lease()
        #expect(try await next.load() == nil)
    }

    @Test("A cancelled task stops waiting at once, and does not get the lease later")
    func cancellation() async throws {
        let first = try await lease()
        let waits = Mutex(0)
        let second = Task { try await lease { waits.withLock { $0 += 1 } } }
        #expect(await eventually { waits.withLock { $0 == 1 } })
        second.cancel()
        await #expect(throws: CredentialError.cancelled) { try await second.value }
        first.release()
        _ = try await lease()
    }

    @Test("Saving and removing wait for a lease")
    func everybodyWaits() async throws {
        try await store.save(credential("old"))
        let first = try await lease()
        let hasSaved = Mutex(false)
        let saving = Task {
            try await store.save(credential("new"))
            hasSaved.withLock { $0 = true }
        }
        // A save without the lock would usually be detected within these rounds.
        for _ in 0..<200 { await Task.yield() }
        #expect(try await first.load() == credential("old"))
        #expect(!hasSaved.withLock { $0 })
        first.release()
        try await saving.value
        #expect(try await store.load(key) == credential("new"))
    }

    @Test("A lease that was released does nothing any more")
    func ended() async throws {
        let lease = try await lease()
        lease.release()
        lease.release()
        let expected = CredentialError.leaseEnded(path: temporary.path("credentials/us_M1_APP.json"))
        await #expect(throws: expected) { try await lease.load() }
        await #expect(throws: expected) { try await lease.save(credential()) }
        await #expect(throws: expected) { try await lease.remove() }
        await #expect(throws: expected) { try await lease.journal() }
        await #expect(throws: expected) { try await lease.setJournal(nil) }
        await #expect(throws: expected) { try await lease.reserve() }
        #expect(try temporary.names("credentials") == ["us_M1_APP.json.lock"])
    }

    @Test("A lease ends with its last reference")
    func dropped() async throws {
        do { _ = try await lease() }
        try await lease(patience: 60).release()
    }

    @Test("A lease keeps other processes out, and ends with a killed one")
    func processes() async throws {
        let holder = try ProbeProcess("lock", temporary.path, "credentials/us_M1_APP.json.lock")
        #expect(await holder.line() == "locked")
        await #expect(throws: CredentialError.lockBusy(path: lockPath)) { try await lease(patience: 0.01) }
        await holder.killNow()
        try await lease().release()
    }

    @Test("No descriptor is left over")
    func descriptors() async throws {
        try await store.save(credential())
        func count() throws -> Int { try Descriptors.count(under: temporary.path) }
        do {
            let first = try await lease()
            for _ in 0..<20 {
                await #expect(throws: CredentialError.lockBusy(path: lockPath)) { try await lease(patience: 0.001) }
            }
            first.release()
        }
        for _ in 0..<20 { try await lease().release() }
        #expect(try await eventually { try count() == 0 })
    }

    // MARK: The journal

    @Test("A journal is kept, changed and removed")
    func journals() async throws {
        let lease = try await lease()
        #expect(try await lease.journal() == nil)
        for written in [journal(), journal(state: .lost, message: nil), journal(state: .sent)] {
            try await lease.setJournal(written)
            #expect(try await lease.journal() == written)
            // Without the lease, which is held here, it is read anyway.
            #expect(try await store.journal(key) == written)
            #expect(try temporary.mode(journalFile) == 0o600)
        }
        #expect(try await lease.journal()?.isAbout(Secret("r-1")) == true)
        #expect(try await lease.journal()?.isAbout(Secret("r-2")) == false)
        try await lease.setJournal(nil)
        #expect(try await lease.journal() == nil)
        #expect(try await store.journal(key) == nil)
        #expect(try temporary.names("credentials") == ["us_M1_APP.json.lock"])
    }

    @Test("A journal is the documented JSON, and not a credential itself")
    func journalFormat() async throws {
        try await lease().setJournal(journal())
        #expect(
            String(decoding: try temporary.read(journalFile), as: UTF8.self) == """
                {"at":1700000000123,"httpStatus":401,"message":"no","pid":42,"state":"refused",\
                "tokenHash":"\(SecretHash.hexadecimal(of: Secret("r-1")))","version":1}

                """)
        #expect(try await store.keys() == [])
    }

    @Test("Saving removes a journal about other tokens, and keeps one about these")
    func journalAndSave() async throws {
        let lease = try await lease()
        try await lease.setJournal(journal("r-1"))
        try await lease.save(credential("1"))
        #expect(try await lease.journal() == journal("r-1"))
        try await lease.save(credential("2"))
        #expect(try await lease.journal() == nil)
    }

    @Test("Removing a credential removes its journal")
    func journalAndRemove() async throws {
        let lease = try await lease()
        try await lease.save(credential())
        try await lease.setJournal(journal())
        #expect(try await lease.remove())
        #expect(try await !lease.remove())
        #expect(try temporary.names("credentials") == ["us_M1_APP.json.lock"])
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let error: @Sendable (String) -> CredentialError
    }

    @Test(
        "A journal that cannot be understood is refused and kept",
        arguments: [
            Bad(testDescription: "not JSON", text: "sent") { .notJSON(path: $0) },
            Bad(testDescription: "newer", text: #"{"version":9,"state":"sent"}"#) {
                .newerVersion(path: $0, found: 9, supported: 1)
            },
            Bad(
                testDescription: "unknown state",
                text: #"{"version":1,"tokenHash":"x","state":"maybe","at":1,"pid":1}"#
            ) { .malformed(path: $0, field: "state") },
        ])
    func badJournal(bad: Bad) async throws {
        try await store.save(credential("1"))
        try temporary.write(journalFile, bad.text)
        let expected = bad.error(temporary.path(journalFile))
        let lease = try await lease()
        await #expect(throws: expected) { try await lease.journal() }
        await #expect(throws: expected) { try await lease.setJournal(journal()) }
        await #expect(throws: expected) { try await lease.setJournal(nil) }
        try await lease.save(credential("2"))
        #expect(try temporary.read(journalFile) == Array(bad.text.utf8))
    }

    @Test("A journal that others may touch, or a link, is refused and kept")
    func unsafeJournal() async throws {
        try await store.save(credential())
        try temporary.write(journalFile, "{}", mode: 0o644)
        let lease = try await lease()
        let loose = CredentialError.storage(.refused(path: temporary.path(journalFile), .looseMode(0o644)))
        await #expect(throws: loose) { try await lease.journal() }
        await #expect(throws: loose) { try await lease.setJournal(journal()) }
        await #expect(throws: loose) { try await lease.remove() }
        #expect(unlink(temporary.path(journalFile)) == 0)
        try temporary.write("target", "{}")
        #expect(symlink("../target", temporary.path(journalFile)) == 0)
        let link = CredentialError.storage(.refused(path: temporary.path(journalFile), .symbolicLink))
        await #expect(throws: link) { try await lease.setJournal(journal()) }
        await #expect(throws: link) { try await lease.remove() }
        #expect(try temporary.read("target") == Array("{}".utf8))
        #expect(try await lease.load() == credential())
    }

    // MARK: Room

    @Test("Room that was reserved is given back by saving, by the release, and by the next one after a kill")
    func reservation() async throws {
        let spare = "credentials/.us_M1_APP.json.new"
        let first = try await lease()
        try await first.reserve()
        #expect(try temporary.read(spare).count >= 2 * 8192)
        #expect(try temporary.mode(spare) == 0o600)
        try await first.save(credential())
        #expect(try temporary.names("credentials") == ["us_M1_APP.json", "us_M1_APP.json.lock"])
        try await first.reserve()
        first.release()
        #expect(try temporary.names("credentials") == ["us_M1_APP.json", "us_M1_APP.json.lock"])
        try temporary.write(spare, "left over")
        let second = try await lease()
        try await second.reserve()
        second.release()
        #expect(try temporary.names("credentials") == ["us_M1_APP.json", "us_M1_APP.json.lock"])
    }
}
