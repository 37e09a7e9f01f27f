import Foundation
import Testing

@Suite("The page, the request log, and tokens of merchants")
@BlockingActor
struct LivePageServerTests {
    nonisolated private static let paths = ["/", "/emulator/live", "/emulator/page.js"]

    @Test("The page shows requests, refusals and limits, and no secret")
    func page() throws {
        let emulator = try EmulatorProcess("--orders", "20", "--requests-per-second", "2")
        let empty = try emulator.request("GET", "/")
        #expect(empty.status == 200)
        #expect(empty.headers["content-type"] == "text/html; charset=utf-8")
        #expect(empty.headers["content-security-policy"]?.contains("script-src 'self'") == true)
        #expect(empty.text.contains("No requests yet."))
        // Until one is refused, however slow this machine is.
        let isRefused = try EmulatorProcess.eventually { try emulator.get("orders").status == 429 }
        #expect(isRefused)
        #expect(try emulator.request("GET", "/v3/merchants/%3Cb%3E&<i>/orders").status == 401)
        let text = try Self.paths.map { try emulator.request("GET", $0).text }.joined()
        for part in [
            emulator.merchant, "GET /v3/merchants/\(emulator.merchant)/orders", "429</span> tokenRate", ">401</span>",
            " of 2</span>", "clover auth login --environment http://localhost --app-id \(emulator.appID)",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("<i>") && text.contains("&amp;&lt;i&gt;"))
        for secret in [emulator.token, try #require(emulator.ready["appSecret"]?.text)] + emulator.otherTokens {
            #expect(!text.contains(secret))
        }
    }

    @Test("The page needs no token, is not counted, and cannot be changed", arguments: paths)
    func access(_ path: String) throws {
        let emulator = try EmulatorProcess("--orders", "1")
        #expect(try emulator.request("GET", path).status == 200)
        #expect(try emulator.request("POST", path).status == 405)
        #expect(try emulator.statistics()["requests"]?.integer == 0)
    }

    @Test("Requests are listed with the status of their response")
    func statuses() throws {
        let emulator = try EmulatorProcess("--orders", "1", "--fault", "500@2")
        for status in [200, 500, 200] { #expect(try emulator.get("orders").status == status) }
        let requests = try Node(emulator.request("GET", "/emulator/requests").body)
        #expect(requests.elements.map { $0["status"]?.integer } == [200, 500, 200])
    }

    @Test("Every merchant has a token, with which it sees only itself")
    func merchants() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--merchants", "6")
        let others = Node.list(emulator.ready["otherMerchants"])
        let ids = others.compactMap { $0["merchantId"]?.text }
        let tokens = others.compactMap { $0["accessToken"]?.text }
        #expect(ids == emulator.ready["otherMerchantIds"]?.value as? [String] && ids.count == 5)
        #expect(Set(tokens + [emulator.token] + emulator.otherTokens).count == 10)
        for (id, token) in zip(ids, tokens) {
            let answer = try emulator.request("GET", "/v3/merchants/\(id)", token: token)
            #expect(try Node(answer.body)["id"]?.text == id)
            #expect(try emulator.get("orders", token: token).status == 401)
        }
    }

    @Test("The log has a line for each request, without colours in a file and without tokens")
    func log() throws {
        let process = Process()
        process.executableURL = EmulatorProcess.binary
        process.arguments = ["serve", "--orders", "1", "--log", "--fault", "reset@2"]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let ready = try Node(Array(output.fileHandleForReading.availableData))
        let port = try #require(ready["url"]?.text?.split(separator: ":").last.flatMap { UInt16($0) })
        let token = try #require(ready["accessToken"]?.text)
        let path = "/v3/merchants/\(try #require(ready["merchantId"]?.text))/items"
        for _ in 0..<2 {
            let connection = try LoopbackConnection(port: port)
            try connection.send(path + "?limit=1", token: token)
            _ = try? connection.receive()
        }
        // The line of a connection that was cut may come after the cut has been seen.
        var text = ""
        while text.count(where: { $0 == "\n" }) < 2 {
            let data = errors.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        process.terminate()
        text += String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n")
        try #require(lines.count == 2, "\(text)")
        #expect(lines[0].contains(/^[0-9:]{8}Z 200 +[0-9]+ ms GET \/v3\/merchants\/[A-Z0-9]+\/items$/), "\(text)")
        #expect(lines[1].contains("--- ") && lines[1].hasSuffix("no response"), "\(text)")
        #expect(!text.contains(token) && !text.contains("\u{1B}"))
    }
}
