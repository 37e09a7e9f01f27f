import CloverTestSupport
import Testing

@Suite("config: settings take effect")
struct SettingsTests {
    private static let orders = [
        #"{"id":"ORDERA0000001","total":100,"state":"open","createdTime":1700000000000}"#,
        #"{"id":"ORDERB0000001","total":200,"state":null,"createdTime":1700000000000}"#,
    ]

    private func run(
        _ file: String, _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        let list = ServedList(records: Self.orders)
        try await Sandbox.run(server: { request, _ in
            request.target.contains("/properties")
                ? LoopbackResponse(#"{"timezone":"America/Chicago","defaultCurrency":"USD"}"#)
                : list.answer(to: request)
        }) { sandbox, server in
            try await body(try sandbox.configured(file), server)
        }
    }

    @Test("the format: flag, then variable, then file")
    func format() async throws {
        try await run("format: csv\n") { sandbox, _ in
            let fields = ["get", "orders", "--limit", "1", "--fields", "id"]
            let fromFile = try await sandbox.clover(fields)
            #expect(fromFile.outputText == "id\r\nORDERA0000001\r\n")
            let variable = sandbox.with(["CLOVER_FORMAT": "tsv"])
            let fromVariable = try await variable.clover(fields)
            #expect(fromVariable.outputText == "id\nORDERA0000001\n")
            for flags in [["--format", "ndjson"], ["--json"]] {
                let fromFlag = try await variable.clover(fields + flags)
                #expect(fromFlag.outputText == #"{"id":"ORDERA0000001"}"# + "\n")
            }
        }
    }

    @Test("money, times, zone, header: apply to columns, and are silent elsewhere")
    func habits() async throws {
        try await run("money: major\ntimes: iso\nzone: Europe/Berlin\nno-header: true\ncsv-safe: true\n") {
            sandbox, _ in
            let csv = try await sandbox.clover(
                "get", "orders", "--limit", "1", "--format", "csv", "--fields", "total,createdTime")
            expectSuccess(csv)
            #expect(csv.outputText == "1.00,2023-11-14T23:13:20.000+01:00\r\n")
            let plain = try await sandbox.clover("get", "orders", "--limit", "1")
            expectSuccess(plain)
            #expect(plain.lines == [Self.orders[0]])
            let flags = try await sandbox.clover(
                "get", "orders", "--limit", "1", "--format", "csv", "--fields", "total,createdTime", "--money", "minor",
                "--times", "sent")
            #expect(flags.outputText == "100,1700000000000\r\n")
        }
    }

    @Test("retries: no second request with retry 0 in the file or variable; the flag takes precedence")
    func retry() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "503 Service Unavailable", "{}") }) {
            sandbox, server in
            try sandbox.configured("retry: 0\n")
            expectFailure(try await sandbox.clover("get", "orders"), status: 69)
            #expect(server.requests.count == 1)
            expectFailure(try await sandbox.clover("get", "orders", "--retry", "1"), status: 69)
            #expect(server.requests.count == 3)
            expectFailure(try await sandbox.with(["CLOVER_RETRY": "1"]).clover("get", "orders"), status: 69)
            #expect(server.requests.count == 5)
            expectFailure(try await sandbox.clover("post", "items", "--field", "name=x"), status: 69)
            #expect(server.requests.count == 6)
        }
    }

    @Test("limits: of the profile, of the variable, of the flag; per token and per app")
    func limits() async throws {
        try await run("requests-per-second: 9\nin-flight: 3\n") { sandbox, _ in
            let first = try await budget(sandbox)
            #expect(first["configuredPerSecond"]?.integer == 9)
            #expect(first["configuredInFlight"]?.integer == 3)
            let variable = try await budget(sandbox.with(["CLOVER_IN_FLIGHT": "2"]))
            #expect(variable["configuredInFlight"]?.integer == 2)
        }
    }

    @Test("an app's limits apply to it")
    func appLimits() async throws {
        try await Sandbox.signedIn { sandbox, _, _ in
            try sandbox.configured("app-requests-per-second: 20\n")
            let result = try await sandbox.with(["CLOVER_APP_IN_FLIGHT": "4"]).clover("limits")
            let app = try #require(try JSONValue.lines(result.lines).last)
            #expect(app["scope"]?.string == "app")
            #expect(app["configuredPerSecond"]?.integer == 20)
            #expect(app["configuredInFlight"]?.integer == 4)
        }
    }

    @Test("no rate limiting, unless a limit is given by flag")
    func noPacing() async throws {
        try await run("no-pacing: true\n") { sandbox, _ in
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            #expect(sandbox.directory.files(below: "state/ratelimit") == [])
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1", "--in-flight", "2"))
            #expect(sandbox.directory.files(below: "state/ratelimit") != [])
        }
    }

    @Test("sensitive fields are shown by the file and masked again by the variable")
    func sensitive() async throws {
        let employee = #"{"id":"EMPLOYEEA0001","pin":"1234"}"#
        let list = ServedList(records: [employee])
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, _ in
            try sandbox.configured("show-sensitive: true\n")
            #expect(try await sandbox.clover("get", "employees", "--limit", "1").lines == [employee])
            let masked = try await sandbox.with(["CLOVER_SHOW_SENSITIVE": "no"])
                .clover("get", "employees", "--limit", "1")
            #expect(!masked.outputText.contains("1234"))
        }
    }

    @Test("the time limit of a run")
    func maximumTime() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "503 Service Unavailable", "{}") }) {
            sandbox, _ in
            try sandbox.configured("max-time: 100ms\nretry: 100\n")
            expectFailure(try await sandbox.clover("get", "orders"), status: 83, saying: "max-time")
        }
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String
        let says: String
        var testDescription: String { name }
    }

    @Test(
        "a wrong variable is refused by name before anything is sent",
        arguments: [
            Wrong(name: "CLOVER_FORMAT", value: "xml", says: "ndjson"),
            Wrong(name: "CLOVER_MONEY", value: "gold", says: "minor or major"),
            Wrong(name: "CLOVER_TIMES", value: "never", says: "sent or iso"),
            Wrong(name: "CLOVER_ZONE", value: "Mars/Base", says: "Europe/Berlin"),
            Wrong(name: "CLOVER_RETRY", value: "-1", says: "from 0 to 100"),
            Wrong(name: "CLOVER_MAX_TIME", value: "soon", says: "90s"),
            Wrong(name: "CLOVER_REQUESTS_PER_SECOND", value: "0", says: "from 1 to 480"),
            Wrong(name: "CLOVER_IN_FLIGHT", value: "x", says: "from 1 to 1000"),
            Wrong(name: "CLOVER_APP_REQUESTS_PER_SECOND", value: "x", says: "from 1 to 480"),
            Wrong(name: "CLOVER_APP_IN_FLIGHT", value: "x", says: "from 1 to 1000"),
            Wrong(name: "CLOVER_NO_PACING", value: "perhaps", says: "true or false"),
            Wrong(name: "CLOVER_NO_HEADER", value: "perhaps", says: "true or false"),
            Wrong(name: "CLOVER_CSV_SAFE", value: "perhaps", says: "true or false"),
            Wrong(name: "CLOVER_SHOW_SENSITIVE", value: "perhaps", says: "true or false"),
        ])
    func wrongVariable(_ wrong: Wrong) async throws {
        try await run("") { sandbox, server in
            let result = try await sandbox.with([wrong.name: wrong.value]).clover("get", "orders")
            expectFailure(result, status: 64, saying: "\(wrong.name) takes ", wrong.says, "not '\(wrong.value)'")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a static token takes its merchant and environment from the file without variables")
    func staticToken() async throws {
        try await run("") { sandbox, server in
            try sandbox.configured("merchant: SHOPTOP\nenvironment: \(server.url)\n")
            let token = sandbox.without("CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            expectSuccess(try await token.clover("get", "orders", "--limit", "1"))
            #expect(server.requests.last?.target.contains("/SHOPTOP/") == true)
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            #expect(server.requests.last?.target.contains("/\(Sandbox.merchantID)/") == true)
            try sandbox.configured(
                "profile: a\nprofiles:\n  a:\n    merchant: SHOPPROFILE\n    environment: \(server.url)\n")
            expectSuccess(try await token.clover("get", "orders", "--limit", "1"))
            #expect(server.requests.last?.target.contains("/SHOPPROFILE/") == true)
            let preview = try await token.clover("post", "items", "--field", "name=x", "--dry-run")
            #expect(preview.outputText.contains("/SHOPPROFILE/"), "\(preview)")
        }
    }

    private func budget(_ sandbox: Sandbox) async throws -> JSONValue {
        let result = try await sandbox.clover("limits")
        return try #require(try JSONValue.lines(result.lines).first)
    }
}
