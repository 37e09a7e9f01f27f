import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("Kernel locks on files")
struct FileLockTests {
    let temporary: TemporaryDirectory
    let state: StateDirectory

    init() throws {
        temporary = try TemporaryDirectory()
        state = StateDirectory(path: temporary.path)
    }

    private func isFree(_ name: String) throws -> Bool {
        let directory = try state.prepareSubdirectory("locks", rule: .own)
        if try FileLock.tryAcquire(name, in: directory) != nil { return true }
        return false
    }

    @Test("A lock that is held is not given a second time, also not in the same process")
    func excludes() throws {
        let directory = try state.prepareSubdirectory("locks", rule: .own)
        do {
            let lock = try FileLock.acquire("a.lock", in: directory)
            #expect(try !isFree("a.lock"))
            #expect(try isFree("b.lock"))
            let wasMarked = lock.wasMarked
            #expect(!wasMarked)
        }
        #expect(try isFree("a.lock"))
        #expect(try temporary.mode("locks/a.lock") == 0o600)
    }

    @Test("Another process's lock excludes this one until that process is killed")
    func killedHolder() async throws {
        let holder = try ProbeProcess("lock", temporary.path, "locks/a.lock")
        #expect(await holder.line() == "locked")
        #expect(try !isFree("a.lock"))
        await holder.killNow()
        #expect(try isFree("a.lock"))
    }

    @Test("A waiter is notified once and gets the lock when the holder ends")
    func waits() async throws {
        let holder = try ProbeProcess("lock", temporary.path, "locks/a.lock")
        #expect(await holder.line() == "locked")
        let state = state
        let notified = await DedicatedThread.run { () -> Result<Int, StorageError> in
            var notified = 0
            do throws(StorageError) {
                let directory = try state.prepareSubdirectory("locks", rule: .own)
                let lock = try FileLock.acquire("a.lock", in: directory) {
                    notified += 1
                    holder.endInput()
                }
                return .success(lock.wasMarked ? -1 : notified)
            } catch {
                return .failure(error)
            }
        }
        #expect(try notified.get() == 1)
        #expect(await holder.exitStatus() == 0)
    }

    @Test("A lock on a file whose name was given to another file does not count")
    func replacedFile() throws {
        let directory = try state.prepareSubdirectory("locks", rule: .own)
        let old = try FileLock.acquire("a.lock", in: directory)
        #expect(unlink(temporary.path("locks/a.lock")) == 0)
        let new = try FileLock.acquire("a.lock", in: directory)
        #expect(try !isFree("a.lock"))
        let marks = [old.wasMarked, new.wasMarked]
        #expect(marks == [false, false])
    }

    @Test("A mark is seen by later holders")
    func mark() throws {
        let directory = try state.prepareSubdirectory("locks", rule: .own)
        do {
            let lock = try FileLock.acquire("a.lock", in: directory)
            try lock.mark()
        }
        let wasMarked = try FileLock.acquire("a.lock", in: directory).wasMarked
        #expect(wasMarked)
    }

    @Test("The latest number that was noted is read, also while the lock is held, and is a mark")
    func number() throws {
        let directory = try state.prepareSubdirectory("locks", rule: .own)
        let path = temporary.path("locks/a.lock")
        #expect(try FileLock.number(at: path) == 0)
        do {
            let lock = try FileLock.acquire("a.lock", in: directory)
            #expect(try FileLock.number(at: path) == 0)
            try lock.mark()
            #expect(try FileLock.number(at: path) == 0)
            for number in [7, Int64.max, 12] {
                try FileLock.note(number, at: path)
                #expect(try FileLock.number(at: path) == number)
            }
            #expect(try !isFree("a.lock"))
        }
        let lock = try FileLock.acquire("a.lock", in: directory)
        try lock.mark()
        let wasMarked = lock.wasMarked
        #expect(try wasMarked && FileLock.number(at: path) == 12)
    }

    @Test("A link in the lock file's place is refused")
    func link() throws {
        let directory = try state.prepareSubdirectory("locks", rule: .own)
        #expect(symlink("/dev/null", temporary.path("locks/a.lock")) == 0)
        #expect(throws: StorageError.refused(path: temporary.path("locks/a.lock"), .symbolicLink)) {
            _ = try FileLock.acquire("a.lock", in: directory)
        }
    }

    @Test("Locks leave no descriptor behind")
    func descriptors() throws {
        let directory = try state.prepareSubdirectory("locks", rule: .own)
        let lowestBefore = try #require(lowestFreeDescriptor())
        for _ in 0..<50 {
            let lock = try FileLock.acquire("a.lock", in: directory)
            #expect(try !isFree("a.lock"))
            _ = lock.wasMarked
        }
        // Other tests open files at the same time, but no more than a few.
        let lowestAfter = try #require(lowestFreeDescriptor())
        #expect(lowestAfter < lowestBefore + 40)
    }

    private func lowestFreeDescriptor() -> Int32? {
        let number = dup(0)
        guard number >= 0 else { return nil }
        close(number)
        return number
    }
}
