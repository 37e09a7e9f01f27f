import CloverTestSupport
import Testing

@Suite("get: what cannot be meant is refused before anything is sent")
struct UsageTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let parts: [String]
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., saying parts: String...) {
            self.arguments = arguments
            self.parts = parts
        }
    }

    static let mistakes = [
        Mistake("orderz", saying: "orderz", "orders"),
        Mistake("Orders", saying: "Orders", "orders"),
        Mistake("custmers", saying: "custmers", "customers"),
        Mistake("orders/ABC/lineitems", saying: "lineitems", "line_items"),
        Mistake("/v3/merchants/M/orderz", saying: "orderz"),
        Mistake("/v1/tokens", saying: "/v1/tokens", "card tokens", "--no-check"),
        Mistake("orders", "--expand", "lineitems", saying: "lineitems", "orders", "lineItems"),
        Mistake("orders", "--expand", "payments,nothing", saying: "nothing"),
        Mistake(
            "orders", "--filter", "totl>5", saying: "totl", "did you mean: total   (all: clover endpoints orders)"),
        Mistake("orders/ABC", "LINE", saying: "orders/ABC/LINE", "orders/{orderId}/line_items"),
        Mistake("orders/ABC/line_items/X/Y/Z", saying: "orders/{orderId}/line_items/{lineItemId}"),
        Mistake("payments", "--filter", "createdtime>2026-01-01", saying: "createdtime", "createdTime"),
        Mistake("orders", "--sort", "totl", saying: "totl", "total"),
        Mistake("orders", "--filter", "total", saying: "total"),
        Mistake("orders", "--filter", ">5", saying: ">5"),
        Mistake("orders", "--filter", "total>", saying: "total>"),
        Mistake("orders", "--filter", "", saying: "filter"),
        Mistake("orders", "--filter", "id in ('A'", saying: "id in ('A'"),
        Mistake("orders", "--filter", "id in ()", saying: "id in ()"),
        Mistake("orders", "--filter", "createdTime>=someday", saying: "someday", "tomorrow", "-8w"),
        Mistake("orders", "--filter", "createdTime>=2023-13-01", saying: "2023-13-01"),
        Mistake("orders", "--filter", "createdTime>=2023-02-30", saying: "2023-02-30"),
        Mistake("orders", "--filter", "createdTime>=2023-01-01T25:00:00Z", saying: "2023-01-01T25:00:00Z"),
        Mistake("orders", "--filter", "createdTime>=-7x", saying: "-7x"),
        Mistake("orders", "--sort", "total:up", saying: "total:up"),
        Mistake("orders", "--sort", "", saying: "sort"),
        Mistake("orders", "--limit", "0", saying: "limit"),
        Mistake("orders", "--limit=-5", saying: "limit"),
        Mistake("orders", "--limit", "ten", saying: "limit"),
        Mistake("orders", "--limit", "99999999999999999999", saying: "limit"),
        Mistake("orders", "--limit", "5", "--all", saying: "--limit", "--all"),
        Mistake("orders", "--offset=-1", saying: "offset"),
        Mistake("orders", "--offset", "x", saying: "offset"),
        Mistake("orders", "--param", "novalue", saying: "novalue"),
        Mistake("orders", "--param", "=x", saying: "=x"),
        Mistake("orders", "--max-time", "soon", saying: "soon"),
        Mistake("orders", "--max-time", "0", saying: "0"),
        Mistake("orders", "--retry=-1", saying: "retry"),
        Mistake("orders", "--jq", ".", "--from-file", "x", saying: "--jq", "--from-file"),
        Mistake("orders", "--merchant", "../../etc", saying: "../../etc"),
        Mistake("orders", "--environment", "mars", saying: "mars", "sandbox"),
        Mistake("orders", "--environment", "ftp://127.0.0.1", saying: "ftp://127.0.0.1"),
        Mistake("orders", "--environment", "http://clover.example", saying: "http://clover.example", "https"),
        Mistake("orders", "--environment", "http://127.0.0.1.clover.example", saying: "https"),
        Mistake("orders", "--environment", "http://10.0.0.1", saying: "https"),
        Mistake("merchant", "--limit", "5", saying: "--limit"),
        Mistake("orders", "--nonsense", saying: "--nonsense"),
        Mistake(saying: "path"),
    ]

    @Test("a mistake ends with 64 and says what is wrong", arguments: mistakes)
    func isRefused(_ mistake: Mistake) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let result = try await sandbox.clover(["get"] + mistake.arguments)
            #expect(result.ending == .exited(64), "\(result)")
            #expect(result.output == [])
            for part in mistake.parts { #expect(result.errorText.contains(part), "no '\(part)' in: \(result)") }
            // Clover is asked which filters it has; nothing else is sent.
            #expect(server.requests.allSatisfy { $0.query == ["limit=1"] })
        }
    }

    @Test("an invalid name is reported before a sign-in is required, with a similar verb if there is one")
    func beforeSignIn() async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            expectFailure(
                try await sandbox.clover("export", "stats"), status: 64,
                saying: "unknown path 'stats'", "did you mean: clover export status")
            expectFailure(
                try await sandbox.clover("export", "ordrs", "--to", sandbox.directory["out"]), status: 64,
                saying: "did you mean: orders")
            expectFailure(try await sandbox.clover("get", "ordrs"), status: 64, saying: "did you mean: orders")
            for arguments in [["get", "orders"], ["export", "orders"]] {
                expectFailure(
                    try await sandbox.clover(arguments), status: 77, saying: "not signed in", "run: clover auth login")
            }
        }
    }

    @Test(
        "a variable with an invalid value is reported by the command that needs it",
        arguments: [("CLOVER_ENVIRONMENT", "mars"), ("CLOVER_MERCHANT", "a b"), ("CLOVER_MERCHANT_ID", "a b")])
    func wrongVariable(_ name: String, _ value: String) async throws {
        try await Sandbox.run { sandbox in
            let clean = sandbox.without("CLOVER_ENVIRONMENT", "CLOVER_MERCHANT_ID")
            for token in [true, false] {
                let sandbox = (token ? clean : clean.without("CLOVER_ACCESS_TOKEN")).with([name: value])
                for arguments in [
                    ["get", "orders"], ["limits"], ["auth", "status"], ["auth", "login", "--app-id", "A"],
                ] {
                    expectFailure(
                        try await sandbox.clover(arguments), status: 64, saying: "\(name) takes ", "not '\(value)'")
                }
            }
        }
    }

    @Test(
        "a mistyped zone gets the nearest name",
        arguments: [
            ("Europe/Berln", "Europe/Berlin"), ("america/newyork", "America/New_York"), ("Chicgo", "America/Chicago"),
            ("merchnt", "merchant"),
        ])
    func nearZone(_ typed: String, _ meant: String) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("get", "orders", "--format", "table", "--zone", typed), status: 64,
                saying: "unknown time zone '\(typed)'", "did you mean: \(meant)\n")
            expectFailure(
                try await sandbox.clover("config", "set", "zone", typed), status: 64, saying: "did you mean: \(meant)\n"
            )
        }
    }

    @Test("unknown names offer the nearest ones as a hint below the message")
    func nearestNames() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--expand", "lineitems")
            let lines = result.errorText.split(separator: "\n").map(String.init)
            #expect(lines.first?.hasPrefix("clover: ") == true)
            #expect(lines.count >= 2)
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") }, "hints are indented: \(result)")
            #expect(lines.dropFirst().contains { $0.contains("lineItems") })
        }
    }

    @Test(
        "what only the whole program answers is answered wherever it stands",
        arguments: [
            ["get", "--version"], ["get", "orders", "--version"], ["auth", "status", "--version"],
            ["emulator", "serve", "--version"], ["charge", "square", "errors", "--version"],
        ])
    func version(_ arguments: [String]) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(arguments)
            expectSuccess(result)
            #expect(result.lines == (try await sandbox.clover("--version")).lines)
        }
    }

    @Test("help of a command names the program, whatever it follows")
    func help() async throws {
        try await Sandbox.run { sandbox in
            let page = try await sandbox.clover("help", "get")
            #expect(page.outputText.contains("USAGE: clover get "))
            for arguments in [["get", "--help"], ["get", "-h"], ["get", "orders", "--limit", "5", "--help"]] {
                #expect(try await sandbox.clover(arguments).outputText == page.outputText, "\(arguments)")
            }
        }
    }

    @Test("what stands behind -- is no option, also of a named command")
    func terminator() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", "--no-check", "--", "orders"))
            _ = try await sandbox.clover("get", "orders", "--", "--all")
            #expect(server.requests.map(\.path).last == "/v3/merchants/\(Sandbox.merchantID)/orders/--all")
        }
    }

    @Test("--no-check sends names that the catalogue does not know")
    func unchecked() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, server in
            let result = try await sandbox.clover(
                "get", "orders", "--no-check", "--expand", "newThing", "--filter", "newField=1", "--sort", "newOrder")
            expectSuccess(result)
            #expect(result.lines == Record.orders(1))
            let request = try #require(server.requests.first)
            #expect(request.values(of: "expand") == ["newThing"])
            #expect(request.values(of: "filter") == ["newField%3D1"])
            #expect(request.values(of: "orderBy").first?.hasPrefix("newOrder") == true)
            expectSuccess(try await sandbox.clover("get", "new_things", "--no-check"))
            #expect(server.requests.last?.path == "/v3/merchants/\(Sandbox.merchantID)/new_things")
        }
    }

    @Test("a window of time that the service may have ignored leaves the delivered records unproved")
    func ignoredWindow() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                headers: ["Content-Type: application/json", "X-Clover-Allowed-Filter-Fields: id"],
                body: Array(#"{"elements":[]}"#.utf8))
        }) { sandbox, _ in
            let result = try await sandbox.clover("get", "payments", "--limit", "5")
            expectFailure(
                result, status: 79, saying: "does not say that it filters payments by createdTime", "--no-check")
        }
    }

    @Test("a filter field that the service omits from its allowed ones leaves the delivered records unproved")
    func serviceIgnoresFilter() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                headers: ["Content-Type: application/json", "X-Clover-Allowed-Filter-Fields: id, createdTime"],
                body: #"{"elements":[{"id":"A"}]}"#.utf8)
        }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--filter", "total>5")
            #expect(result.status == 79, "\(result)")
            #expect(result.lines == [#"{"id":"A"}"#])
            #expect(result.errorText.contains("total"))
            let sent = try await sandbox.clover("get", "orders", "--no-check", "--filter", "total>5")
            expectSuccess(sent)
            #expect(sent.lines == [#"{"id":"A"}"#])
        }
    }

    @Test("an unknown command ends with 64", arguments: ["gett", "charge", "--verbose-all"])
    func unknownCommand(_ word: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(word)
            #expect(result.ending == .exited(64), "\(result)")
            #expect(result.errorText.contains(word))
            #expect(result.output == [])
        }
    }
}
