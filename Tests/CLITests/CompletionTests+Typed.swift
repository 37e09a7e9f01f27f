import CloverTestSupport
import Foundation
import Testing

/// What a person gets who presses the key: the shells part, quote and replace words in ways that only a line editor has.
extension CompletionTests {
    /// What is typed into a shell, with the key, and the words that a command gets when Enter is pressed after it.
    private struct Line {
        let keys: String
        let words: [String]

        /// - Parameter whole: the words, with spaces between them.
        init(_ keys: String, _ whole: String) {
            self.keys = keys
            words = whole.split(separator: " ").map(String.init)
        }
    }

    private static let lines = [
        Line("clover reader connect D4:22\t", "clover reader connect D4:22:CD:00:9A:11"),
        Line("clover reader connect D4\t", "clover reader connect D4:22:CD:00:9A:11"),
        Line("clover get orders --sort total:d\t", "clover get orders --sort total:desc"),
        Line("clover get orders --filter=createdT\t", "clover get orders --filter=createdTime"),
        Line("clover get orders --profile=down\t", "clover get orders --profile=downtown"),
        Line("clover get orders --profile \"down\t", "clover get orders --profile downtown"),
        Line("clover get orders --profile 'down\t", "clover get orders --profile downtown"),
        Line("clover get orders --expand=payments,emplo\t", "clover get orders --expand=payments,employee"),
        Line("clover get orders --zon\t", "clover get orders --zone"),
        Line("clover export orders --profiles down\t", "clover export orders --profiles downtown"),
        Line("clover config set profile down\t", "clover config set profile downtown"),
        // The operator of a filter is typed right behind the name that was completed.
        Line("clover get orders --filter createdT\t=5", "clover get orders --filter createdTime=5"),
        Line("clover get orders --filter=createdT\t=5", "clover get orders --filter=createdTime=5"),
    ]

    private static let linesOfZsh = [
        Line("clover get orders/ABC/line_it\t", "clover get orders/ABC/line_items"),
        Line("clover get orders --profile downt\t", "clover get orders --profile downtown"),
        Line("clover help exit-\t", "clover help exit-codes"),
        Line("clover export orders --with line_it\t", "clover export orders --with line_items"),
        Line("clover export orders --sing\t", "clover export orders --singer"),
        Line("clover charge --profile downt\t", "clover charge --profile downtown"),
        Line("clover charge --curr\t", "clover charge --currency"),
        Line("clover emulator serve --witho\t", "clover emulator serve --without-permission"),
        Line("clover help config uns\t", "clover help config unset"),
        Line("clover get 'orders' --expand emplo\t", "clover get orders --expand employee"),
        Line("clover get \"orders\" --expand emplo\t", "clover get orders --expand employee"),
        // bash closes the quotes of a word that is the only one.
        Line("clover get orders --filter \"createdT\t>=5\"", "clover get orders --filter createdTime>=5"),
    ]

    private static let linesOfFish = [
        Line("clover get orders/ABC/line_it\t", "clover get orders/ABC/line_items"),
        Line("clover get orders --profile downt\t", "clover get orders --profile downtown"),
        Line("clover get orders --expand payments,emplo\t", "clover get orders --expand payments,employee"),
        Line("clover get orders --profile=downt\t", "clover get orders --profile=downtown"),
        Line("clover get orders --expand=payments,emplo\t", "clover get orders --expand=payments,employee"),
        Line("clover get orders --filter=createdT\t", "clover get orders --filter=createdTime"),
        Line("clover get orders --format=nd\t", "clover get orders --format=ndjson"),
        Line("clover export orders --with line_it\t", "clover export orders --with line_items"),
        Line("clover export orders --sing\t", "clover export orders --singer"),
        Line("clover charge --profile downt\t", "clover charge --profile downtown"),
        Line("clover charge --curr\t", "clover charge --currency"),
        Line("clover emulator serve --with\t", "clover emulator serve --without-permission"),
        Line("clover help config uns\t", "clover help config unset"),
        Line("clover config set profile down\t", "clover config set profile downtown"),
        Line("clover config set format nd\t", "clover config set format ndjson"),
        Line("clover config set profile downtown --prof\t", "clover config set profile downtown --profile"),
    ]

    @Test("bash completes words with colons, in quotes and behind '=', as a line editor wants them")
    func typedIntoBash() async throws {
        try await typed(Self.lines, into: .bash)
    }

    @Test("zsh completes the same, and values from the catalogue and this machine")
    func typedIntoZsh() async throws {
        try await typed(Self.lines + Self.linesOfZsh, into: .zsh)
    }

    @Test("fish completes the same on a terminal, where alone it knows the cursor")
    func typedIntoFish() async throws {
        try await typed(Self.linesOfFish, into: .fish)
    }

