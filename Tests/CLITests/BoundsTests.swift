import CloverTestSupport
import Glibc
import Testing

/// What just exceeds a bound of docs/bounds.md, and what just does not. Its table names the tests of the other bounds.
@Suite("bounds: inputs from outside")
struct BoundsTests {
    /// A JSON object of exactly this many bytes, by white space before its last brace.
    private static func padded(_ object: String, to size: Int) -> [UInt8] {
        var bytes = Array(object.utf8)
        let room = size - bytes.count
        bytes.removeLast()
        bytes.append(contentsOf: [UInt8](repeating: UInt8(ascii: " "), count: room))
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// A whole response with such a body.
    private static func answer(_ object: String, of size: Int, status: String = "200 OK") -> LoopbackResponse {
        LoopbackResponse(status: status, body: padded(object, to: size))
    }

    // MARK: Responses

    @Test("the entries of a nested list are read up to 64 MB; a longer list is named, and stays as it was sent")
    func nestedList() async throws {
        let sent = (0..<100).map { #"{"id":"L\#($0)"}"# }.joined(separator: ",")
        let order = #"{"id":"O1","lineItems":{"elements":[\#(sent)]}}"#
        var page = Array(#"{"elements":["#.utf8)
        page.append(contentsOf: Self.padded(#"{"id":"L0"}"#, to: 33 << 20))
        page.append(UInt8(ascii: ","))
        page.append(contentsOf: Self.padded(#"{"id":"L1"}"#, to: 33 << 20))
        page.append(contentsOf: Array("]}".utf8))
        let entries = LoopbackResponse(body: page)
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/line_items") ? entries : .page([order])
        }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--expand", "lineItems", "--limit", "1")
            expectFailure(
                result, status: 79, saying: "lineItems of O1 (is larger than the limit for a record)",
                output: order + "\n")
        }
    }

    @Test("a write whose response is longer than 64 MB was carried out, and is not sent again")
    func write() async throws {
        let long = Self.answer(#"{"id":"A"}"#, of: (64 << 20) + 1)
        try await Sandbox.run(server: { _, _ in long }) { sandbox, server in
            let result = try await sandbox.clover("post", "items", "-F", "name=x")
            expectFailure(
                result, status: 76, saying: "the service carried it out (200)", "cut off after 67108864 bytes",
                "do not send it again")
            #expect(server.requests.count == 1)
        }
    }

    @Test("16 KB of a refusal are read, and the rest is not waited for")
    func refusal() async throws {
        let object = #"{"message":"too bad"}"#
        let whole = Self.answer(object, of: 16 << 10, status: "400 Bad Request")
        let endless = LoopbackResponse(
            status: "400 Bad Request", body: Self.padded(object, to: (16 << 10) + 1), declaredLength: 1 << 30,
            ending: .hold)
        try await Sandbox.run(server: { _, number in number == 1 ? whole : endless }) { sandbox, server in
            expectFailure(
                try await sandbox.clover("get", "orders"), status: 64, saying: "(the service says: too bad)")
            // What is cut off is no JSON, and is shown as it is.
            expectFailure(
                try await sandbox.clover("get", "orders"), status: 64, saying: #"(the service says: {"message":"too"#)
            #expect(server.requests.count == 2)
        }
    }

    @Test("a response of the Export API is read up to 1 MB", arguments: [0, 1])
    func exportAPI(excess: Int) async throws {
        let accepted = Self.answer(#"{"id":"E1","status":"PENDING"}"#, of: (1 << 20) + excess)
        try await Sandbox.run(server: { request, _ in
            if request.method == "POST" { return accepted }
            if request.path.hasSuffix("/exports/E1") {
                return LoopbackResponse(status: "403 Forbidden", #"{"message":"403 Forbidden"}"#)
            }
            return .page([#"{"id":"O1","createdTime":1768435200000,"modifiedTime":1768435200000}"#])
        }) { sandbox, server in
            let result = try await sandbox.clover(
                "export", "orders", "--to", "out", "--via", "export-api", "--since", "2026-01-10T00:00Z", "--until",
                "2026-01-20T00:00Z")
            if excess > 0 {
                expectFailure(result, status: 76, saying: "/exports does not describe an export")
            } else {
                // It was read: the export is asked about.
                expectFailure(result, status: 77, saying: "/exports/E1")
            }
            #expect(server.requests.filter { $0.method == "POST" }.count == 1)
        }
    }

    @Test("a response about a charge is read up to 4 MB; after a longer one its outcome stays open", arguments: [0, 1])
    func charge(excess: Int) async throws {
        let object = #"{"id":"CH1","amount":1250,"currency":"usd","status":"succeeded","captured":true}"#
        let taken = Self.answer(object, of: (4 << 20) + excess)
        try await Sandbox.run(server: { request, _ in
            request.method == "POST" ? taken : LoopbackResponse(#"{"has_more":false,"data":[]}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN")
            if excess > 0 {
                expectFailure(
                    result, status: 80, saying: "outcome unknown: the response (200) cannot be understood",
                    output: nil)
            } else {
                expectSuccess(result)
            }
        }
    }

    private static let device =
        #"{"id":"DEVFLEX","name":"Counter","model":"Clover_C406","serial":"C046LT001","productName":"Flex"}"#

    /// The merchant's only device, with responses of these sizes.
    private static func cloud(page: Int = 1000, ping: Int = 100, status: Int = 100) -> LoopbackServer.Answering {
        let devices = answer(#"{"elements":[\#(device)]}"#, of: page)
        let connected = answer(#"{"connected":true}"#, of: ping)
        let busy = answer(#"{"state":"BUSY"}"#, of: status)
        return { request, _ in
            if request.path.hasSuffix("/devices") { return devices }
            return request.path.hasSuffix("/ping") ? connected : busy
        }
    }

    private static let scan = ["reader", "scan", "--json", "--transport", "cloud", "--timeout", "0"]

    @Test("a page of devices is read with up to 4 MB without a record, and a device's response up to 64 KB")
    func devices() async throws {
        try await Sandbox.run(server: Self.cloud(page: 4 << 20, ping: 64 << 10)) { sandbox, _ in
            let result = try await sandbox.clover(Self.scan)
            expectSuccess(result)
            #expect(result.lines.count == 1)
        }
    }

    @Test("a longer page of devices is refused")
    func longPageOfDevices() async throws {
        try await Sandbox.run(server: Self.cloud(page: 5 << 20)) { sandbox, _ in
            let result = try await sandbox.clover(Self.scan)
            #expect(result.ending == .exited(76), "\(result)")
            #expect(result.errorText.contains("the response is not a page of records"), "\(result)")
        }
    }

    @Test("a device whose response is longer counts as one that does not respond")
    func longPing() async throws {
        try await Sandbox.run(server: Self.cloud(ping: (64 << 10) + 1)) { sandbox, _ in
            let scan = try await sandbox.clover("reader", "scan", "--transport", "cloud", "--timeout", "0")
            expectFailure(scan, status: 66, saying: "no device of the merchant responds")
            let connect = try await sandbox.clover("reader", "connect", "DEVFLEX", "--transport", "cloud")
            expectFailure(connect, status: 69, saying: "reader DEVFLEX does not respond")
        }
    }

    @Test("a busy device is busy by a state of up to 64 KB; a longer one does not make it free", arguments: [0, 1])
    func longState(excess: Int) async throws {
        try await Sandbox.run(server: Self.cloud(status: (64 << 10) + excess)) { sandbox, _ in
            let result = try await sandbox.clover("reader", "connect", "DEVFLEX", "--transport", "cloud", "--json")
            #expect(result.ending == .exited(excess > 0 ? 76 : 69), "\(result)")
            let words = excess > 0 ? "larger than 65536 bytes" : "busy with another request"
            #expect(result.errorText.contains(words), "\(result)")
        }
    }

    @Test("the merchant's settings are read up to 1 MB; longer ones are unknown", arguments: [0, 1])
    func settings(excess: Int) async throws {
        let settings = Self.answer(#"{"timezone":"America/New_York"}"#, of: (1 << 20) + excess)
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties")
                ? settings : .page([#"{"id":"O1","createdTime":1768435200000}"#])
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "get", "orders", "--limit", "1", "--format", "csv", "--zone", "merchant", "--fields", "id,createdTime")
            if excess > 0 {
                expectFailure(result, status: 65, saying: "the merchant's time zone is not known")
            } else {
                expectSuccess(result)
                #expect(result.outputText == "id,createdTime\r\nO1,2026-01-14T19:00:00.000-05:00\r\n")
            }
        }
    }

    // MARK: Sign-in

    /// An address as a browser shows it after the sign-in, of exactly this many bytes.
    private static func address(of size: Int) -> String {
        let start = "https://cafe.example/?code=C1&client_id=APP&merchant_id=M1&more="
        return start + String(repeating: "z", count: size - start.utf8.count)
    }

    /// Hands in such an address.
    private static func receive(_ address: String, _ sandbox: Sandbox, _ url: String) async throws -> CommandResult {
        let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
        return try await sandbox.signedOut.clover(
            "auth", "receive", "--environment", url, "--app-id", "APP", "--code-verifier-file", verifier,
            input: .text(address + "\n"))
    }

    @Test(
        "a pasted address of 16 KB and a response with tokens of 64 KB are taken; a longer response is not",
        arguments: [0, 1])
    func tokens(excess: Int) async throws {
        let object =
            #"{"access_token":"ACCESS-1","access_token_expiration":1900000000,"#
            + #""refresh_token":"REFRESH-1","refresh_token_expiration":1910000000}"#
        let issued = Self.answer(object, of: (64 << 10) + excess)
        try await Sandbox.run(server: { _, _ in issued }) { sandbox, server in
            let result = try await Self.receive(Self.address(of: 16 << 10), sandbox, server.url)
            if excess > 0 {
                expectFailure(result, status: 76, saying: "the service's response contains no tokens")
                #expect(sandbox.directory.files(below: "state/credentials").allSatisfy { !$0.hasSuffix(".json") })
            } else {
                expectSignedIn(result)
            }
        }
    }

    @Test("a longer address is none, and a line of more than 64 KB is not read")
    func longAddress() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            expectFailure(
                try await Self.receive(Self.address(of: (16 << 10) + 1), sandbox, server.url), status: 64,
                saying: "this is not the address that a browser shows after signing in")
            expectFailure(
                try await Self.receive(Self.address(of: (64 << 10) + 1), sandbox, server.url), status: 74,
                saying: "cannot read standard input: File too large")
            #expect(server.requests.isEmpty)
        }
    }

    struct Line: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        /// The longest line that is read, in bytes.
        let limit: Int
    }

    @Test(
        "a line of standard input that is too long is refused rather than cut",
        arguments: [
            Line(
                testDescription: "a token",
                arguments: ["auth", "login", "--with-token", "--merchant", "M1", "--environment", "sandbox"],
                limit: 64 << 10),
            Line(
                testDescription: "a card",
                arguments: ["charge", "--amount", "1.00", "--currency", "USD", "--card", "-"],
                limit: 16 << 10),
        ])
    func standardInput(_ row: Line) async throws {
        try await Sandbox.run { sandbox in
            let text = String(repeating: "4", count: row.limit + 1)
            let result = try await sandbox.using("http://127.0.0.1:1").clover(
                arguments: row.arguments, input: .text(text + "\n"))
            expectFailure(result, status: 74, saying: "cannot read standard input: File too large")
            #expect(!result.errorText.contains("44444"))
        }
    }

    // MARK: Files

    @Test("the configuration file is read up to 256 KB; a longer one is refused, and kept")
    func configuration() async throws {
        let text = "retry: 3\n#"
        let whole = text + String(repeating: "x", count: (256 << 10) - text.utf8.count)
        try await Sandbox.run { sandbox in
            try sandbox.configured(whole)
            let read = try await sandbox.clover("config", "get", "retry")
            expectSuccess(read)
            #expect(read.outputText == "3\n")
            try sandbox.configured(whole + "x")
            for arguments in [["config", "list"], ["config", "set", "retry", "4"], ["get", "orders"]] {
                expectFailure(
                    try await sandbox.clover(arguments), status: 78, saying: "config/config.yml",
                    "it is larger than 262144 bytes")
            }
            #expect(try sandbox.configuration() == whole + "x")
        }
    }

    @Test("credentials, profiles and the choice of a merchant are read up to 64 KB; a longer file is refused, and kept")
    func credentials() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.signedOut
            let login = try await sandbox.clover(
                "auth", "login", "--with-token", "--merchant", Sandbox.merchantID, "--environment", server.url,
                "--profile", "downtown", input: .text(Sandbox.token + "\n"))
            expectSignedIn(login)
            let credential = try sandbox.credentialFile()
            let files: [(String, [String])] = [
                (credential, []), ("state/profiles.json", ["--profile", "downtown"]), ("state/current.json", []),
            ]
            for (file, options) in files {
                let bytes = try sandbox.directory.read(file)
                let whole = bytes + [UInt8](repeating: UInt8(ascii: " "), count: (64 << 10) - bytes.count)
                try sandbox.directory.write(file, whole)
                expectSuccess(try await sandbox.clover(["get", "orders"] + options))
                let long = whole + [UInt8(ascii: " ")]
                try sandbox.directory.write(file, long)
                expectFailure(
                    try await sandbox.clover(["get", "orders"] + options), status: 78, saying: file,
                    "it is larger than 65536 bytes")
                #expect(try sandbox.directory.read(file) == long)
                try sandbox.directory.write(file, bytes)
            }
            // One for each file that was not too long.
            #expect(server.requests.count == files.count)
        }
    }

    @Test("what follows a ledger's 4 KB is neither read nor damage")
    func ledger() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("get", "orders"))
            let file = try sandbox.ledgerFile()
            let bytes = try sandbox.directory.read(file)
            #expect(bytes.count <= 4096)
            try sandbox.directory.write(file, bytes + [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20))
            expectSuccess(try await sandbox.clover("get", "orders"))
            #expect(try sandbox.directory.read(file).count > 1 << 20)
        }
    }

    @Test("a body, a field, a program or a state from a file is read up to 16 MB")
    func files() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let whole = try sandbox.directory.write("whole", Self.padded(#"{"name":"a"}"#, to: 16 << 20))
            expectSuccess(try await sandbox.clover("post", "items", "--input", whole))
            #expect(server.requests.map(\.body.count) == [16 << 20])
            let long = try sandbox.directory.write("long", Self.padded(#"{"name":"a"}"#, to: (16 << 20) + 1))
            for arguments in [
                ["post", "items", "--input", long], ["post", "items", "-F", "name=@\(long)"],
                ["get", "orders", "--from-file", long], ["export", "orders", "--singer", "--state", long],
            ] {
                expectFailure(
                    try await sandbox.clover(arguments), status: 74, saying: "cannot read \(long): File too large")
            }
            let piped = try await sandbox.clover("post", "items", "--input", "-", input: .file(long))
            expectFailure(piped, status: 74, saying: "cannot read standard input: File too large")
            #expect(server.requests.count == 1)
        }
    }

    @Test("a manifest is read up to 256 MB; a larger one is refused")
    func manifest() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("export", "orders", "--to", "out"))
            // Without blocks on the disk, behind the line that the export wrote.
            try #require(truncate(sandbox.directory["out/manifest.ndjson"], (256 << 20) + 1) == 0)
            expectFailure(
                try await sandbox.clover("export", "verify", "out"), status: 74,
                saying: "manifest.ndjson: File too large")
        }
    }
}
