import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("News about directories")
struct DirectoryWatchTests {
    private let temporary: TemporaryDirectory
    private let state: StateDirectory
    private let watch: DirectoryWatch

    init() throws {
        temporary = try TemporaryDirectory()
        state = StateDirectory(path: temporary.path)
        watch = try DirectoryWatch()
        _ = try watch.add(state.prepareSubdirectory("d", rule: .secret))
    }

    private func news() async throws(StorageError) -> DirectoryWatch.News {
        try await DedicatedThread.run { [watch] () throws(StorageError) in try watch.wait() }
    }

    /// With directories, because a file that another test's child still holds open is reported once more when that ends.
    @Test("Entries that come, change and go are named", .timeLimit(.minutes(10)))
    func entries() async throws {
        try temporary.makeDirectory("d/a")
        try temporary.makeDirectory("d/b")
        #expect(try await news() == .entries(["a", "b"]))
        #expect(chmod(temporary.path("d/a"), 0o740) == 0)
        #expect(try await news() == .entries(["a"]))
        #expect(rename(temporary.path("d/a"), temporary.path("d/c")) == 0)
        #expect(try await news() == .entries(["a", "c"]))
        #expect(rmdir(temporary.path("d/b")) == 0)
        #expect(try await news() == .entries(["b"]))
    }

    @Test("A file is named when it is written, and again when it is written later", .timeLimit(.minutes(10)))
    func files() async throws {
        for content in ["1", "22"] {
            try temporary.write("d/file", content)
            #expect(try await news() == .entries(["file"]))
        }
    }

    @Test("A directory that is removed or moved is news", .timeLimit(.minutes(10)))
    func gone() async throws {
        #expect(rename(temporary.path("d"), temporary.path("e")) == 0)
        #expect(try await news() == .anything)
        #expect(rmdir(temporary.path("e")) == 0)
        #expect(try await news() == .anything)
    }

    @Test("A watch that was forgotten tells nothing, and another one goes on", .timeLimit(.minutes(10)))
    func forgotten() async throws {
        let other = try watch.add(path: temporary.path)
        watch.forget(other)
        watch.forget(other)
        try temporary.write("outside", "1")
        try temporary.write("d/inside", "1")
        #expect(try await news() == .entries(["inside"]))
    }

    @Test("Stopping ends every wait, now and later", .timeLimit(.minutes(10)))
    func stopping() async throws {
        async let first = news()
        watch.stop()
        #expect(try await first == .stopped)
        #expect(try await news() == .stopped)
    }

    @Test("Only directories can be watched")
    func onlyDirectories() throws {
        try temporary.write("file", "")
        for (name, number) in [("file", ENOTDIR), ("nothing", ENOENT)] {
            #expect(throws: StorageError.system(.watch, path: temporary.path(name), errno: number)) {
                try watch.add(path: temporary.path(name))
            }
        }
    }

    @Test("A directory knows whether its path still leads to it")
    func stillThere() throws {
        let directory = try state.prepareSubdirectory("d", rule: .secret)
        #expect(try directory.isStillAtItsPath())
        #expect(rename(temporary.path("d"), temporary.path("e")) == 0)
        #expect(try !directory.isStillAtItsPath())
        try temporary.makeDirectory("d")
        #expect(try !directory.isStillAtItsPath())
    }
}
