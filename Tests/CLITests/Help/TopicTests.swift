import CloverTestSupport
import Foundation
import Testing

@Suite("help: topics, the first page, and unknown commands")
struct TopicTests {
    private static let topics = ["exit-codes", "environment", "filters", "jq", "reports", "cron"]

    @Test("every topic has a page that fits 80 columns", arguments: topics)
    func page(_ topic: String) async throws {
        let result = try await Sandbox.run { try await $0.clover("help", topic) }
        expectSuccess(result)
        for line in result.lines {
            #expect(line.count <= 80, "\(line)")
        }
        #expect(result.lines.count > 10)
    }

    @Test("exit-codes lists every status of the table once")
    func exitCodes() async throws {
        let result = try await Sandbox.run { try await $0.clover("help", "exit-codes") }
        let numbers = result.lines.compactMap { $0.firstMatch(of: #/^  ([0-9]+) /#).flatMap { Int($0.output.1) } }
        #expect(
            numbers == [0, 1, 4, 64, 65, 66, 69, 70, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83], "\(numbers)")
    }

    @Test("every example of a topic runs", arguments: ["exit-codes", "filters", "jq", "reports", "cron"])
    func examples(_ topic: String) async throws {
        try await ExampleWorld.run { world in
            let page = try await world.sandbox.clover("help", topic)
            let start = try #require(page.lines.firstIndex(of: "Examples:"))
            let commands = page.lines[start...].filter { $0.hasPrefix("  clover ") }.map { String($0.dropFirst(2)) }
            #expect(commands.count == 3, "\(commands)")
            for command in commands {
                let result = try await world.sandbox.shell("cd '\(world.sandbox.directory.path)'; \(command)")
                #expect(result.status == 0, "\(command): \(result)")
                #expect(!result.errorText.contains("see 'clover help"), "\(command): \(result)")
            }
        }
    }

    @Test(
        "the manual pages of topics have the same text, and mandoc(1) has no warnings",
        arguments: ["exit-codes", "filters", "jq", "reports", "cron"])
    func manual(_ topic: String) async throws {
        try await Sandbox.run { sandbox in
            let page = try await sandbox.clover("config", "keys", "--manual", topic)
            expectSuccess(page)
            let text = page.outputText.replacing("@DATE@", with: "November 21, 2026")
            let path = try sandbox.directory.write("clover-\(topic).7", Array(text.utf8))
            let lint = try await CommandRunner(executable: "/usr/bin/mandoc", environment: [:])
                .run(["-T", "lint", "-W", "warning", path])
            #expect(lint.ending == .exited(0), "\(lint)")
            #expect(lint.outputText + lint.errorText == "", "\(lint)")
        }
    }

    @Test("clover without arguments in a pipe shows its purpose and the commands, and is wrong usage")
    func firstPage() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let page = try await sandbox.clover()
            expectFailure(page, status: 64, saying: "no command was given", output: nil)
            #expect(page.lines.first == "clover: the command line for a Clover merchant's data, readers and payments")
            let commands = try #require(page.lines.first { $0.hasPrefix("Commands: auth  get  post  put  delete") })
            for name in commands.split(separator: " ").dropFirst() {
                expectSuccess(try await sandbox.clover("help", String(name)))
            }
            #expect(server.requests.isEmpty)
        }
    }

    private func onTerminal(_ sandbox: Sandbox) async throws -> [String] {
        let result = try await sandbox.startOnTerminal([]).result()
        #expect(result.ending == .exited(0), "\(result)")
        return result.outputText.split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test("clover without arguments on a terminal says in five lines what to do next")
    func nextSteps() async throws {
        try await ChargeFixture.run { till in
            let stranger = till.sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            let first = try await onTerminal(stranger)
            try #require(first.count == 4 && first[0] == "You are not signed in to a merchant.", "\(first)")
            #expect(first[1].hasPrefix("  clover emulator demo") && first[2].hasPrefix("  clover auth login"))
            #expect(stranger.directory.files(below: "state").isEmpty)

            let signedIn = try await onTerminal(till.sandbox)
            try #require(signedIn.count == 5 && signedIn[0].hasPrefix("You are signed in to merchant"), "\(signedIn)")
            #expect(signedIn[1].contains("clover get orders") && signedIn[4].contains("clover help"))

            let folder = till.sandbox.directory["out"]
            expectSuccess(try await till.sandbox.clover("export", "items", "--to", folder, "-q"))
            let now = try await onTerminal(till.sandbox)
            #expect(!now.contains { $0.contains("clover export") }, "\(now)")
            let file = try #require(till.sandbox.directory.files(below: "out").first { $0.contains("items") })
            let path = till.sandbox.directory[file]
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            let lacking = try await onTerminal(till.sandbox)
            #expect(lacking[1].contains("clover export verify \(folder)"), "\(lacking)")
            #expect(lacking.joined(separator: " ").contains("1 exported file is missing"), "\(lacking)")
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            let clock = try await WallClock(ahead: 3 * 86_400, in: till.sandbox.directory)
            let old = try await onTerminal(till.sandbox.with(clock.variables))
            try #require(old.count == 5 && old[1].contains("items: last exported 3 d ago"), "\(old)")
            // Another merchant's export is not this one's.
            var variables = clock.variables
            variables["CLOVER_MERCHANT_ID"] = "OTHERMERCHANT"
            let other = try await onTerminal(till.sandbox.with(variables))
            #expect(other[1].contains(#/items of [A-Z0-9]{13}: /#), "\(other)")
        }
    }

    @Test("clover without arguments on a terminal puts a charge of unknown outcome first")
    func unknownCharge() async throws {
        try await Sandbox.run(
            server: { request, _ in
                request.method == "POST" ? .reset : LoopbackResponse(status: "503 Service Unavailable", "{}")
            }, weight: 0
        ) { sandbox, _ in
            let charge = try await sandbox.clover(
                "charge", "--amount", "1.00", "--currency", "USD", "--source", "clv_1TOKEN")
            #expect(charge.ending == .exited(80), "\(charge)")
            let page = try await onTerminal(sandbox)
            try #require(page.count == 5 && page[1].hasPrefix("  clover charge recover --all"), "\(page)")
        }
    }

    @Test(
        "an unknown command is refused with similar names",
        arguments: [
            (["limts"], "there is no command 'limts'", "did you mean: limits"),
            (["confg", "list"], "there is no command 'confg'", "did you mean: config"),
            (["login"], "there is no command 'login'", "did you mean: auth login"),
            (["sales"], "there is no command 'sales'", "did you mean: report sales"),
            (["orders"], "there is no command 'orders'", "did you mean: get orders"),
            (["refunds"], "there is no command 'refunds'", "did you mean: get refunds, report refunds"),
            (["recover"], "there is no command 'recover'", "did you mean: charge recover"),
            (["auth", "lgin"], "auth has no command 'lgin'", "did you mean: auth login"),
            (["charge", "captre", "c_1"], "charge has no command 'captre'", "did you mean: charge capture"),
            (["charge", "square", "reqest"], "charge square has no command 'reqest'", "charge square request"),
            (["emulator", "srve"], "emulator has no command 'srve'", "did you mean: emulator serve"),
            (["help", "emulator", "srve"], "emulator has no command 'srve'", "did you mean: emulator serve"),
            (["endpoints", "ord"], "the catalogue has no 'ord'", "did you mean: orders"),
            (["config", "set", "format", "cvs"], "not 'cvs'", "did you mean: csv"),
            (["config", "set", "environment", "sandbx"], "not 'sandbx'", "did you mean: sandbox"),
            (["help", "exitcodes"], "there is no command 'exitcodes'", "did you mean: exit-codes"),
            (
                ["help", "nope"], "there is no command 'nope'",
                "topics: exit-codes, environment, filters, jq, reports, cron"
            ),
        ])
    func nearest(_ arguments: [String], _ message: String, _ hint: String) async throws {
        let result = try await Sandbox.run { try await $0.clover(arguments) }
        expectFailure(result, status: 64, saying: message, hint)
    }

    @Test("help on the emulator's commands comes from clover-emulator, and on the tour from 'clover emulator'")
    func emulator() async throws {
        try await Sandbox.run { sandbox in
            for name in ["serve", "reader-driver"] {
                let page = try await sandbox.clover("help", "emulator", name)
                expectSuccess(page)
                #expect(page.outputText.contains("USAGE: clover-emulator \(name)"), "\(page)")
            }
            let page = try await sandbox.clover("help", "emulator")
            #expect(try await sandbox.clover("help", "emulator", "demo").outputText == page.outputText)
        }
    }

    @Test("a token typed in place of a command is not repeated")
    func secret() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("auth", Sandbox.token)
            expectFailure(result, status: 64, saying: "auth has no command (not shown)")
            expectNoSecret(result)
        }
    }
}
