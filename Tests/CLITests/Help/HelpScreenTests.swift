import CloverTestSupport
import Testing

@Suite("help: on a terminal, and of every command")
struct HelpScreenTests {
    private static let pages = [
        [], ["help", "get"], ["help", "limits"], ["help", "auth", "login"], ["help", "charge", "create"],
        ["help", "export", "run"], ["help", "reader", "driver-check"],
    ]

    @Test("pages are as recorded; text fits the window, and examples are not wrapped", arguments: [40, 80, 200])
    func screens(_ columns: Int) async throws {
        try await Sandbox.run { sandbox in
            var shown = ""
            for words in Self.pages {
                let session = try sandbox.startOnTerminal(words, columns: columns, rows: 400)
                let result = try await session.result()
                #expect(result.ending == .exited(0), "\(result)")
                // A line end is one character.
                let sent = session.sent.replacing("\r\n", with: "\n")
                for line in sent.split(separator: "\n") where line.count > columns {
                    let isWhole =
                        line.hasPrefix("  clover ") || line.hasPrefix("    --")
                        || line.contains("clover ") && columns == 40
                    #expect(isWhole || line.hasPrefix("USAGE:") || !line.dropFirst(6).contains(" "), "\(line)")
                }
                shown += "$ clover \(words.joined(separator: " "))\n\(sent)"
            }
            try Snapshot.check(shown, "help-screen-\(columns)")
        }
    }

    @Test("the examples of a narrow page are those of a wide one", arguments: [30, 40])
    func narrow(_ columns: Int) async throws {
        try await Sandbox.run { sandbox in
            for words in Self.pages.dropFirst() {
                let wide = try await sandbox.clover(words).lines
                let narrow = try await sandbox.with(["COLUMNS": "\(columns)"]).clover(words).lines
                let start = try #require(wide.firstIndex(of: "Examples:"))
                let examples = wide[(start + 1)...].prefix { $0.hasPrefix("  ") }
                #expect(examples.count >= 2 && examples.allSatisfy(narrow.contains), "\(narrow)")
            }
        }
    }

    @Test("every command's help lists its exit statuses, and only those in the table")
    func statuses() async throws {
        let leaves = try await HelpTree.commands.filter(\.isLeaf)
        try await Sandbox.run { sandbox in
            func numbers(_ lines: ArraySlice<String>) -> [Int] {
                lines.compactMap { $0.prefixMatch(of: #/  ([0-9]+) /#).flatMap { Int($0.output.1) } }
            }
            let known = numbers(try await sandbox.clover("help", "exit-codes").lines[...])
            #expect(leaves.count > 45, "\(leaves.map(\.name))")
            for command in leaves {
                let (name, page) = (command.name, command.page.lines)
                guard let start = page.firstIndex(of: "Exit statuses:") else {
                    Issue.record("'clover help \(name)' has no exit statuses")
                    continue
                }
                let own = numbers(page[(start + 1)...].prefix { !$0.isEmpty })
                #expect(own.first == 0 && own.count > 1 && own == own.sorted(), "\(name): \(own)")
                #expect(own.allSatisfy(known.contains), "\(name): \(own)")
                let behind = try await sandbox.clover(command.path + ["--help"]).lines
                #expect(behind == page || command.path.first == "emulator", "\(name)")
            }
        }
    }

    @Test(
        "unknown words and options: status 64 and similar names",
        arguments: [
            (["hepl"], ["there is no command 'hepl'", "did you mean: help"]),
            (["--versoin"], ["unknown option '--versoin'", "did you mean: --version"]),
            (
                ["emulator", "serve", "--prt", "0"],
                ["clover-emulator: unknown option '--prt'\n  did you mean: --port\n  see 'clover-emulator help serve'"]
            ),
            (
                ["emulator", "--", "srve"],
                ["clover-emulator: there is no command 'srve'\n  commands: reader-driver, serve"]
            ),
            (["emulator", "serve", "--port", "x"], ["clover-emulator: the value 'x' is invalid for '--port"]),
            (
                ["get", "orders", "--retry", "0.5"],
                ["the value '0.5' is invalid for '--retry", "a count is a whole number"]
            ),
            (["doctor", "--skip", "clok"], ["there is no check 'clok'; did you mean clock?"]),
            (["doctor", "--skip", "everything"], ["there is no check 'everything', but: configuration, state"]),
        ])
    func near(_ arguments: [String], _ says: [String]) async throws {
        let result = try await Sandbox.run { try await $0.clover(arguments) }
        #expect(result.ending == .exited(64) && result.output.isEmpty, "\(result)")
        for text in says { #expect(result.errorText.contains(text), "\(result)") }
    }
}
