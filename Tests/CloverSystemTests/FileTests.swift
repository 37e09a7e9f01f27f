import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("Private and atomic files")
struct FileTests {
    let temporary: TemporaryDirectory
    let state: StateDirectory

    init() throws {
        temporary = try TemporaryDirectory()
        state = StateDirectory(path: temporary.path)
        _ = try state.prepareSubdirectory("d", rule: .secret)
    }

    private func directory() throws(StorageError) -> OpenDirectory {
        try state.prepareSubdirectory("d", rule: .secret)
    }

    private func replace(_ name: String, _ text: String, durable: Bool = true) throws(StorageError) {
        let directory = try directory()
        let lock = try FileLock.acquire(name + ".lock", in: directory)
        try AtomicFile.replace(name, in: directory, with: Array(text.utf8), durable: durable, holding: lock)
    }

    private func read(_ name: String, limit: Int = 100) throws(StorageError) -> String? {
        try PrivateFile.read(name, in: directory(), limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("What was written is read back, and the file is this user's only", arguments: [true, false])
    func roundTrip(durable: Bool) throws {
        #expect(try read("f") == nil)
        try replace("f", "one", durable: durable)
        try replace("f", "two", durable: durable)
        #expect(try read("f") == "two")
        #expect(try temporary.mode("d/f") == 0o600)
        #expect(try temporary.names("d") == ["f", "f.lock"])
    }

    @Test("What a killed writer left beside the file is cleared away by the next one")
    func leftover() throws {
        try temporary.write("d/.f.new", "half")
        try replace("f", "whole")
        #expect(try read("f") == "whole")
        #expect(try temporary.names("d") == ["f", "f.lock"])
    }

    @Test("A writer that fails leaves the old file and nothing else")
    func failedWriter() throws {
        try replace("f", "old")
        // A directory in the temporary file's place cannot be cleared away.
        try temporary.makeDirectory("d/.f.new")
        #expect(throws: StorageError.self) { try replace("f", "new") }
        #expect(try read("f") == "old")
        #expect(try temporary.names("d") == [".f.new", "f", "f.lock"])
    }

    @Test("Room that was set aside is on the disk, is used up by writing, and can be given back")
    func reservation() throws {
        let directory = try directory()
        let lock = try FileLock.acquire("f.lock", in: directory)
        try temporary.write("d/.f.new", "left over")
        try AtomicFile.reserve(10_000, for: "f", in: directory, holding: lock)
        #expect(try temporary.read("d/.f.new") == [UInt8](repeating: 0, count: 10_000))
        #expect(try temporary.mode("d/.f.new") == 0o600)
        try AtomicFile.replace("f", in: directory, with: [1], holding: lock)
        #expect(try temporary.names("d") == ["f", "f.lock"])
        try AtomicFile.reserve(10_000, for: "f", in: directory, holding: lock)
        AtomicFile.giveBack("f", in: directory, holding: lock)
        AtomicFile.giveBack("f", in: directory, holding: lock)
        #expect(try temporary.names("d") == ["f", "f.lock"])
        #expect(try temporary.read("d/f") == [1])
    }

    @Test("Removing takes the file and a leftover")
    func removes() throws {
        try replace("f", "x")
        try temporary.write("d/.f.new", "half")
        let directory = try directory()
        let lock = try FileLock.acquire("f.lock", in: directory)
        #expect(try AtomicFile.remove("f", in: directory, holding: lock))
        #expect(try !AtomicFile.remove("f", in: directory, holding: lock))
        #expect(try temporary.names("d") == ["f.lock"])
    }

    @Test("A link is neither read nor written through, and its target stays as it is")
    func link() throws {
        try temporary.write("target", "secret")
        #expect(symlink("../target", temporary.path("d/f")) == 0)
        let expected = StorageError.refused(path: temporary.path("d/f"), .symbolicLink)
        #expect(throws: expected) { try read("f") }
        #expect(throws: expected) { try replace("f", "new") }
        #expect(try temporary.read("target") == Array("secret".utf8))
    }

    @Test("A FIFO is refused at once instead of waited for")
    func fifo() throws {
        #expect(mkfifo(temporary.path("d/f"), 0o600) == 0)
        let expected = StorageError.refused(path: temporary.path("d/f"), .notRegularFile)
        #expect(throws: expected) { try read("f") }
        #expect(throws: expected) { try replace("f", "new") }
    }

    @Test("A directory in the file's place is refused")
    func directoryInPlace() throws {
        try temporary.makeDirectory("d/f")
        let expected = StorageError.refused(path: temporary.path("d/f"), .notRegularFile)
        #expect(throws: expected) { try read("f") }
        #expect(throws: expected) { try replace("f", "new") }
    }

    @Test("A file that others may touch is refused and kept", arguments: [0o640, 0o604, 0o660, 0o601])
    func looseMode(mode: UInt32) throws {
        try temporary.write("d/f", "secret", mode: mode)
        #expect(throws: StorageError.refused(path: temporary.path("d/f"), .looseMode(mode))) { try read("f") }
        #expect(try temporary.read("d/f") == Array("secret".utf8))
    }

    @Test("Another user's file is refused and kept")
    func foreignOwner() throws {
        try temporary.write("d/f", "secret")
        // Only root can give a file away; for others the rule itself is what can be tried.
        guard geteuid() == 0 else {
            #expect(AccessRule.secret.refusal(owner: 0, mode: 0o600, user: geteuid()) != nil)
            return
        }
        #expect(chown(temporary.path("d/f"), 12345, 12345) == 0)
        #expect(throws: StorageError.refused(path: temporary.path("d/f"), .foreignOwner(12345, expected: 0))) {
            try read("f")
        }
        #expect(try temporary.read("d/f") == Array("secret".utf8))
    }

    @Test("A file is read up to the limit and refused beyond it")
    func limit() throws {
        try replace("f", "12345")
        #expect(try read("f", limit: 5) == "12345")
        #expect(throws: StorageError.refused(path: temporary.path("d/f"), .tooLarge(limit: 4))) {
            try read("f", limit: 4)
        }
    }

    @Test("A file that claims to be enormous is refused without being read")
    func sparse() throws {
        try temporary.write("d/f", "x")
        #expect(truncate(temporary.path("d/f"), 1 << 40) == 0)
        #expect(throws: StorageError.refused(path: temporary.path("d/f"), .tooLarge(limit: 100))) { try read("f") }
    }

    @Test("Threads for blocking work have the signals blocked that end the program")
    func signals() async {
        let blocked = await DedicatedThread.run { () -> [Int32] in
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGSEGV].filter { sigismember(&mask, $0) == 1 }
        }
        #expect(blocked == [SIGINT, SIGTERM, SIGHUP, SIGPIPE])
    }
}
