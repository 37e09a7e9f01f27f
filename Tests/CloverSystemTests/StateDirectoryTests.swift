import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("Where state is kept")
struct StateDirectoryTests {
    struct Place: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let environment: [String: String]
        let path: String
    }

    @Test(
        "The place follows the environment",
        arguments: [
            Place(
                testDescription: "own variable first",
                environment: ["CLOVER_STATE_DIR": "/a", "XDG_STATE_HOME": "/b", "HOME": "/c"], path: "/a"),
            Place(
                testDescription: "then the XDG variable",
                environment: ["XDG_STATE_HOME": "/b", "HOME": "/c"], path: "/b/clover"),
            Place(testDescription: "then the home", environment: ["HOME": "/c"], path: "/c/.local/state/clover"),
            Place(
                testDescription: "relative XDG variable is ignored",
                environment: ["XDG_STATE_HOME": "b", "HOME": "/c"], path: "/c/.local/state/clover"),
            Place(
                testDescription: "empty variables count as unset",
                environment: ["CLOVER_STATE_DIR": "", "XDG_STATE_HOME": "", "HOME": "/c"],
                path: "/c/.local/state/clover"),
            Place(
                testDescription: "trailing slashes go", environment: ["CLOVER_STATE_DIR": "/a//"], path: "/a"),
        ])
    func place(_ place: Place) throws {
        #expect(try StateDirectory(environment: place.environment).path == place.path)
    }

    @Test("Without HOME, as under cron, the user database is asked")
    func homeFromUserDatabase() throws {
        let home = try #require(getpwuid(geteuid())?.pointee.pw_dir).pointee
        #expect(home == CChar(UInt8(ascii: "/")))
        let path = try StateDirectory(environment: [:]).path
        #expect(path.hasPrefix("/"))
        #expect(path.hasSuffix("/.local/state/clover"))
    }

    @Test("A relative place of one's own starts from the working directory")
    func relativePlace() throws {
        let path = try StateDirectory(environment: ["CLOVER_STATE_DIR": "x/y"]).path
        #expect(path.hasPrefix("/"))
        #expect(path.hasSuffix("/x/y"))
    }

    @Test("Network file systems are accepted only when the user says so")
    func allowance() throws {
        let word = "CLOVER_ALLOW_NETWORK_STATE"
        #expect(try !StateDirectory(environment: ["HOME": "/c"]).allowsNetworkFileSystem)
        #expect(try !StateDirectory(environment: ["HOME": "/c", word: "0"]).allowsNetworkFileSystem)
        #expect(try StateDirectory(environment: ["HOME": "/c", word: "1"]).allowsNetworkFileSystem)
    }

    @Test("Missing directories are created for this user only")
    func creates() throws {
        let temporary = try TemporaryDirectory()
        let state = StateDirectory(path: temporary.path("a/b/c"))
        _ = try state.prepareSubdirectory("credentials", rule: .secret)
        for name in ["a", "a/b", "a/b/c", "a/b/c/credentials"] {
            #expect(try temporary.mode(name) == 0o700)
        }
    }

    @Test("Looking at what exists creates nothing")
    func looksOnly() throws {
        let temporary = try TemporaryDirectory()
        let state = StateDirectory(path: temporary.path("a"))
        let found = try state.existing()
        #expect(found == nil ? true : false)
        let inner = try state.existingSubdirectory("credentials", rule: .secret)
        #expect(inner == nil ? true : false)
        #expect(try temporary.names() == [])
    }

    @Test("A directory of secrets that others may enter is refused", arguments: [0o750, 0o705, 0o710, 0o701, 0o770])
    func looseSecrets(mode: UInt32) throws {
        let temporary = try TemporaryDirectory()
        try temporary.makeDirectory("credentials", mode: mode)
        let expected = StorageError.refused(path: temporary.path("credentials"), .looseMode(mode))
        #expect(throws: expected) {
            _ = try StateDirectory(path: temporary.path).prepareSubdirectory("credentials", rule: .secret)
        }
        #expect(try temporary.mode("credentials") == mode)
    }

    @Test("A state directory that others may read is accepted, one that they may write is refused")
    func looseState() throws {
        let temporary = try TemporaryDirectory()
        try temporary.makeDirectory("readable", mode: 0o755)
        try temporary.makeDirectory("writable", mode: 0o775)
        try StateDirectory(path: temporary.path("readable")).prepare()
        #expect(throws: StorageError.refused(path: temporary.path("writable"), .looseMode(0o775))) {
            try StateDirectory(path: temporary.path("writable")).prepare()
        }
    }

    @Test("The state directory may be a link, a directory of secrets may not")
    func links() throws {
        let temporary = try TemporaryDirectory()
        try temporary.makeDirectory("real")
        try temporary.makeDirectory("elsewhere")
        #expect(symlink("real", temporary.path("state")) == 0)
        #expect(symlink("../elsewhere", temporary.path("real/credentials")) == 0)
        let state = StateDirectory(path: temporary.path("state"))
        try state.prepare()
        #expect(throws: StorageError.refused(path: temporary.path("state/credentials"), .symbolicLink)) {
            _ = try state.prepareSubdirectory("credentials", rule: .secret)
        }
        #expect(throws: StorageError.refused(path: temporary.path("state/credentials"), .symbolicLink)) {
            _ = try state.existingSubdirectory("credentials", rule: .secret)
        }
    }

    @Test("A file in the directory's place is refused")
    func fileInPlace() throws {
        let temporary = try TemporaryDirectory()
        try temporary.write("credentials", "")
        #expect(throws: StorageError.refused(path: temporary.path("credentials"), .notDirectory)) {
            _ = try StateDirectory(path: temporary.path).prepareSubdirectory("credentials", rule: .secret)
        }
    }

    @Test("Another user's directory is refused")
    func foreignOwner() throws {
        let temporary = try TemporaryDirectory()
        try temporary.makeDirectory("credentials")
        // Only root can give a directory away; others find directories of root's.
        let (parent, owner): (String, UInt32) = geteuid() == 0 ? (temporary.path, 12345) : ("/", 0)
        let name = geteuid() == 0 ? "credentials" : "usr"
        if geteuid() == 0 { #expect(chown(temporary.path("credentials"), owner, owner) == 0) }
        let path = StateDirectory(path: parent).path + "/" + name
        #expect(throws: StorageError.refused(path: path, .foreignOwner(owner, expected: geteuid()))) {
            _ = try StateDirectory(path: parent).existingSubdirectory(name, rule: .secret)
        }
    }
}
