import CloverTestSupport
import Testing

@Suite("get --curl and --explain: nothing is sent")
struct PreviewTests {
    struct Query: Sendable, CustomTestStringConvertible {
        let options: [String]
        var testDescription: String { options.joined(separator: " ") }
    }

    static let queries = [
        ["orders", "--limit", "7"], ["merchant"],
        ["orders", "--filter", "note=it's \"$HOME\" `id` \\ é%", "--no-check"],
        ["orders", "--expand", "lineItems", "--limit", "3", "--offset", "2", "--sort", "total:desc"],
        ["customers.csv"], ["items", "--param", "a[]={x}"],
    ].map(Query.init)

    @Test("the printed command returns the bytes that clover gets", arguments: queries)
    func curl(_ query: Query) async throws {
        try await Sandbox.run(emulator: ["--orders", "50"]) { sandbox, emulator in
            let options = ["get"] + query.options + (query.options == ["customers.csv"] ? [] : ["--no-complete"])
            let command = try await sandbox.clover(options + ["--curl"])
            expectSuccess(command)
            #expect(try await emulator.stats().requests == 0)
            #expect(!command.outputText.contains(emulator.accessToken))
            _ = try sandbox.directory.write("command", command.output)
            let direct = try await sandbox.shell("sh ./command")
            #expect(direct.ending == .exited(0), "\(direct)")
            let plain = try await sandbox.clover(options + ["--show-sensitive"])
            let text = query.options == ["customers.csv"] ? plain.outputText : String(plain.outputText.dropLast())
            #expect(direct.outputText == text)
        }
    }

