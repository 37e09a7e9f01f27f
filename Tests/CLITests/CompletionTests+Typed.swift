import CloverTestSupport
import Foundation
import Testing

/// What a person gets who presses the key: the shells part, quote and replace words in ways that only a line editor has.
extension CompletionTests {
    /// What is typed before the key, and the words that a command gets when Enter is pressed after it.
    private static let typed: [(line: String, words: [String])] = [
        ("clover reader connect D4:22", ["clover", "reader", "connect", "D4:22:CD:00:9A:11"]),
        ("clover reader connect D4", ["clover", "reader", "connect", "D4:22:CD:00:9A:11"]),
        ("clover get orders --sort total:d", ["clover", "get", "orders", "--sort", "total:desc"]),
        ("clover get orders --filter=createdT", ["clover", "get", "orders", "--filter=createdTime"]),
        ("clover get orders --profile=down", ["clover", "get", "orders", "--profile=downtown"]),
        ("clover get orders --profile \"down", ["clover", "get", "orders", "--profile", "downtown"]),
        ("clover get orders --profile 'down", ["clover", "get", "orders", "--profile", "downtown"]),
        ("clover get orders --expand=payments,emplo", ["clover", "get", "orders", "--expand=payments,employee"]),
        ("clover get orders --zon", ["clover", "get", "orders", "--zone"]),
        ("clover export orders --profiles down", ["clover", "export", "orders", "--profiles", "downtown"]),
        ("clover config set profile down", ["clover", "config", "set", "profile", "downtown"]),
    ]

    @Test("bash and zsh complete words with colons, in quotes and behind '=', as a line editor wants them")
    func typedWords() async throws {
        try await knowing { sandbox in
            for (line, words) in Self.typed {
                for shell in ["bash", "zsh"] {
                    let seen = try await press(line + "\t", in: shell, until: "END", sandbox)
                    let expected = words.map { "[\($0)]" }.joined()
                    #expect(seen.contains("\(expected)END"), "\(shell): \(line): \(seen)")
                }
            }
        }
    }

    @Test("where a word and a longer one with a colon are possible, both are offered, and nothing is decided")
    func severalCandidates() async throws {
        try await knowing { sandbox in
            for shell in ["bash", "zsh"] {
                let line = "clover get orders --sort total"
                let listed = try await press(line + "\t\t", in: shell, until: "total:desc", entered: false, sandbox)
                #expect(listed.contains("total:desc"), "\(shell): \(listed)")
                let kept = try await press(line + "\t", in: shell, until: "END", sandbox)
                #expect(kept.contains("[clover][get][orders][--sort][total]END"), "\(shell): \(kept)")
            }
        }
    }

    @Test("the operator of a filter is typed right behind the name that was completed")
    func filterOperator() async throws {
        try await knowing { sandbox in
            for shell in ["bash", "zsh"] {
                for option in ["--filter ", "--filter="] {
                    let seen = try await press(
                        "clover get orders \(option)createdT\t=5", in: shell, until: "END", sandbox)
                    let words = option.hasSuffix("=") ? "[--filter=createdTime=5]" : "[--filter][createdTime=5]"
                    #expect(seen.contains("[clover][get][orders]\(words)END"), "\(shell): \(option): \(seen)")
                }
            }
            // bash closes the quotes of a word that is the only one.
            let open = try await press("clover get orders --filter \"createdT\t>=5\"", in: "zsh", until: "END", sandbox)
            #expect(open.contains("[clover][get][orders][--filter][createdTime>=5]END"), "\(open)")
        }
    }

    private func knowing(_ body: (Sandbox) async throws -> Void) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
            try await fill(sandbox, server)
            try await body(sandbox)
        }
    }

    /// Types into an interactive shell on a terminal.
    /// - Parameters:
    ///   - end: what is waited for on the terminal.
    ///   - entered: whether the line is then made the arguments of a command that shows them, with END behind them.
    private func press(
        _ keys: String, in shell: String, until end: String, entered: Bool = true, _ sandbox: Sandbox
    ) async throws -> String {
        let show = "words() { printf '[%s]' \"$@\"; echo EN''D; }; echo REA''DY"
        let (program, options, setUp, name) =
            shell == "bash"
            ? ("/bin/bash", ["--noprofile", "--norc", "-i"], "source \"$CLOVER_SCRIPT\"; \(show)", "completion")
            : (
                "/usr/bin/zsh", ["-f", "-i"],
                "fpath=(${CLOVER_SCRIPT:h} $fpath); autoload -Uz compinit && compinit -D -u; \(show)", "_clover"
            )
        // Control-A goes to the beginning of the line.
        let line = keys + (entered ? "\u{1}words \r" : "")
        let driver = """
            import fcntl, os, pty, select, struct, sys, termios, time
            set_up, typed, wanted, program = sys.argv[1:5]
            os.environ["CLOVER_SCRIPT"] = sys.argv[-1]
            process, terminal = pty.fork()
            if process == 0:
                os.execv(program, sys.argv[4:-1])
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
            os.write(terminal, set_up.encode() + b"\\r")
            seen, end, ready = b"", time.monotonic() + 100, False
            while time.monotonic() < end and not (ready and wanted.encode() in seen):
                if select.select([terminal], [], [], 0.1)[0]:
                    seen += os.read(terminal, 65536)
                if not ready and b"READY" in seen:
                    seen, ready = b"", True
                    os.write(terminal, typed.encode())
            os.kill(process, 9)
            sys.stdout.buffer.write(seen)
            """
        let result = try await run(
            "/usr/bin/python3", ["-c", driver, setUp, line, end, program] + options, shell: shell, name: name, sandbox)
        return result.outputText
    }
}
