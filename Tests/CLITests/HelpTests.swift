import CloverTestSupport
import Testing

@Suite("help")
struct HelpTests {
    struct Page: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        var testDescription: String { name }
    }

    static let pages = [
        Page(name: "help", arguments: ["--help"]),
        Page(name: "help-get", arguments: ["help", "get"]),
        Page(name: "help-post", arguments: ["help", "post"]),
        Page(name: "help-put", arguments: ["help", "put"]),
        Page(name: "help-limits", arguments: ["help", "limits"]),
        Page(name: "help-delete", arguments: ["help", "delete"]),
        Page(name: "help-auth", arguments: ["help", "auth"]),
        Page(name: "help-auth-login", arguments: ["help", "auth", "login"]),
        Page(name: "help-auth-status", arguments: ["help", "auth", "status"]),
        Page(name: "help-auth-logout", arguments: ["help", "auth", "logout"]),
        Page(name: "help-emulator", arguments: ["help", "emulator"]),
    ]

    /// The pages of all other commands, by what stands behind `help`.
    static let otherPages =
        (["receive", "token", "refresh", "list", "switch", "watch", "migrate", "import"].map { "auth " + $0 }
        + ["api", "endpoints", "schema", "doctor", "config", "version", "completion", "whoami", "open", "alias", "mcp"]
        + ["set", "list", "delete"].map { "alias " + $0 }
        + ["get", "set", "unset", "list", "keys", "path"].map { "config " + $0 }
        + ["reader"]
        + ["scan", "list", "connect", "watch", "disconnect", "forget", "driver-check"].map { "reader " + $0 }
        + ["emulator serve", "emulator reader-driver"]
        + ["charge"]
        + [
            "create", "list", "show", "recover", "settle", "capture", "void", "refund", "tip", "increment", "receipt",
            "card", "card list", "card replace", "card revoke", "square", "square request", "square response",
            "square errors", "square listen", "square settle",
        ].map { "charge " + $0 }
        + [
            "checkout", "checkout create", "checkout list", "checkout wait", "plan", "plan list", "plan show",
            "plan create",
            "plan change", "plan delete", "subscription", "subscription list", "subscription show",
            "subscription create", "subscription change", "subscription cancel",
        ]
        + ["webhook"]
        + ["listen", "parse", "verify", "list", "replay", "drop", "trigger"].map { "webhook " + $0 }
        + ["export"] + ["run", "status", "schedule", "verify", "forget", "compact"].map { "export " + $0 }
        + ["follow"]
        + ["exit-codes", "environment", "filters", "jq", "reports", "cron"]).map { name in
            Page(
                name: "help-" + name.replacing(" ", with: "-"),
                arguments: ["help"] + name.split(separator: " ").map(String.init))
        }

    @Test("every help page is as recorded", arguments: pages + otherPages)
    func isAsRecorded(_ page: Page) async throws {
        let known = try await HelpTree.commands.first { ["help"] + $0.path == page.arguments }?.page
        let result =
            if let known { known } else { try await Sandbox.run { try await $0.clover(page.arguments) } }
        expectSuccess(result)
        try Snapshot.check(result.outputText, page.name)
    }

    @Test("help reads and writes no file of the user's")
    func helpLeavesNothing() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.clover("get", "--help"))
            #expect(sandbox.directory.files(below: "") == [])
        }
    }

    @Test(
        "help on what is no command is refused with what is near",
        arguments: [
            (["help", "gte"], "did you mean: get"), (["help", "nope"], "commands: alias, api, auth"),
            (["help", "auth", "lgin"], "did you mean: auth login"), (["help", "get", "nope"], "clover help get"),
        ])
    func noTopic(_ arguments: [String], _ hint: String) async throws {
        let result = try await Sandbox.run { try await $0.clover(arguments) }
        expectFailure(result, status: 64, saying: "no command '\(arguments[arguments.count - 1])'", hint)
    }

    @Test("help on help is help", arguments: [["help"], ["help", "help"], ["help", "--help"]])
    func helpOnHelp(_ arguments: [String]) async throws {
        expectSuccess(try await Sandbox.run { try await $0.clover(arguments) })
    }

    @Test("--version prints a version and nothing else")
    func version() async throws {
        let result = try await Sandbox.run { try await $0.clover("--version") }
        expectSuccess(result)
        #expect(result.outputText.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil, "\(result)")
    }

    @Test("'clover get --help' is the page of 'clover help get'")
    func bothWays() async throws {
        try await Sandbox.run { sandbox in
            let long = try await sandbox.clover("help", "get")
            let short = try await sandbox.clover("get", "--help")
            #expect(long.outputText == short.outputText)
        }
    }
}