    @Test("the command takes the token from the environment, and no process list shows it")
    func token() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let command = try await sandbox.clover("get", "orders", "--limit", "1", "--curl")
            #expect(command.outputText.contains("$CLOVER_ACCESS_TOKEN"))
            #expect(command.errorText.contains("--explain"))
            expectNoSecret(command)
            _ = try sandbox.directory.write("command", command.output)
            _ = try await sandbox.with(["CLOVER_ACCESS_TOKEN": "another-token"]).shell("sh ./command")
            let request = try #require(server.requests.first)
            #expect(request.header("Authorization") == "Bearer another-token")
            #expect(request.target.hasSuffix("/orders?limit=1"))
        }
    }

    @Test("a write as a command sends what clover sends; with --each it is refused")
    func write() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let write = ["post", "items", "--raw-field", "name=it's \"@\" $HOME é", "--field", "price=5"]
            let command = try await sandbox.clover(write + ["--curl"])
            expectSuccess(command)
            #expect(server.requests.isEmpty)
            expectNoSecret(command)
            _ = try sandbox.directory.write("command", command.output)
            let direct = try await sandbox.shell("sh ./command")
            #expect(direct.ending == .exited(0), "\(direct)")
            expectSuccess(try await sandbox.clover(write))
            let sent = server.requests
            #expect(sent.count == 2)
            #expect(sent.first?.method == "POST" && sent.first?.target == sent.last?.target)
            // A here-document ends with a newline.
            #expect(sent.first?.bodyText == (sent.last?.bodyText ?? "") + "\n" && sent.last?.body.isEmpty == false)
            for name in ["Authorization", "Content-Type", "Accept"] {
                #expect(sent.first?.header(name) == sent.last?.header(name), "\(name)")
            }
            expectFailure(
                try await sandbox.clover("post", "items", "--each", "--curl"), status: 64, saying: "--dry-run")
        }
    }

    @Test("the body is not an argument of curl: it may be larger, and no process list shows it")
    func largeBody() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("{}") }) { sandbox, server in
            let note = String(repeating: "long 'text' $HOME `id` \\\\ CLOVER_BODY ", count: 6000)
            let body = "{\"note\":\"\(note)\"}\n"
            _ = try sandbox.directory.write("body.json", body.utf8)
            let command = try await sandbox.clover("post", "orders", "--input", "body.json", "--curl")
            expectSuccess(command)
            _ = try sandbox.directory.write("command", command.output)
            // Replaces curl to record its arguments.
            let seen = try await sandbox.shell("curl() { printf '%s\\n' \"$@\"; cat; }; . ./command")
            let arguments = seen.outputText.replacing(body, with: "")
            #expect(seen.outputText.contains(body) && arguments.utf8.count < 1000, "\(arguments)")
            let direct = try await sandbox.shell("sh ./command")
            #expect(direct.ending == .exited(0), "\(direct)")
            #expect(server.requests.map(\.bodyText) == [body])
        }
    }

    @Test("sensitive fields are in the command only with --show-sensitive; otherwise it sends nothing")
    func sensitiveBody() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("{}") }) { sandbox, server in
            let write = ["post", "employees", "E", "--raw-field", "pin=4321", "--curl"]
            let command = try await sandbox.clover(write)
            #expect(!command.outputText.contains("4321"))
            #expect(command.outputText.hasPrefix("# masked: employees.Employee.pin;"), "\(command)")
            #expect(command.errorText.contains("employees.Employee.pin; --show-sensitive shows them"), "\(command)")
            _ = try sandbox.directory.write("command", command.output)
            #expect(try await sandbox.shell("sh ./command").status == 1)
            #expect(server.requests.isEmpty)
            let whole = try await sandbox.clover(write + ["--show-sensitive"])
            expectSuccess(whole)
            _ = try sandbox.directory.write("command", whole.output)
            #expect(try await sandbox.shell("sh ./command").ending == .exited(0))
            #expect(server.requests.map(\.bodyText) == ["{\"pin\":\"4321\"}\n"])
            let filter = try await sandbox.clover("get", "employees", "--filter", "pin=4321", "--curl")
            #expect(!filter.outputText.contains("4321") && filter.outputText.contains("false &&"), "\(filter)")
        }
    }

    @Test("a secret header field is taken from a variable, through the pipe")
    func secretHeader() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("{}") }) { sandbox, server in
            for options in [[], ["--show-sensitive"]] {
                let command = try await sandbox.clover(
                    ["post", "items", "-F", "name=x", "--header", "X-Clover-Auth: HEADER-S", "--curl"] + options)
                #expect(!command.outputText.contains("HEADER-S"))
                #expect(command.errorText.contains("X-Clover-Auth from X_CLOVER_AUTH"), "\(command)")
                _ = try sandbox.directory.write("command", command.output)
                let run = try await sandbox.with(["X_CLOVER_AUTH": "OTHER-S"]).shell("sh ./command")
                #expect(run.ending == .exited(0), "\(run)")
            }
            #expect(server.requests.map { $0.header("X-Clover-Auth") } == ["OTHER-S", "OTHER-S"])
            #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer \(Sandbox.token)" })
        }
    }

    struct Forecast: Sendable, CustomTestStringConvertible {
        let options: [String]
        let least: Int
        let most: Int?
        var testDescription: String { options.joined(separator: " ") }
    }

    static let forecasts = [
        Forecast(options: ["orders"], least: 1, most: 2),
        Forecast(options: ["merchant"], least: 1, most: 1),
        Forecast(options: ["orders", "--limit", "20"], least: 1, most: 2),
        Forecast(options: ["orders", "--limit", "1000"], least: 1, most: 2),
        Forecast(options: ["orders", "--limit", "2500"], least: 1, most: 4),
        Forecast(options: ["orders", "--all"], least: 1, most: nil),
        Forecast(
            options: [
                "payments", "--all", "--filter", "createdTime>=2025-12-01T00:00Z", "--filter",
                "createdTime<2026-02-01T00:00Z",
            ], least: 1, most: nil),
        Forecast(
            options: [
                "payments", "--all", "--filter", "createdTime>=2025-01-01T00:00Z", "--filter",
                "createdTime<2026-01-01T00:00Z",
            ], least: 5, most: nil),
        Forecast(
            options: [
                "payments", "--limit", "30", "--filter", "createdTime>=2025-01-01T00:00Z", "--filter",
                "createdTime<2026-01-01T00:00Z",
            ], least: 1, most: 10),
        Forecast(options: ["payments", "--all"], least: 2, most: nil),
        Forecast(options: ["orders", "--limit", "20", "--expand", "lineItems"], least: 1, most: nil),
        Forecast(options: ["items", "--format", "csv", "--fields", "id,price", "--money", "major"], least: 2, most: 3),
    ]

    @Test("the estimate matches the number of calls", arguments: forecasts)
    func calls(_ row: Forecast) async throws {
        try await Sandbox.run(emulator: ["--orders", "2350"]) { sandbox, emulator in
            let result = try await sandbox.clover(["get"] + row.options + ["--explain"])
            expectSuccess(result)
            #expect(try await emulator.stats().requests == 0)
            let value = try JSONValue(result.outputText)
            #expect(value["callsAtLeast"]?.integer == row.least, "\(result)")
            #expect(value["callsAtMost"]?.integer == row.most, "\(result)")
            let run = try await sandbox.clover(["get"] + row.options, output: .file("/dev/null"))
            #expect(run.ending == .exited(0), "\(run)")
            let sent = try await emulator.stats().requests
            #expect(sent >= row.least)
            if let most = row.most { #expect(sent <= most) }
        }
    }

    @Test("the budget is what other runs left, and --explain does not use it")
    func budget() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            for _ in 0..<20 { expectSuccess(try await sandbox.clover("get", "orders", "--explain")) }
            #expect(server.requests.isEmpty)
            let value = try JSONValue(try await sandbox.clover("get", "orders", "--explain").outputText)
            #expect(value["budget"]?["free"]?.integer == 16)
            #expect(value["budget"]?["perSecond"]?.integer == 16)
            #expect(value["budget"]?["limitInFlight"]?.integer == 5)
            #expect(value["url"]?.string == "\(server.url)/v3/merchants/\(Sandbox.merchantID)/orders?limit=100")
        }
    }

    @Test("a pause requested by the service is in the estimate")
    func pause() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 600"], body: [])
        }) { sandbox, _ in
            #expect(try await sandbox.clover("get", "orders", "--retry", "0").status == 75)
            let value = try JSONValue(try await sandbox.clover("get", "orders", "--explain").outputText)
            #expect(value["budget"]?["pauseCause"]?.string == "X-RateLimit-tokenLimit")
            #expect(value["budget"]?["free"]?.integer == 0)
            #expect(value["budget"]?["pauseLeft"] != .null)
        }
    }

    @Test("wrong names are refused as in a run, and the two options exclude each other; on a terminal it is text")
    func usage() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            for option in ["--explain", "--curl"] {
                expectFailure(
                    try await sandbox.clover("get", "orders", "--expand", "nosuch", option), status: 64,
                    saying: "nosuch")
                // Only Clover knows whether it has a filter that the catalogue lacks.
                let filter = try await sandbox.clover("get", "orders", "--filter", "nosuch=1", option)
                #expect(filter.ending == .exited(0), "\(filter)")
                #expect(filter.errorText.contains("the run asks Clover about it first"), "\(filter)")
            }
            expectFailure(
                try await sandbox.clover("get", "orders", "--explain", "--curl"), status: 64, saying: "exclude")
            let line = "script --quiet --return --command 'clover get orders --all --explain' /dev/null </dev/null"
            let text = try await sandbox.shell(line).outputText
            #expect(text.contains("at least") && text.contains("nothing was sent"), "\(text)")
            #expect(server.requests.isEmpty)
        }
    }
}
