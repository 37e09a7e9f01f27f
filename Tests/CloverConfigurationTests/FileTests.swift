import CloverConfiguration
import CloverSystem
import CloverTestSupport
import Glibc
import Testing

@Suite("configuration: changing the file")
struct FileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let before: String
        var key = ConfigurationKey.retry
        var value: String? = "9"
        var profile: String?
        let after: String
        var testDescription: String { name }
    }

    static let changes = [
        Change(
            name: "a value in its place, with its comment", before: "# mine\nretry:   5   # why\nformat: csv\n",
            after: "# mine\nretry:   9   # why\nformat: csv\n"),
        Change(name: "quotes give way", before: "retry: \"5\"  # x\n", after: "retry: 9  # x\n"),
        Change(name: "single quotes give way", before: "retry: '5'\n", after: "retry: 9\n"),
        Change(
            name: "a value that needs quotes gets them", before: "square-client-id: a\n", key: .squareClientID,
            value: "it's: #1", after: "square-client-id: 'it''s: #1'\n"),
        Change(name: "a key without a value", before: "retry:\nformat: csv\n", after: "retry: 9\nformat: csv\n"),
        Change(
            name: "a new key after the last one", before: "format: csv  # x\n\n# end\n",
            after: "format: csv  # x\nretry: 9\n\n# end\n"),
        Change(name: "no line break at the end", before: "format: csv", after: "format: csv\nretry: 9\n"),
        Change(
            name: "other line breaks", before: "format: csv\r\nmoney: major\r\n",
            after: "format: csv\r\nmoney: major\r\nretry: 9\r\n"),
        Change(
            name: "a new key at the top stands before the profiles and their comment",
            before: "# head\n\n# shops\nprofiles:\n  a:\n    retry: 1\n",
            after: "# head\n\nretry: 9\n# shops\nprofiles:\n  a:\n    retry: 1\n"),
        Change(
            name: "a profile's own value", before: "retry: 5\nprofiles:\n    a:\n        retry: 1 # one\n",
            profile: "a",
            after: "retry: 5\nprofiles:\n    a:\n        retry: 9 # one\n"),
        Change(
            name: "a new key of a profile, as deep as the others",
            before: "profiles:\n    a:\n       format: csv\n    b:\n       format: tsv\n", profile: "a",
            after: "profiles:\n    a:\n       format: csv\n       retry: 9\n    b:\n       format: tsv\n"),
        Change(
            name: "a new profile, as deep as the others",
            before: "profiles:\n    a:\n       format: csv\nmoney: major\n",
            profile: "b", after: "profiles:\n    a:\n       format: csv\n    b:\n       retry: 9\nmoney: major\n"),
        Change(
            name: "the first profile", before: "format: csv\n", profile: "b",
            after: "format: csv\nprofiles:\n  b:\n    retry: 9\n"),
        Change(
            name: "a profile without keys", before: "profiles:\n  a:\n  b:\n    format: csv\n", profile: "a",
            after: "profiles:\n  a:\n    retry: 9\n  b:\n    format: csv\n"),
        Change(
            name: "profiles without any", before: "profiles:\n", profile: "a", after: "profiles:\n  a:\n    retry: 9\n"),
        Change(
            name: "a value inside braces", before: "profiles: {a: {retry: 5, format: csv}}\n", profile: "a",
            after: "profiles: {a: {retry: 9, format: csv}}\n"),
        Change(
            name: "letters beyond ASCII before it", before: "square-client-id: \"Zoë 👩‍🍳\" # ü\nretry: 5\n",
            after: "square-client-id: \"Zoë 👩‍🍳\" # ü\nretry: 9\n"),
        Change(
            name: "a problem elsewhere stays", before: "fromat: csv\nretry: 5\n", after: "fromat: csv\nretry: 9\n"),
        Change(
            name: "removing keeps what is around", before: "# a\nretry: 5 # b\n# c\nformat: csv\n", value: nil,
            after: "# a\n# c\nformat: csv\n"),
        Change(
            name: "removing the last key of a profile removes the profile",
            before: "profiles:\n  a:\n    retry: 5\n  b:\n    format: csv\n", value: nil, profile: "a",
            after: "profiles:\n  b:\n    format: csv\n"),
        Change(
            name: "removing the last key of all", before: "format: csv\nprofiles:\n  a:\n    retry: 5\n", value: nil,
            profile: "a", after: "format: csv\n"),
    ]

    @Test("one value changes, and nothing else", arguments: changes)
    func changed(_ change: Change) throws {
        let file = try written(change.before)
        if let value = change.value {
            try file.set(change.key, to: value, profile: change.profile)
        } else {
            try file.unset(change.key.name, profile: change.profile)
        }
        #expect(try file.content() == change.after)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let text: String
        var profile: String?
        var isRemoval = false
        var testDescription: String { text }
    }

    @Test(
        "what cannot be changed by lines is refused, and left as it was",
        arguments: [
            Refused(text: "retry: &x 5\n"), Refused(text: "retry: |\n  5\n"), Refused(text: "retry: >-\n  5\n"),
            Refused(text: "{format: csv}\n"), Refused(text: "retry:\n  5\n"),
            Refused(text: "profiles: {a: {format: csv}}\n", profile: "a"),
            Refused(text: "profiles: {}\n", profile: "a"), Refused(text: "{retry: 5, format: csv}\n", isRemoval: true),
            Refused(text: "retry:\n  - 5\n", isRemoval: true), Refused(text: "retry: |\n  5\n", isRemoval: true),
        ])
    func refused(_ row: Refused) throws {
        let file = try written(row.text)
        let error = #expect(throws: ConfigurationError.self) {
            if row.isRemoval {
                try file.unset("retry", profile: row.profile)
            } else {
                try file.set(.retry, to: "9", profile: row.profile)
            }
        }
        guard case .notEditable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try file.content() == row.text)
    }

    @Test("the first value creates directory and file, which others cannot read")
    func first() throws {
        let file = ConfigurationFile(directory: directory["a/b/clover"])
        #expect(try file.read() == nil)
        try file.set(.format, to: "csv", profile: nil)
        #expect(try file.read()?.common[.format]?.text == "csv")
        var found = stat()
        #expect(stat(file.path, &found) == 0)
        #expect(found.st_mode & 0o777 == 0o600)
    }

    @Test("a value that is refused makes nothing")
    func nothingMade() throws {
        let file = ConfigurationFile(directory: directory["clover"])
        #expect(throws: ConfigurationError.wrongValue(.retry, "x")) { try file.set(.retry, to: "x", profile: nil) }
        #expect(throws: ConfigurationError.notSet("retry", profile: nil, path: file.path)) {
            try file.unset("retry", profile: nil)
        }
        #expect(access(file.directory, F_OK) != 0)
    }

    @Test("a link stays one, and the file that it leads to changes")
    func link() throws {
        _ = try directory.makeFolder("dotfiles")
        let real = try directory.write("dotfiles/clover.yml", "retry: 5\n".utf8)
        let file = ConfigurationFile(directory: try directory.makeFolder("clover"))
        try #require(symlink(real, file.path) == 0)
        try file.set(.retry, to: "9", profile: nil)
        var found = stat()
        #expect(lstat(file.path, &found) == 0 && found.st_mode & S_IFMT == S_IFLNK)
        #expect(try ConfigurationFile(directory: directory["clover"]).content() == "retry: 9\n")
        #expect(try directory.read("dotfiles/clover.yml") == Array("retry: 9\n".utf8))
    }

    @Test("a link to a file in a directory that others may write is refused, unless the directory is sticky")
    func linkIntoLooseDirectory() throws {
        let home = try directory.makeFolder("shared")
        let real = try directory.write("shared/clover.yml", "retry: 5\n".utf8)
        let file = ConfigurationFile(directory: try directory.makeFolder("clover"))
        try #require(symlink(real, file.path) == 0)
        try #require(chmod(home, 0o777) == 0)
        let refused = ConfigurationError.unreadable(.refused(path: home, .looseMode(0o777)))
        #expect(throws: refused) { try file.read() }
        #expect(throws: refused) { try file.set(.retry, to: "9", profile: nil) }
        #expect(try file.directoryFault()?.mend() == "chmod 755 \(home)")
        #expect(try file.read()?.common[.retry]?.text == "5")
        try #require(chmod(home, 0o1777) == 0)
        #expect(try file.read()?.common[.retry]?.text == "5")
    }

    @Test("a value that is YAML's word for nothing is a text")
    func null() throws {
        let file = try written("retry: 5\n")
        try file.set(.squareClientID, to: "null", profile: nil)
        #expect(try file.content() == "retry: 5\nsquare-client-id: 'null'\n")
        #expect(try file.read()?.common[.squareClientID]?.text == "null")
    }

    @Test("a file that others may write is refused")
    func loose() throws {
        let file = try written("retry: 5\n")
        try #require(chmod(file.path, 0o666) == 0)
        #expect(throws: ConfigurationError.unreadable(.refused(path: file.path, .looseMode(0o666)))) { try file.read() }
        try #require(chmod(file.path, 0o644) == 0)
        #expect(try file.read()?.common[.retry]?.text == "5")
    }

    @Test("bytes that are no text, and a directory in its place, are refused")
    func noText() throws {
        _ = try directory.write("config.yml", [0x66, 0xFF, 0xFE])
        let file = ConfigurationFile(directory: directory.path)
        #expect(throws: ConfigurationError.notText(path: file.path, TextPosition(line: 1, column: 2))) {
            try file.read()
        }
        let other = ConfigurationFile(directory: try directory.makeFolder("other"))
        _ = try directory.makeFolder("other/config.yml")
        #expect(throws: ConfigurationError.unreadable(.refused(path: other.path, .notRegularFile))) { try other.read() }
    }

    @Test("concurrent changes lose nothing")
    func together() async throws {
        let file = try written("")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    await Self.onItsOwnThread {
                        #expect(throws: Never.self) { try file.set(.retry, to: "5", profile: "p\(number)") }
                    }
                }
            }
        }
        #expect(try file.read()?.profiles.count == 20)
    }

    /// The lock blocks, which the threads of tasks must not.
    private static func onItsOwnThread(_ work: @escaping @Sendable () -> Void) async {
        await DedicatedThread.run { work() }
    }

    private func written(_ text: String) throws -> ConfigurationFile {
        _ = try directory.write("config.yml", text.utf8)
        return ConfigurationFile(directory: directory.path)
    }
}

extension ConfigurationFile {
    func content() throws -> String {
        let bytes = try PrivateFile.read(following: path, rule: .own, limit: 1 << 20)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}
