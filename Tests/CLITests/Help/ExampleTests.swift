import CloverTestSupport
import Foundation
import Testing

@Suite("help: every command has three examples, and each of them runs")
struct ExampleTests {
    /// Accepted exit statuses of examples that need a browser, a reader or a card that is not there.
    private static let others: [String: [Int32]] = [
        // No browser responds in time, and no address is pasted.
        "auth login": [0, 64, 75], "auth": [0, 64, 75],
        // The code is for another proof, or was used by the example before.
        "auth receive": [0, 64, 69, 76, 77], "auth refresh": [0, 77], "auth migrate": [0, 64, 77],
        // The refresh tokens are made up.
        "auth import": [64, 69, 77],
        "auth switch": [0, 66, 77], "auth logout": [0, 66, 77], "auth token": [0, 77],
        // Ended by timeout(1).
        "auth watch": [124], "limits": [0, 124], "follow": [0, 124], "emulator": [0, 124],
        "charge square listen": [75, 124],
        // There is no Bluetooth, and the driver's readers have other names.
        "reader": [0, 66, 69, 75, 77, 124], "reader scan": [0, 66, 69, 124], "reader connect": [0, 66, 69, 75, 124],
        "reader watch": [0, 66, 69, 75, 124], "reader disconnect": [0, 66, 69, 75], "reader list": [0, 66],
        "reader forget": [0, 66],
        // There is no card, no such token of one, and no charge to recover.
        "charge": [0, 66, 69, 75, 76, 80, 81, 124], "charge create": [0, 64, 66, 69, 75, 76, 81, 124],
        // The customer and the token of the examples do not exist, and there is no card on standard input.
        "charge card": [0, 65, 66], "charge card list": [0, 66], "charge card replace": [64, 65, 66],
        "charge card revoke": [0, 66],
        // Nothing has the IDs of the examples.
        "checkout": [0, 66], "checkout wait": [66], "plan": [0, 64, 66], "plan show": [66], "plan create": [0, 64],
        "plan change": [66], "plan delete": [0, 66], "subscription": [0, 66], "subscription show": [66],
        "subscription create": [0, 66], "subscription change": [66], "subscription cancel": [0, 66],
        "charge receipt": [0, 64], "charge tip": [0, 64, 81], "charge increment": [0, 64, 81],
        "charge recover": [0, 66], "charge settle": [0, 64, 66], "charge void": [0, 77], "charge capture": [0, 64],
        // There is no signature, no handler, and nothing that failed.
        "webhook": [0, 64, 65, 124], "webhook listen": [124], "webhook verify": [64, 65], "webhook replay": [0, 66],
        "webhook drop": [0, 66], "webhook trigger": [69, 78],
        // No disk is mounted there.
        "export verify": [0, 66], "export forget": [0, 66], "export compact": [0, 66],
        "config get": [0, 66], "config unset": [0, 66], "doctor": [0, 78], "delete": [0, 66, 82],
        // There is no such database.
        "fleet": [78], "state move": [75],
        "state": [0, 75], "state init": [75], "state migrate": [75], "state check": [0, 75], "state key": [75],
        "state key show": [0, 75], "state key create": [75], "state key rotate": [0, 75],
        "state key remove": [0, 66, 75], "state key move": [0, 75],
        // Deleted by the example before.
        "alias delete": [0, 66],
    ]

    /// Whether an example of the command may be one that timeout(1) ends.
    private static func waits(_ command: HelpTree.Command) -> Bool { others[command.name]?.contains(124) == true }

