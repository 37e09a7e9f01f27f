import CloverTestSupport
import Foundation
import Testing

@Suite("completions in the real shells")
struct CompletionTests {
    @Test("bash completes 'clover ge' to get, and options of get")
    func bash() async throws {
        let script = """
            set -eu
            source "$1"
            complete -p clover >/dev/null
            function=$(complete -p clover | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p')
            try() {
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
                COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
                "$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
            }
            set +u
            echo "[$(try clover ge)]"
            echo "[$(try clover get orders --fil)]"
            """
        let result = try await run("/bin/bash", ["--norc", "-c", script, "bash"], shell: "bash")
        #expect(result.outputText == "[get]\n[--filter]\n", "\(result)")
        #expect(result.errorText == "")
    }

    @Test("zsh completes 'clover ge' to get")
    func zsh() async throws {
        let script = """
            zmodload zsh/zpty
            zpty -b shell zsh -f -i
            zpty -w shell "PS1=; cd ${1:h}; fpath=(${1:h} \\$fpath); autoload -Uz compinit && compinit -D -u; echo REA''DY"
            zpty -r shell seen '*READY*' || exit 1
            zpty -w -n shell $'clover ge\\t'
            zpty -r shell seen '*clover get*' || exit 1
            print -r -- "completed"
            zpty -d shell
            """
        let result = try await run("/usr/bin/zsh", ["-f", "-c", script, "zsh"], shell: "zsh", name: "_clover")
        #expect(result.outputText == "completed\n", "\(result)")
    }

    @Test("fish completes 'clover ge' to get, and options of get")
    func fish() async throws {
        let script = """
            source $argv[1]
            complete -C 'clover ge'
            complete -C 'clover get orders --fil'
            complete -C 'clover help exit'
            """
        let result = try await run("/usr/bin/fish", ["--no-config", "-c", script], shell: "fish")
        let words = result.lines.map { $0.prefix { $0 != "\t" } }
        #expect(words == ["get", "--filter", "exit-codes"], "\(result)")
        #expect(result.errorText == "")
    }

    /// A command line up to the cursor, and some of the words that it can go on with.
    private static let offered: [(line: String, words: [String])] = [
        ("clover get orders/ABC/li", ["orders/ABC/line_items"]),
        ("clover get custo", ["customers"]),
        ("clover post ite", ["items"]),
        ("clover get orders --expand emp", ["employee"]),
        ("clover get orders --expand payments,emp", ["payments,employee"]),
        ("clover get orders --filter createdT", ["createdTime"]),
        ("clover get orders --sort createdT", ["createdTime", "createdTime:desc"]),
        ("clover get orders --profile down", ["downtown"]),
        ("clover schema order.Ord", ["order.Order"]),
        ("clover schema Ord", ["Order", "OrderType"]),
        ("clover get /v3/merch", ["/v3/merchants"]),
        ("clover get /v3/merchants/M1/orders/A/li", ["/v3/merchants/M1/orders/A/line_items"]),
        ("clover get nosuch --expand ''", []),
        ("clover config set forma", ["format"]),
        ("clover config set format nd", ["ndjson"]),
        ("clover config set profile down", ["downtown"]),
        ("clover export orders --profiles ''", ["downtown"]),
        ("clover doctor --skip blue", ["bluetooth"]),
        ("clover reader forget Clover_Go_63", ["Clover_Go_630094"]),
        ("clover charge show c_01", ["c_01"]),
        ("clover charge square se", ["settle"]),
        ("clover export sche", ["schedule"]),
        ("clover export ord", ["orders"]),
        ("clover export orders paym", ["payments"]),
        ("clover export orders --t", ["--to"]),
        ("clover export orders --with line", ["line_items"]),
        ("clover export run orders --with line_items,pay", ["line_items,payments"]),
        ("clover export orders --profile down", ["downtown"]),
        ("clover export orders --expand emp", ["employee"]),
        ("clover charge --am", ["--amount"]),
        ("clover charge --amount 1.00 --cur", ["--currency"]),
        ("clover charge --profile down", ["downtown"]),
        ("clover charge re", ["recover", "refund", "receipt"]),
        ("clover emulator se", ["serve"]),
        ("clover emulator serve --ord", ["--orders"]),
        ("clover emulator reader-driver --pa", ["--pace"]),
        ("clover help ex", ["export", "exit-codes"]),
        ("clover help cr", ["cron"]),
        ("clover help config un", ["unset"]),
        ("clover help charge squ", ["square"]),
        ("clover help emulator ser", ["serve"]),
        ("clover charge settle c_01", ["c_01"]), ("clover charge se", ["settle"]),
        ("clover charge capture c_01", []), ("clover charge void c_01", []), ("clover charge refund c_01", []),
    ]

