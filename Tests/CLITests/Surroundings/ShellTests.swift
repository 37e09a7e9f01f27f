import CloverTestSupport
import Testing

@Suite("Under shells, languages and bare environments")
struct ShellTests {
    struct Shell: Sendable, CustomTestStringConvertible {
        let path: String
        let options: [String]
        /// What stands for the status of the last command.
        var status = "$?"
        var testDescription: String { path }
    }

    private static let shells = [
        Shell(path: "/bin/sh", options: ["-c"]), Shell(path: "/bin/bash", options: ["--norc", "-c"]),
        Shell(path: "/usr/bin/zsh", options: ["-f", "-c"]),
        Shell(path: "/usr/bin/fish", options: ["--no-config", "-c"], status: "$status"),
    ]

    private static let items = [#"{"id":"A","name":"Zoë's \"漢字\""}"#, #"{"id":"B","name":"two"}"#]

    @Test("quoting, pipes, redirections and statuses are those of every shell", arguments: shells)
    private func shell(_ shell: Shell) async throws {
        try await Sandbox.run(server: { _, _ in .page(Self.items) }) { sandbox, server in
            let folder = try CommandRunner.builtProgram("clover").dropLast("/clover".count)
            let script = """
                clover get items --filter 'price>=500' --jq '{n: .name}'
                clover get items -r --jq .name | head -n 1
                clover get items --json 2>/dev/null >items.ndjson; echo "status \(shell.status)"
                clover get itemz 2>/dev/null; echo "status \(shell.status)"
                clover get items -r --jq '.id + "$HOME `x` !"'
                clover get items --jq .id <items.ndjson >/dev/null; and_done=1 true
                """
                .split(separator: "\n").dropLast().joined(separator: "\n")
            let result = try await CommandRunner(
                executable: shell.path,
                environment: sandbox.variables.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 },
                directory: sandbox.directory.path
            ).run(shell.options + [script])
            expectSuccess(result)
            #expect(
                result.lines == [
                    #"{"n":"Zoë's \"漢字\""}"#, #"{"n":"two"}"#, #"Zoë's "漢字""#, "status 0", "status 64",
                    "A$HOME `x` !", "B$HOME `x` !",
                ], "\(result)")
            #expect(try sandbox.text("items.ndjson") == Self.items.joined(separator: "\n") + "\n")
            #expect(server.requests.contains { $0.values(of: "filter") == ["price%3E%3D500"] })
        }
    }

    @Test(
        "the language changes no byte of records, help or messages",
        arguments: [
            ["LANG": "C"], ["LC_ALL": "POSIX"], ["LANG": "de_DE.UTF-8"], ["LC_ALL": "C.UTF-8"], ["LANG": "no-such"],
            [:],
        ])
    func language(_ variables: [String: String]) async throws {
        try await Sandbox.run(server: { _, _ in .page(Self.items) }) { sandbox, _ in
            let other = sandbox.without("LANG").with(variables)
            let commands = [
                ["get", "items"], ["get", "items", "--jq", ".name | ascii_upcase", "-r"], ["get", "items", "-v"],
                ["get", "items", "--format", "table"], ["help", "get"], ["get", "ítems"], ["schema", "order.Discount"],
            ]
            for command in commands {
                let (one, two) = (try await sandbox.clover(command), try await other.clover(command))
                #expect(one.output == two.output, "\(command)")
                #expect(one.ending == two.ending, "\(command)")
                if command.last != "-v" { #expect(one.errorText == two.errorText, "\(command)") }
            }
        }
    }

    @Test("an empty environment but for what says where and who is enough")
    func bare() async throws {
        try await Sandbox.run(server: { _, _ in .page(Self.items) }) { sandbox, _ in
            var bare = sandbox
            bare.variables = sandbox.variables.filter { name, _ in
                name.hasPrefix("CLOVER_")
            }
            for command in [
                ["get", "items"], ["--version"], ["help"], ["limits"], ["config", "list"], ["charge", "list"],
            ] {
                expectSuccess(try await bare.clover(command))
            }
            #expect(try await bare.clover("get", "items").lines == Self.items)
        }
    }

    /// Commands, and what they end with when nothing can be read or written: 0 where there is nothing to say.
    private static let endings: [(words: String, status: Int)] = [
        ("--version", 74), ("help get", 74), ("get items", 74), ("endpoints tenders", 74), ("get itemz", 64),
        ("config list", 74), ("config set format csv", 0),
    ]

    @Test(
        "with all three standard streams closed, what has something to say ends with 74 and nothing is damaged",
        arguments: endings)
    private func closedStreams(_ words: String, _ status: Int) async throws {
        try await Sandbox.run(server: { _, _ in .page(Self.items) }) { sandbox, _ in
            let result = try await sandbox.shell("clover \(words) <&- >&- 2>&-; echo $?")
            #expect(result.outputText == "\(status)\n", "\(result)")
            // No message or record has gone into a file that took a closed stream's number.
            for file in sandbox.directory.files(below: "") {
                let text = try sandbox.text(file)
                #expect(!"\n\(text)".contains("\nclover: ") && !text.contains("Zoë"), "\(file): \(text)")
            }
            expectSuccess(try await sandbox.clover("config", "get", "retry"))
        }
    }
}
