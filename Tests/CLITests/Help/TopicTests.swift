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

    @Test("clover without arguments shows its purpose, the sign-in, and the commands")
    func firstPage() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let page = try await sandbox.without("CLOVER_ACCESS_TOKEN").clover()
            expectSuccess(page)
            #expect(page.lines.first == "clover: the command line for a Clover merchant's data, readers and payments")
            #expect(page.outputText.contains("Not signed in. Run 'clover auth login"))
            #expect(page.outputText.contains("'clover emulator demo'"))
            let commands = try #require(page.lines.first { $0.hasPrefix("Commands: auth  get  post  put  delete") })
            for name in commands.split(separator: " ").dropFirst() {
                expectSuccess(try await sandbox.clover("help", String(name)))
            }
            let signedIn = try await sandbox.clover()
            #expect(signedIn.outputText.contains("Signed in to merchant \(Sandbox.merchantID)"))
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
