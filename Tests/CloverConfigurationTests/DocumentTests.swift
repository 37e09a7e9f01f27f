import CloverConfiguration
import Testing

@Suite("configuration: reading the file")
struct DocumentTests {
    private func problems(_ text: String) throws -> [ConfigurationProblem] {
        try ConfigurationDocument(parsing: text, path: "/c/config.yml").problems
    }

    @Test("values stand by their lines, whatever the quotes; numbers stay as they are written")
    func values() throws {
        let document = try ConfigurationDocument(
            parsing: """
                # a comment
                retry: 007   # another
                format: "csv"
                profiles: { a: { money: 'major' }, b: }
                """, path: "/c/config.yml")
        #expect(document.problems == [])
        #expect(document.common[.retry] == .init(text: "007", line: 2))
        #expect(document.common[.format] == .init(text: "csv", line: 3))
        #expect(document.profiles == ["a": [.money: .init(text: "major", line: 4)], "b": [:]])
    }

    @Test("a file without content says nothing", arguments: ["", "\n", "# only a comment\n", "---\n", "profiles:\n"])
    func nothing(_ text: String) throws {
        let document = try ConfigurationDocument(parsing: text, path: "/c/config.yml")
        #expect(document.common.isEmpty && document.profiles.isEmpty && document.problems.isEmpty)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let kind: ConfigurationProblem.Kind
        var testDescription: String { text }
    }

    @Test(
        "what cannot be meant is named with its line",
        arguments: [
            Row(text: "retry: 5\nfromat: csv", line: 2, kind: .unknownKey("fromat", near: ["format"])),
            Row(text: "profile:\n", line: 1, kind: .noValue(.profile)),
            Row(text: "retry: ~", line: 1, kind: .noValue(.retry)),
            Row(text: "retry: [5]", line: 1, kind: .notOneValue(.retry)),
            Row(text: "retry:\n  a: 5", line: 1, kind: .notOneValue(.retry)),
            Row(text: "retry: 101", line: 1, kind: .wrongValue(.retry, "101")),
            Row(text: "profiles: x", line: 1, kind: .notSection("profiles")),
            Row(text: "profiles:\n  a: x", line: 2, kind: .notSection("a")),
            Row(text: "profiles:\n  a b:\n    retry: 5", line: 2, kind: .malformedProfile("a b")),
            Row(text: "profiles:\n  a:\n    profile: b", line: 3, kind: .onlyAtTopLevel(.profile)),
            Row(text: "profiles:\n  a:\n    access-token: b", line: 3, kind: .secretKey("access-token")),
            Row(
                text: "\napp-id: 8d7e2f34-1111-2222-3333-444455556666", line: 2, kind: .secretValue(.appID)),
            Row(text: "- retry", line: 1, kind: .notSection(nil)),
            Row(text: "hello", line: 1, kind: .notSection(nil)),
        ])
    func wrong(_ row: Row) throws {
        #expect(try problems(row.text) == [ConfigurationProblem(line: row.line, kind: row.kind)])
    }

    @Test("all problems are named, in the order of the lines")
    func several() throws {
        let lines = try problems("retry: x\nprofiles:\n  a:\n    nope: 1\nmoney: gold\n").map(\.line)
        #expect(lines == [1, 4, 5])
    }

    @Test(
        "what is no YAML is named with its line",
        arguments: [
            ("retry: \"", 1), ("retry: 1\nretry: 2", 2), ("retry: 1\n\tformat: csv", 2), ("a: 1\n---\nb: 2", 2),
            ("retry: 1\n  format: csv", 2), ("retry: *nowhere", 1),
        ])
    func noYAML(_ text: String, _ line: Int) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationDocument(parsing: text, path: "/c/config.yml")
        }
        guard case .notYAML(let path, let found, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == "/c/config.yml")
        #expect(found == line)
    }
}
