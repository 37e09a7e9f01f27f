import CloverTestSupport
import Foundation
import Testing

@Suite("api: one raw request, as gh api sends it")
struct RawCallTests {
    private static func echo(_ request: LoopbackRequest) -> LoopbackResponse {
        // The response to a POST has the record's ID.
        let id = request.method == "POST" ? #""id":"W","# : ""
        return LoopbackResponse(
            status: "200 OK", headers: ["Content-Type: application/json", "X-Request-Id: R1", "Set-Cookie: s=SECRET"],
            body: #"{\#(id)"elements":[{"id":"A","pin":"4321"},{"id":"B"}],"href":"x"}"#.utf8)
    }

    private struct Sent: Sendable {
        let words: [String]
        let method: String
        let target: String
        let body: String
    }

    private static let merchant = "/v3/merchants/\(Sandbox.merchantID)"

    private static let requests = [
        Sent(words: ["orders?limit=5"], method: "GET", target: merchant + "/orders?limit=5", body: ""),
        Sent(words: ["/v3/merchants/{mId}/orders"], method: "GET", target: merchant + "/orders", body: ""),
        Sent(
            words: ["orders", "-X", "get", "-f", "filter=total>=5 0", "-F", "limit=1"], method: "GET",
            target: merchant + "/orders?limit=1&filter=total%3E%3D5%200", body: ""),
        Sent(
            words: ["nothing/known", "-f", "name=007", "-F", "price=450", "-F", "hidden=true"], method: "POST",
            target: merchant + "/nothing/known", body: #"{"price":450,"hidden":true,"name":"007"}"#),
        Sent(words: ["/v2/x", "-X", "POST"], method: "POST", target: "/v2/x", body: ""),
        Sent(
            words: ["/v1/charges", "-F", "amount=100"], method: "POST", target: "/v1/charges",
            body: #"{"amount":100}"#),
        Sent(
            words: ["items/A", "-X", "DELETE", "--yes", "-f", "why=x"], method: "DELETE",
            target: merchant + "/items/A?why=x", body: ""),
    ]

    @Test(
        "services that know the merchant by a header only are sent it",
        arguments: [
            (["/recurring/v1/plans"], Sandbox.merchantID),
            (["/invoicingcheckoutservice/v1/checkouts", "-F", "a=1"], Sandbox.merchantID),
            (["/recurring/v1/plans", "-H", "x-clover-merchant-id: OTHER"], "OTHER"), (["orders"], nil),
        ] as [([String], String?)])
    func merchantHeader(words: [String], merchant: String?) async throws {
        try await Sandbox.run(server: { request, _ in Self.echo(request) }) { sandbox, server in
            expectSuccess(try await sandbox.clover(["api"] + words + ["--quiet"]))
            #expect(server.requests.map { $0.header("X-Clover-Merchant-Id") } == [merchant])
        }
    }

    @Test("--paginate and 'get' send the header with the merchant, too")
    func merchantHeaderOfLists() async throws {
        for command in [
            ["api", "/recurring/v1/plans", "--paginate"], ["get", "/recurring/v1/plans", "--all", "--no-check"],
        ] {
            try await Sandbox.run(server: { _, _ in .page([#"{"id":"A"}"#]) }) { sandbox, server in
                expectSuccess(try await sandbox.clover(command))
                let sent = server.requests.filter { $0.path == "/recurring/v1/plans" }
                #expect(!sent.isEmpty && sent.allSatisfy { $0.header("X-Clover-Merchant-Id") == Sandbox.merchantID })
            }
        }
    }

    @Test("the method, the address and the body follow from the words", arguments: requests)
    private func request(_ expected: Sent) async throws {
        try await Sandbox.run(server: { request, _ in Self.echo(request) }) { sandbox, server in
            let result = try await sandbox.clover(["api"] + expected.words + ["-q"])
            expectSuccess(result)
            let sent = try #require(server.requests.first)
            #expect(sent.method == expected.method && sent.target == expected.target, "\(sent)")
            #expect(sent.bodyText == expected.body)
            #expect(sent.header("Authorization") == "Bearer \(Sandbox.token)")
            #expect(server.requests.count == 1)
        }
    }

    @Test("the whole body is one result, with sensitive fields masked, and jq runs on it as a whole")
    func wholeBody() async throws {
        try await Sandbox.run(server: { request, _ in Self.echo(request) }) { sandbox, _ in
            let whole = try await sandbox.clover("api", "employees", "-q")
            #expect(
                whole.outputText == #"{"elements":[{"id":"A","pin":"[masked]"},{"id":"B"}],"href":"x"}"# + "\n",
                "\(whole)")
            let count = try await sandbox.clover("api", "employees", "--jq", ".elements | length")
            #expect(count.outputText == "2\n", "\(count)")
            let written = try await sandbox.clover("api", "employees", "-f", "name=A", "--jq", ".elements | length")
            #expect(written.outputText == "2\n", "\(written)")
            let silent = try await sandbox.clover("api", "employees", "--silent", "-q")
            expectSuccess(silent)
            #expect(silent.output == [])
        }
    }

    @Test("--include prints the status and the header fields first, without secrets")
    func include() async throws {
        try await Sandbox.run(server: { request, _ in Self.echo(request) }) { sandbox, _ in
            for more in [[], ["-f", "a=b"]] {
                let result = try await sandbox.clover(["api", "-i", "orders", "--jq", ".href"] + more)
                let lines = result.outputText.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.first == "HTTP 200" && lines.suffix(3) == ["", "\"x\"", ""], "\(result)")
                #expect(lines.contains("X-Request-Id: R1") && !result.outputText.contains("SECRET"), "\(result)")
            }
        }
    }

    @Test("a refusal is printed as the service wrote it, and ends with the status of the error")
    func refusal() async throws {
        let answer = #"{"message":"Not Found","details":"no such order"}"#
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "404 Not Found", answer) }) { sandbox, _ in
            for more in [[], ["-f", "a=b"]] {
                let result = try await sandbox.clover(["api", "orders/X", "-i"] + more)
                #expect(result.ending == .exited(66), "\(result)")
                #expect(result.outputText.hasPrefix("HTTP 404\n") && result.outputText.hasSuffix("\n\n\(answer)\n"))
                #expect(result.errorText.contains("no such order"), "\(result)")
            }
        }
    }

    @Test("a page of a portal in front of the service does not replace a file")
    func portal() async throws {
        let page = LoopbackResponse(headers: ["Content-Type: text/html"], body: "<html>Sign in</html>".utf8)
        try await Sandbox.run(server: { _, _ in page }) { sandbox, _ in
            try sandbox.directory.write("x.json", "{}".utf8)
            expectFailure(
                try await sandbox.clover("api", "nothing/known", "-o", "x.json"), status: 76, saying: "not JSON",
                output: nil)
            #expect(try await sandbox.shell("cat x.json").outputText == "{}")
        }
    }

    @Test("text that is not JSON is passed through, except to jq")
    func text() async throws {
        let rows = "id,total\nA,5\n"
        let answer = LoopbackResponse(headers: ["Content-Type: text/csv"], body: rows.utf8)
        try await Sandbox.run(server: { _, _ in answer }) { sandbox, _ in
            let result = try await sandbox.clover("api", "/v3/merchants/{mId}/rows.csv")
            expectSuccess(result)
            #expect(result.outputText == rows)
            let file = sandbox.directory["rows.csv"]
            expectSuccess(try await sandbox.clover("api", "/v3/merchants/{mId}/rows.csv", "-o", file))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == rows)
            expectFailure(
                try await sandbox.clover("api", "/v3/merchants/{mId}/rows.csv", "--jq", ".", "--retry", "0"),
                status: 76, saying: "not JSON")
        }
    }