    @Test(
        "where a word and a longer one with a colon are possible, both are offered, and nothing is decided",
        arguments: [Shell.bash, .zsh])
    func severalCandidates(_ shell: Shell) async throws {
        try await knowing { sandbox in
            let line = "clover get orders --sort total"
            let seen = try await press(
                [Keys(keys: line + "\t\t", end: "total:desc", isEntered: false), Keys(keys: line + "\t")], in: shell,
                sandbox)
            try #require(seen.count == 2, "\(seen)")
            #expect(seen[0].contains("total:desc"), "\(seen[0])")
            #expect(seen[1].contains("[clover][get][orders][--sort][total]END"), "\(seen[1])")
        }
    }

    /// Types all lines into one shell.
    private func typed(_ lines: [Line], into shell: Shell) async throws {
        try await knowing { sandbox in
            let seen = try await press(lines.map { Keys(keys: $0.keys) }, in: shell, sandbox)
            for (place, line) in lines.enumerated() {
                let shown = seen.indices.contains(place) ? seen[place] : "nothing, because the line before has no end"
                let expected = line.words.map { "[\($0)]" }.joined() + "END"
                #expect(shown.contains(expected), "\(line.keys): \(shown)")
            }
        }
    }

    private func knowing(_ body: (Sandbox) async throws -> Void) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
            try await fill(sandbox, server)
            let count = server.connectionCount
            try await body(sandbox)
            #expect(server.connectionCount == count)
        }
    }

    enum Shell: String {
        case bash
        case zsh
        case fish

        var path: String { self == .bash ? "/bin/bash" : "/usr/bin/\(rawValue)" }

        var options: [String] {
            switch self {
            case .bash: ["--noprofile", "--norc", "-i"]
            case .zsh: ["-f", "-i"]
            case .fish: ["--no-config", "--private"]
            }
        }

        /// Loads the completions, makes the command that shows its words, and sets the prompt that the driver waits for. The
        /// line itself has neither END nor the prompt in it.
        var setUp: String {
            switch self {
            case .bash: "source \"$CLOVER_SCRIPT\"; words() { printf '[%s]' \"$@\"; echo EN''D; }; PS1='<''@>'"
            case .zsh:
                "fpath=(${CLOVER_SCRIPT:h} $fpath); autoload -Uz compinit && compinit -D -u; "
                    + "words() { printf '[%s]' \"$@\"; echo EN''D; }; PS1='<''@>'"
            case .fish:
                "source \"$CLOVER_SCRIPT\"; function words; printf '[%s]' $argv; echo EN''D; end; "
                    + "function fish_prompt; echo -n '<''@>'; end"
            }
        }

        var fileName: String { self == .zsh ? "_clover" : "completion" }
    }

    /// Keys that are pressed on an empty line.
    private struct Keys: Encodable {
        let keys: String
        /// What is waited for on the terminal.
        var end = "END"
        /// Whether the line is then made the arguments of a command that shows them, with END behind them.
        var isEntered = true
    }

    /// Types into one interactive shell on a terminal, line after line. A line whose end does not come is the last one.
    /// - Returns: what was seen of each line.
    private func press(_ lines: [Keys], in shell: Shell, _ sandbox: Sandbox) async throws -> [String] {
        // Control-A goes to the beginning of the line, Control-U deletes it.
        let driver = """
            import fcntl, json, os, pty, select, struct, sys, termios, time
            os.environ["CLOVER_SCRIPT"] = sys.argv[-1]
            process, terminal = pty.fork()
            if process == 0:
                os.execv(sys.argv[3], sys.argv[3:-1])
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
            rest = b""
            def seen(wanted):
                global rest
                end, wanted = time.monotonic() + 100, wanted.encode()
                while wanted not in rest and time.monotonic() < end:
                    if select.select([terminal], [], [], 0.1)[0]:
                        rest += os.read(terminal, 65536)
                before, found, rest = rest.partition(wanted)
                return before + found
            os.write(terminal, sys.argv[1].encode() + b"\\r")
            shown = []
            for line in json.loads(sys.argv[2]):
                seen("<@>")
                os.write(terminal, line["keys"].encode() + (b"\\x01words \\r" if line["isEntered"] else b""))
                shown.append(seen(line["end"]).decode(errors="replace"))
                if not shown[-1].endswith(line["end"]):
                    break
                if not line["isEntered"]:
                    os.write(terminal, b"\\x15\\r")
            os.kill(process, 9)
            print(json.dumps(shown))
            """
        let result = try await run(
            "/usr/bin/python3",
            [
                "-c", driver, shell.setUp, String(decoding: try JSONEncoder().encode(lines), as: UTF8.self), shell.path,
            ] + shell.options, shell: shell.rawValue, name: shell.fileName, sandbox)
        return try JSONValue(result.outputText).elements?.compactMap(\.string) ?? []
    }
}
