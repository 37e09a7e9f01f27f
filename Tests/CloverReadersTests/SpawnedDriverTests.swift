import CloverReaders
import Glibc
import Testing

@Suite("A driver program that no thread manages")
struct SpawnedDriverTests {
    @Test("is killed and reaped, and its descriptors are closed")
    func abandoned() throws {
        let command = try #require(DriverCommand(parsing: "/bin/sh -c 'trap : TERM; exec sleep 3600'"))
        let spawned = try SpawnedDriver.start(command, variables: [:])
        let descriptors = [spawned.input, spawned.output, spawned.errors]
        let before = descriptors.map { Self.file($0) }
        #expect(before.allSatisfy { $0 != nil })
        spawned.abandon()
        #expect(kill(spawned.processID, 0) == -1 && errno == ESRCH)
        // Another test may have this descriptor number by now, but not the same file.
        for (descriptor, file) in zip(descriptors, before) {
            #expect(Self.file(descriptor) != file)
        }
    }

    private static func file(_ descriptor: Int32) -> ino_t? {
        var found = stat()
        return fstat(descriptor, &found) == 0 ? found.st_ino : nil
    }
}
