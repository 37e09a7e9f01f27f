import CloverDatabase
import CloverSystem
import GRDB
import Glibc
import Testing

@Suite("A database in the state directory")
struct StateDatabaseTests {
    private static let applicationID: Int32 = 0x436C_0001
    private static let first = "CREATE TABLE entries (name TEXT NOT NULL)"
    private static let second = "ALTER TABLE entries ADD COLUMN size INTEGER NOT NULL DEFAULT 7"

    private static func withDirectory(_ body: (StateDirectory) throws -> Void) throws {
        var name = Array("/tmp/clover-database-XXXXXX".utf8CString)
        let path = try #require(mkdtemp(&name).map { String(cString: $0) })
        defer {
            for file in ["a.sqlite", "a.sqlite-journal", "b"] { unlink(path + "/" + file) }
            rmdir(path)
        }
        try body(StateDirectory(path: path))
    }

    private static func open(
        _ directory: StateDirectory, _ migrations: [String] = [first]
    ) throws -> StateDatabase {
        try StateDatabase("a.sqlite", in: directory, applicationID: applicationID, migrations: migrations)
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        chmod(path, 0o600)
    }

    @Test("Rows outlive the connection; the file is for its owner alone")
    func keeps() throws {
        try Self.withDirectory { directory in
            try Self.open(directory).write { try $0.execute(sql: "INSERT INTO entries VALUES ('one')") }
            let names = try Self.open(directory).read { try String.fetchAll($0, sql: "SELECT name FROM entries") }
            #expect(names == ["one"])
            var found = stat()
            #expect(stat(directory.path + "/a.sqlite", &found) == 0)
            #expect(found.st_mode & 0o7777 == 0o600)
        }
    }

    @Test("Every commit is synced, the directory too")
    func isDurable() throws {
        try Self.withDirectory { directory in
            let database = try Self.open(directory)
            #expect(try database.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 3)
            #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "delete")
        }
    }

    @Test("A failed transaction leaves nothing behind")
    func rollsBack() throws {
        struct Refusal: Error {}
        try Self.withDirectory { directory in
            let database = try Self.open(directory)
            #expect(throws: Refusal.self) {
                try database.write {
                    try $0.execute(sql: "INSERT INTO entries VALUES ('one')")
                    throw Refusal()
                }
            }
            #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entries") } == 0)
        }
    }

    @Test("An older version is brought up to date, with its rows")
    func migrates() throws {
        try Self.withDirectory { directory in
            try Self.open(directory).write { try $0.execute(sql: "INSERT INTO entries VALUES ('one')") }
            let database = try Self.open(directory, [Self.first, Self.second])
            #expect(try database.read { try Int.fetchOne($0, sql: "SELECT size FROM entries") } == 7)
            #expect(try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 2)
        }
    }

    @Test("A newer version is refused, and stays as it was")
    func refusesNewer() throws {
        try Self.withDirectory { directory in
            _ = try Self.open(directory, [Self.first, Self.second])
            #expect(
                throws: StateDatabaseError.newerVersion(path: directory.path + "/a.sqlite", found: 2, known: 1)
            ) { try Self.open(directory) }
            let database = try Self.open(directory, [Self.first, Self.second])
            #expect(try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 2)
        }
    }

    @Test("What is no database is refused, and stays as it was")
    func refusesDamage() throws {
        try Self.withDirectory { directory in
            let path = directory.path + "/a.sqlite"
            let text = String(repeating: "no database at all. ", count: 100)
            try Self.write(text, to: path)
            #expect(throws: StateDatabaseError.damaged(path: path)) { try Self.open(directory) }
            var found = stat()
            #expect(stat(path, &found) == 0)
            #expect(Int(found.st_size) == text.utf8.count)
        }
    }

    @Test("A database of another kind is refused")
    func refusesOthers() throws {
        try Self.withDirectory { directory in
            _ = try Self.open(directory)
            let path = directory.path + "/a.sqlite"
            #expect(throws: StateDatabaseError.otherContent(path: path, applicationID: Self.applicationID)) {
                try StateDatabase("a.sqlite", in: directory, applicationID: 5, migrations: [Self.first])
            }
        }
    }

    @Test("A file that others can read is refused, and so is a link")
    func refusesLooseFiles() throws {
        try Self.withDirectory { directory in
            _ = try Self.open(directory)
            let path = directory.path + "/a.sqlite"
            chmod(path, 0o644)
            #expect(throws: StateDatabaseError.storage(.refused(path: path, .looseMode(0o644)))) {
                try Self.open(directory)
            }
            chmod(path, 0o600)
            rename(path, directory.path + "/b")
            symlink("b", path)
            #expect(throws: StateDatabaseError.storage(.refused(path: path, .symbolicLink))) {
                try Self.open(directory)
            }
        }
    }

    @Test("Looking for one that was never made makes none")
    func looksWithoutMaking() throws {
        try Self.withDirectory { directory in
            let found = try StateDatabase.existing(
                "a.sqlite", in: directory, applicationID: Self.applicationID, migrations: [Self.first])
            #expect(found == nil)
            #expect(access(directory.path + "/a.sqlite", F_OK) != 0)
        }
    }

    @Test("A full device is distinguished from other errors")
    func tellsFullDevice() throws {
        try Self.withDirectory { directory in
            let database = try Self.open(directory)
            let path = directory.path + "/a.sqlite"
            #expect(throws: StateDatabaseError.full(path: path)) {
                try database.write {
                    try $0.execute(sql: "PRAGMA max_page_count = 2")
                    try $0.execute(sql: "INSERT INTO entries VALUES (hex(zeroblob(100000)))")
                }
            }
        }
    }
}