    @Test(
        "the token goes to Clover's hosts only, and over https only",
        arguments: [
            ("https://example.com/v3/merchants/{mId}", "example.com is not a host of us"),
            ("https://api.clover.com.example.com/v3", "is not a host of us"),
            ("https://api.eu.clover.com/v3/merchants", "api.eu.clover.com is not a host of us"),
            ("https://api.clover.com:8443/v3", "is not a host of us"),
            ("https://api.clover.com@example.com/v3", "malformed address"),
            ("http://api.clover.com/v3/merchants/{mId}", "over https only"),
            ("ftp://api.clover.com/v3", "over https only"),
        ])
    func hosts(_ address: String, _ message: String) async throws {
        try await Sandbox.run { sandbox in
            expectFailure(try await sandbox.using("us").clover("api", address), status: 64, saying: message)
        }
    }

    @Test(
        "each service has its own host",
        arguments: [
            ("orders", "https://apisandbox.dev.clover.com/v3/merchants/\(Sandbox.merchantID)/orders"),
            ("/v1/charges?limit=2", "https://scl-sandbox.dev.clover.com/v1/charges?limit=2"),
            ("/v1/tokens", "https://token-sandbox.dev.clover.com/v1/tokens"),
            ("/connect/v1/device/ping", "https://apisandbox.dev.clover.com/connect/v1/device/ping"),
            ("/oauth/v2/token", "https://apisandbox.dev.clover.com/oauth/v2/token"),
            ("https://scl-sandbox.dev.clover.com/v1/refunds", "https://scl-sandbox.dev.clover.com/v1/refunds"),
            (
                "https://apisandbox.dev.clover.com/v3/merchants/{mId}/items?a=%26b",
                "https://apisandbox.dev.clover.com/v3/merchants/\(Sandbox.merchantID)/items?a=%26b"
            ),
        ])
    func addresses(_ path: String, _ url: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.using("sandbox").clover("api", path, "--dry-run")
            expectSuccess(result)
            let preview = try JSONValue(result.outputText)
            #expect(preview["url"]?.string == url)
            let takesToken = !path.hasPrefix("/oauth") && path != "/v1/tokens"
            #expect((preview["headers"]?["Authorization"] != nil) == takesToken, "\(result)")
            let command = try await sandbox.using("sandbox").clover("api", path, "--curl")
            #expect(command.outputText.contains("'\(url)'"), "\(command)")
            #expect(command.outputText.contains("Authorization") == takesToken, "\(command)")
        }
    }

    @Test("a write whose response is lost is sent once, and ends with 80 where money may have moved")
    func lost() async throws {
        let lost = LoopbackResponse(bytes: [], ending: .reset)
        try await Sandbox.run(server: { _, _ in lost }) { sandbox, server in
            let charge = try await sandbox.clover("api", "/v1/charges", "-F", "amount=100")
            expectFailure(charge, status: 80, saying: "outcome unknown", "money may have moved")
            #expect(server.requests.count == 1)
            expectFailure(
                try await sandbox.clover("api", "items", "-f", "name=A"), status: 69, saying: "outcome unknown")
            #expect(server.requests.count == 2)
        }
    }

    @Test("a success that is not JSON proves no charge: the text is printed, and the status is 80")
    func page() async throws {
        let page = LoopbackResponse(headers: ["Content-Type: text/html"], body: "<html>Welcome</html>".utf8)
        try await Sandbox.run(server: { _, _ in page }) { sandbox, server in
            let result = try await sandbox.clover("api", "/v1/charges", "-F", "amount=100")
            #expect(result.ending == .exited(80) && result.outputText.contains("Welcome"), "\(result)")
            #expect(server.requests.count == 1)
        }
    }

    @Test("a read is sent again after a failure that may pass")
    func retry() async throws {
        try await Sandbox.run(server: { request, number in
            number < 2 ? LoopbackResponse(status: "503 Service Unavailable", "{}") : Self.echo(request)
        }) { sandbox, server in
            let result = try await sandbox.clover("api", "orders", "--jq", ".href")
            #expect(result.ending == .exited(0) && result.outputText == "\"x\"\n", "\(result)")
            #expect(server.requests.count > 1)
        }
    }

    @Test("--paginate reads whole lists of V3 and of the Ecommerce API")
    func paginate() async throws {
        try await Sandbox.run(emulator: ["--orders", "250", "--no-limits"], weight: 2) { sandbox, _ in
            let pages = try await sandbox.clover(
                "api", "orders?limit=100", "--paginate", "-c", "--jq", "[.elements[].id] | length, (unique | length)")
            expectSuccess(pages)
            #expect(pages.lines == ["100", "100", "100", "100", "50", "50"])
            let sum = try await sandbox.clover(
                "api", "orders", "--paginate", "--slurp", "--jq", "[.[].elements[].id] | unique | length")
            #expect(sum.lines == ["250"], "\(sum)")
            let object = try await sandbox.clover("api", "merchant", "--paginate", "--jq", ".id")
            expectSuccess(object)
            let none = try await sandbox.clover("api", "orders?filter=total<0", "--paginate")
            #expect(none.outputText == "{\"elements\":[]}\n", "\(none)")
        }
        try await ChargeFixture.run { till in
            for _ in 0..<3 { expectSuccess(try await till.charge("1.00", "-q")) }
            let charges = try await till.sandbox.clover(
                "api", "/v1/charges?limit=2", "--paginate", "--jq", "[.data[].id] | length")
            #expect(charges.ending == .exited(0) && charges.errorText.contains("masked in"), "\(charges)")
            #expect(charges.lines == ["2", "1"])
        }
    }

    @Test(
        "an ecommerce list whose end is not proved does not end with 0",
        arguments: [
            (#"{"message":"busy"}"#, 76, "records after B were not read"),
            (#"{"data":[{"id":"A"},{"id":"B"}],"has_more":true}"#, 79, "records may be missing"),
            (#"{"data":[],"has_more":true}"#, 79, "records may be missing"),
            (#"{"data":[{"name":"x"}],"has_more":true}"#, 79, "records may be missing"),
        ] as [(String, Int32, String)])
    func unprovedEnd(_ second: String, _ status: Int32, _ words: String) async throws {
        try await Sandbox.run(server: { request, _ in
            request.values(of: "starting_after").isEmpty
                ? LoopbackResponse(#"{"data":[{"id":"A"},{"id":"B"}],"has_more":true}"#) : LoopbackResponse(second)
        }) { sandbox, _ in
            let result = try await sandbox.clover("api", "/v1/customers?limit=2", "--paginate")
            expectFailure(result, status: status, saying: words, output: nil)
            #expect(result.lines.first == #"{"data":[{"id":"A"},{"id":"B"}]}"#, "\(result)")
        }
    }

    @Test(
        "options that contradict each other are refused before anything is sent",
        arguments: [
            (["orders", "-X", "PATCH"], "-X takes one of GET, POST, PUT, DELETE"),
            (["orders", "-X", "POST", "--paginate"], "--paginate reads lists"),
            (["orders", "--paginate", "-i"], "--include and --paginate"),
            (["orders", "--silent", "--jq", "."], "--jq and --silent"),
            (["orders", "-X", "GET", "--input", "-"], "has no body"),
            (["orders", "-H", "Authorization: Bearer x"], "Authorization is set by clover itself"),
            (["orders?access_token=x"], "access_token"),
            (["orders", "--input", "-", "-F", "a=@-"], "standard input can be read only once"),
            (["orders/{id}"], "no value for {id}"),
            (["items", "-X", "DELETE"], "this deletes all of items"),
        ])
    func refused(_ words: [String], _ message: String) async throws {
        try await Sandbox.run(server: { request, _ in Self.echo(request) }) { sandbox, server in
            expectFailure(try await sandbox.clover(["api"] + words), status: 64, saying: message)
            #expect(server.requests.isEmpty)
        }
    }
}
