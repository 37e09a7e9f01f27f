import CloverTestSupport
import Testing

@Suite("Shells, languages and minimal environments")
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

    @Test("quoting, pipes, redirections and statuses work in every shell", arguments: shells)
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

    /// Pipes, statuses, quoting, loops and completions, in the words of each shell; `clover` is in the path.
    private static let scripts = [
        "/bin/bash": #"""
        clover get itemz 2>/dev/null | cat; echo "first ${PIPESTATUS[0]}"
        set -o pipefail; clover get items --jq .id | grep -q nothing || echo "last $?"
        name=$'Zoë\'s "漢字"'; clover get items -r --arg name "$name" --jq 'select(.name == $name).id'
        for id in $(clover get items -r --jq .id); do echo "item $id"; done
        while read -r id; do echo "read $id"; done < <(clover get items -r --jq .id)
        clover get items --quiet >/dev/null && echo and
        clover get itemz 2>&1 >/dev/null | head -n 1
        source <(clover --generate-completion-script bash)
        COMP_WORDS=(clover conf) COMP_CWORD=1 COMP_LINE='clover conf' COMP_POINT=11
        $(complete -p clover | sed 's/.*-F \([^ ]*\).*/\1/') clover conf clover; echo "${COMPREPLY[*]}"
        """#,
        "/usr/bin/zsh": #"""
        clover get itemz 2>/dev/null | cat; echo "first ${pipestatus[1]}"
        set -o pipefail; clover get items --jq .id | grep -q nothing || echo "last $?"
        name=$'Zoë\'s "漢字"'; clover get items -r --arg name "$name" --jq 'select(.name == $name).id'
        for id in $(clover get items -r --jq .id); do echo "item $id"; done
        while read -r id; do echo "read $id"; done < <(clover get items -r --jq .id)
        clover get items --quiet >/dev/null && echo and
        clover get itemz 2>&1 >/dev/null | head -n 1
        mkdir functions; clover --generate-completion-script zsh >functions/_clover
        fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D
        [[ $_comps[clover] == _clover ]] && zsh -n functions/_clover && echo config
        """#,
        "/usr/bin/fish": #"""
        clover get itemz 2>/dev/null | cat; echo "first $pipestatus[1]"
        clover get items --jq .id | grep -q nothing; or echo "last $status"
        set name 'Zoë\'s "漢字"'; clover get items -r --arg name "$name" --jq 'select(.name == $name).id'
        for id in (clover get items -r --jq .id); echo "item $id"; end
        clover get items -r --jq .id | while read -l id; echo "read $id"; end
        clover get items --quiet >/dev/null; and echo and
        clover get itemz 2>&1 >/dev/null | head -n 1
        clover --generate-completion-script fish | source
        complete -C 'clover conf' | string replace -r '\t.*' ''
        """#,
    ]

    @Test(
        "longer scripts of bash, zsh and fish work as with any other program",
        arguments: scripts.keys.sorted())
    private func script(_ path: String) async throws {
        try await Sandbox.run(server: { _, _ in .page(Self.items) }) { sandbox, _ in
            let folder = try CommandRunner.builtProgram("clover").dropLast("/clover".count)
            let options = try #require(Self.shells.first { $0.path == path }).options
            let result = try await CommandRunner(
                executable: path, environment: sandbox.variables.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 },
                directory: sandbox.directory.path
            ).run(options + [try #require(Self.scripts[path])])
            expectSuccess(result)
            #expect(result.errorText == "", "\(result)")
            #expect(
                result.lines == [
                    "first 64", "last 1", "A", "item A", "item B", "read A", "read B", "and",
                    "clover: unknown path 'itemz'", "config",
                ], "\(result)")
        }
    }

    @Test(
        "the locale does not change records, help or messages",
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

    @Test("an environment with only the service and the sign-in is enough")
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

    /// Runs `clover` with no variable at all. The home that the user database names is that of the test, in a name space of
    /// its own.
    private static func nothingSet(_ arguments: [String], _ sandbox: Sandbox, input: String) async throws
        -> CommandResult
    {
        try sandbox.directory.write("input", input.utf8)
        let script = #"mount --bind "$1" "$(getent passwd 0 | cut -d: -f6)" || exit 99; shift; exec env -i "$@""#
        return try await CommandRunner(executable: "/usr/bin/unshare", environment: [:]).run(
            MountSpace.arguments + [
                "/bin/sh", "-c", script, "sh", sandbox.directory["home"],
                try CommandRunner.builtProgram("clover"),
            ] + arguments, input: .file(sandbox.directory["input"]))
    }

    @Test("without any variable, signing in and reading work, with state in the home of the user database")
    func nothing() async throws {
        try await Sandbox.run(server: { _, _ in .page(Self.items) }) { sandbox, server in
            let login = ["auth", "login", "--with-token", "--merchant", "M", "--environment", server.url]
            expectSignedIn(try await Self.nothingSet(login, sandbox, input: "token-of-m\n"))
            for command in [
                ["--version"], ["help"], ["limits"], ["config", "list"], ["charge", "list"], ["auth", "status"],
                ["config", "set", "-q", "retry", "1"],
            ] {
                expectSuccess(try await Self.nothingSet(command, sandbox, input: ""))
            }
            #expect(try await Self.nothingSet(["get", "items"], sandbox, input: "").lines == Self.items)
            #expect(server.requests.last?.header("Authorization") == "Bearer token-of-m")
            let files = sandbox.directory.files(below: "home")
            #expect(files.contains("home/.config/clover/config.yml"), "\(files)")
            #expect(files.contains { $0.hasPrefix("home/.local/state/clover/credentials/") }, "\(files)")
        }
    }

    /// Commands, and what they end with when nothing can be read or written: 0 where there is nothing to say.
    private static let endings: [(words: String, status: Int)] = [
        ("--version", 74), ("help get", 74), ("get items", 74), ("endpoints tenders", 74), ("get itemz", 64),
        ("config list", 74), ("config set format csv", 0),
    ]

    @Test(
        "with all three standard streams closed, commands with output end with 74, and nothing is damaged",
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