    @Test("bash completes from the catalogue and this machine, offline and without any error output")
    func liveValuesInBash() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
            try await fill(sandbox, server)
            let count = server.connectionCount
            let offers = try await offers(for: Self.offered.map(\.line), sandbox)
            try #require(offers.count == Self.offered.count, "\(offers)")
            for ((line, words), offer) in zip(Self.offered, offers) {
                for word in words {
                    #expect(
                        offer.words.contains { $0 == word || word == "c_01" && $0.hasPrefix(word) }, "\(line): \(offer)"
                    )
                }
                #expect(offer.errors == "", "\(line)")
                if words.isEmpty { #expect(offer.words == [], "\(line): \(offer)") }
            }
            #expect(server.connectionCount == count)
        }
    }

    @Test("a machine that knows nothing, and one whose files cannot be read, offer nothing and say nothing")
    func nothing() async throws {
        try await Sandbox.run { sandbox in
            func ask(_ sandbox: Sandbox) async throws -> CommandResult {
                try await sandbox.clover(
                    "---completion", "get", "--", "--profile", "3", "0", "clover", "get", "--profile")
            }
            expectSuccess(try await ask(sandbox))
            #expect(sandbox.directory.files(below: "") == [])
            try sandbox.directory.makeFolder("config")
            try sandbox.directory.write("config/config.yml", ":".utf8)
            try sandbox.directory.makeFolder("state")
            try sandbox.directory.write("state/profiles.json", "{".utf8)
            try sandbox.directory.write("state/readers.sqlite", "{".utf8)
            let result = try await ask(sandbox)
            #expect(result.outputText.filter { !$0.isWhitespace } == "")
            #expect(result.errorText == "")
        }
    }

    @Test("completes nothing and stays silent when the program is gone", arguments: ["bash", "fish", "zsh"])
    func withoutProgram(_ shell: String) async throws {
        try await Sandbox.run { sandbox in
            let (program, lines) =
                switch shell {
                case "bash":
                    (
                        ["/bin/bash", "--norc", "-c"],
                        """
                        source "$0"
                        COMP_WORDS=(clover get orders --profile '') COMP_LINE='clover get orders --profile ' COMP_TYPE=9
                        COMP_KEY=9 COMP_CWORD=4 COMP_POINT=${#COMP_LINE} COMPREPLY=()
                        _clover clover '' --profile
                        """
                    )
                case "fish":
                    (
                        ["/usr/bin/fish", "--no-config", "-c"],
                        """
                        source $argv[1]
                        # Without a terminal there is no command line to ask for.
                        function __clover_tokens; printf '%s\\n' clover get --profile x; end
                        __clover_custom_completion ---completion get -- --profile 3 0
                        complete -C 'clover emulator serve '
                        """
                    )
                default:
                    (
                        ["/usr/bin/zsh", "-f", "-c"],
                        """
                        compdef() { : }
                        words=(clover); source "$0" 2>/dev/null
                        PREFIX='' command_name=clover command_line=(clover get orders --profile '') current_word_index=4
                        __clover_custom_complete ---completion get -- --profile 4 0
                        """
                    )
                }
            let script = try await sandbox.clover("--generate-completion-script", shell)
            expectSuccess(script)
            let path = try sandbox.directory.write("completion", script.output)
            var runner = CommandRunner(executable: program[0], environment: sandbox.variables)
            runner.environment["PATH"] = "/usr/bin:/bin"
            runner.environment["TERM"] = "xterm"
            let result = try await runner.run(program.dropFirst() + [lines, path])
            #expect(result.errorText == "", "\(result)")
            #expect(result.outputText.trimmingCharacters(in: .whitespacesAndNewlines) == "", "\(result)")
        }
    }

    @Test("reads a database that another process writes to, and skips one that it has locked")
    func lockedDatabases() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
            try await fill(sandbox, server)
            for (lock, isRead) in [("IMMEDIATE", true), ("EXCLUSIVE", false)] {
                for (name, command, word) in [
                    ("readers.sqlite", ["reader", "forget"], "Clover_Go_630094"),
                    ("journal.sqlite", ["charge", "show"], "c_"),
                ] {
                    let script = """
                        import sqlite3, subprocess, sys
                        d = sqlite3.connect(sys.argv[1], isolation_level=None)
                        d.execute("BEGIN \(lock)")
                        sys.exit(subprocess.run(sys.argv[2:]).returncode)
                        """
                    let runner = CommandRunner(executable: "/usr/bin/python3", environment: sandbox.variables)
                    let result = try await runner.run(
                        ["-c", script, sandbox.directory["state/\(name)"], CommandRunner.builtProgram("clover")]
                            + ["---completion"] + command + ["--", "positional@0", "3", "0", "clover"] + command + [""])
                    #expect(result.errorText == "", "\(result)")
                    #expect(result.lines.contains { $0.hasPrefix(word) } == isRead, "\(lock) \(name): \(result)")
                }
            }
        }
    }

    @Test("'auth switch' is offered what it takes, and nothing else")
    func switching() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.signedOut
            for options in ["SHOPONE --profile downtown", "SHOPTWO --profile airport", "SHOPTHREE"] {
                let login = try await sandbox.shell(
                    "echo token | clover auth login --with-token --environment \(server.url) --merchant \(options)")
                #expect(login.ending == .exited(0), "\(login)")
            }
            try sandbox.configured(
                "profiles:\n  other:\n    retry: 1\n  shop:\n    merchant: SHOPONE\n  airport:\n    merchant: ELSEWHERE\n"
            )
            func offered(_ words: String...) async throws -> [String] {
                try await sandbox.clover(
                    [
                        "---completion", "auth", "switch", "--", "positional@0", "\(words.count + 3)", "0", "clover",
                        "auth", "switch",
                    ] + words + [""]
                ).lines.filter { !$0.isEmpty }
            }
            let names = try await offered()
            #expect(names == ["SHOPONE", "SHOPTHREE", "SHOPTWO", "downtown"])
            for name in names {
                #expect(try await sandbox.clover("auth", "switch", name).ending == .exited(0), "\(name)")
            }
            for name in ["other", "shop", "airport"] {
                #expect(try await sandbox.clover("auth", "switch", name).ending != .exited(0), "\(name)")
            }
            #expect(try await offered("--environment", "eu") == [])
            #expect(try await offered("--environment=\(server.url)") == names)
            #expect(try await offered("--profile", "downtown") == [])
        }
    }

    /// A sign-in, a reader that was connected, a charge.
    func fill(_ sandbox: Sandbox, _ server: LoopbackServer) async throws {
        let login = try await sandbox.clover(
            "auth", "login", "--with-token", "--profile", "downtown", "--merchant", "SHOPONE", "--environment",
            server.url, input: .text("token\n"))
        #expect(login.ending == .exited(0))
        let make = """
            import sqlite3, sys
            d = sqlite3.connect(sys.argv[1])
            d.executescript(\"\"\"
                CREATE TABLE reader (transport TEXT NOT NULL, id TEXT NOT NULL, name TEXT, firmware TEXT, serial TEXT,
                    model TEXT, battery INTEGER, first_connected INTEGER NOT NULL, last_connected INTEGER NOT NULL,
                    PRIMARY KEY (transport, id)) STRICT, WITHOUT ROWID;
                INSERT INTO reader VALUES
                    ('ble', 'D4:22:CD:00:9A:11', 'Clover_Go_630094', NULL, NULL, NULL, NULL, 1, 1);
                PRAGMA application_id = \(0x436C_7652);
                PRAGMA user_version = 1;
            \"\"\")
            """
        let script = try sandbox.directory.write("make.py", make.utf8)
        let readers = sandbox.directory["state/readers.sqlite"]
        expectSuccess(try await sandbox.shell("/usr/bin/python3 '\(script)' '\(readers)' && chmod 600 '\(readers)'"))
        // Refused by the service, and in the journal anyway.
        _ = try await sandbox.clover(
            "charge", "--minor", "100", "--currency", "USD", "--source", "clv_1AAAAAAAAAAAAAAAAAAAAAAA")
    }

    /// What bash offers for each of these lines, in one shell, and what is written to standard error meanwhile.
    private func offers(
        for lines: [String], _ sandbox: Sandbox
    ) async throws -> [(words: [Substring], errors: Substring)] {
        let script = """
            source "$2"
            function=$(complete -p clover | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p')
            errors=$1
            try() {
                COMP_LINE=$1
                shift
                COMP_WORDS=("$@") COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
                COMP_CWORD=$(($# - 1)) COMP_POINT=${#COMP_LINE}
                "$function" clover "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>"$errors"
                printf '%s\\n' "${COMPREPLY[@]}"
                printf '\\037%s\\036' "$(<"$errors")"
            }
            \(lines.map { "try '\($0)' \($0)" }.joined(separator: "\n"))
            """
        let result = try await run(
            "/bin/bash", ["--norc", "-c", script, "bash", sandbox.directory["errors"]], shell: "bash", sandbox)
        #expect(result.errorText == "")
        return result.outputText.split(separator: "\u{1E}").map { answer in
            let parts = answer.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].split(separator: "\n"), parts.dropFirst().first ?? "")
        }
    }

    private func run(
        _ program: String, _ arguments: [String], shell: String, name: String = "completion"
    ) async throws -> CommandResult {
        try await Sandbox.run { try await run(program, arguments, shell: shell, name: name, $0) }
    }

    func run(
        _ program: String, _ arguments: [String], shell: String, name: String = "completion", _ sandbox: Sandbox
    ) async throws -> CommandResult {
        let script = try await sandbox.clover("--generate-completion-script", shell)
        expectSuccess(script)
        let path = try sandbox.directory.write(name, script.output)
        var runner = CommandRunner(executable: program, environment: sandbox.variables)
        let folder = try CommandRunner.builtProgram("clover").dropLast("/clover".count)
        runner.environment["PATH"] = "\(folder):/usr/bin:/bin"
        runner.environment["TERM"] = "xterm"
        let result = try await runner.run(arguments + [path])
        #expect(result.ending == .exited(0), "\(result)")
        return result
    }
}