    private static func examples(_ page: String) throws -> [String] {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: "Examples:"), "no examples")
        let shown = lines[(start + 1)...].prefix { !$0.isEmpty }.joined(separator: "\n")
        return shown.replacing(#/ *\\\n */#, with: " ").split(separator: "\n").map(String.init)
    }

    @Test("every command has three examples, none of them wrapped, on a page that fits 80 columns")
    func three() async throws {
        let commands = try await HelpTree.commands
        #expect(commands.count > 50, "\(commands.map(\.name))")
        for command in commands {
            let examples = try Self.examples(command.page.outputText)
            #expect(examples.count == 3, "\(command.name): \(examples)")
            for example in examples {
                #expect(example.hasPrefix("  ") && example.contains("clover"), "\(command.name): \(example)")
            }
            for line in command.page.lines { #expect(line.count <= 80, "\(command.name): \(line)") }
        }
    }

    @Test("every printed example is a valid command line and ends with an expected status")
    func run() async throws {
        // Those of `charge square` have a test of their own.
        let commands = try await HelpTree.commands.filter { $0.path.prefix(2) != ["charge", "square"] }
        let waiting = Set(commands.filter(Self.waits).map { $0.path[0] })
        // A sign-out or a setting would change what comes after it, and what waits does not keep the others waiting. Listeners
        // for webhooks have one port.
        let groups = Dictionary(grouping: commands) { command in
            switch command.path[0] {
            case "auth", "reader": command.name
            case "config", "state": command.path[0]
            case let family: waiting.contains(family) ? family : "others"
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for group in groups.values {
                tasks.addTask {
                    try await ExampleWorld.run(weight: group.contains(where: Self.waits) ? 0 : 1) { world in
                        for command in group {
                            for example in try Self.examples(command.page.outputText) {
                                try await Self.check(
                                    example.trimmingCharacters(in: .whitespaces), of: command, in: world)
                            }
                        }
                    }
                }
            }
            try await tasks.waitForAll()
        }
    }

    @Test(
        "every page of the emulator has three examples, and each of them runs",
        arguments: ["", "serve", "reader-driver"])
    private func emulator(_ command: String) async throws {
        try await ExampleWorld.run(weight: 0) { world in
            let page = try await world.sandbox.shell("clover-emulator help \(command)")
            expectSuccess(page)
            for line in page.lines { #expect(line.count <= 80, "\(line)") }
            let examples = try Self.examples(page.outputText)
            #expect(examples.count == 3, "\(examples)")
            for example in examples {
                // The port may be in use.
                let line = example.trimmingCharacters(in: .whitespaces).replacing("--port 8080", with: "--port 0")
                let result = try await world.sandbox.shell("timeout 4 bash -c \"exec \(line)\" </dev/null")
                if line.hasPrefix("clover-emulator serve") {
                    // Ended by timeout(1), once it listens.
                    #expect(result.status == 124, "\(line): \(result)")
                    #expect(result.outputText.hasPrefix(#"{"event":"ready""#), "\(line): \(result)")
                } else {
                    #expect(result.status == 0, "\(line): \(result)")
                }
                #expect(result.errorText == "", "\(line): \(result)")
            }
        }
    }

    /// The part of an example that is ours; nil for none. The rest would set up the machine that the tests run on.
    private static func own(_ example: String) -> String? {
        if example.hasPrefix("sudo ") { return nil }
        var line = example.replacing("(crontab -l; ", with: "(")
        for other in [" | sudo tee", " | crontab -", " | ./load-payments", " >/var/"] {
            if let range = line.firstRange(of: other) { line = String(line[..<range.lowerBound]) }
        }
        return line.replacing(" /srv/", with: " ~/srv/")
    }

    private static func check(_ example: String, of command: HelpTree.Command, in world: ExampleWorld) async throws {
        guard let own = own(example) else { return }
        let line = try await world.line(own)
        let allowed = others[command.name] ?? [0]
        let limit = allowed.contains(124) ? 4 : 60
        let result = try await world.sandbox.with(["EXAMPLE": line]).shell(
            "PATH=\(world.sandbox.directory.path):$PATH; timeout \(limit) bash -o pipefail -c \"$EXAMPLE\" </dev/null")
        #expect(allowed.contains(result.status), "\(line): \(result)")
        #expect(!result.errorText.contains("see 'clover help"), "\(line): \(result)")
    }
}
