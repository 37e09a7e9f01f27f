import CloverTestSupport
import Dispatch
import Foundation
import Testing

/// A shop with many merchants, all of whom can be signed in.
enum ManyMerchants {
    /// - Parameter options: of the emulator.
    static func world(
        _ count: Int, _ options: [String],
        _ body: (Sandbox, SignInService, [String], EmulatorProcess) async throws -> Void
    ) async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(
                ["--orders", "20", "--auto-approve", "--merchants", "\(count)"] + options)
            let service = SignInService(emulator)
            try await body(
                sandbox.with(["CLOVER_ENVIRONMENT": service.url, "CLOVER_APP_ID": service.appID]), service,
                [service.merchantID] + emulator.otherMerchantIDs, emulator)
        }
    }

    /// Lines with a code for each merchant.
    static func codes(_ service: SignInService, _ merchants: [String]) async throws -> [String] {
        var lines: [String] = []
        for merchant in merchants {
            let redirect = try #require(
                try await Visitor.redirect(
                    of: "\(service.url)/oauth/v2/authorize?client_id=\(service.appID)"
                        + "&redirect_uri=http://127.0.0.1:1/callback&merchant_id=\(merchant)"))
            let code = try #require(redirect.firstMatch(of: /code=([^&]+)/)?.output.1)
            lines.append(#"{"merchant":"\#(merchant)","code":"\#(code)"}"#)
        }
        return lines
    }
}

/// Many merchants in one run, within the limits of each token and of the app.
@Suite("proofs: many merchants")
struct ManyMerchantsProofs {
    @Test("one export of many merchants has the shop's records of each, within all limits")
    func export() async throws {
        let count = Scale.pick(12, full: 200)
        try await ManyMerchants.world(count, []) { sandbox, service, merchants, emulator in
            let secret = try sandbox.directory.write("secret", service.appSecret.utf8)
            let lines = try await ManyMerchants.codes(service, merchants).joined(separator: "\n")
            expectSuccess(
                try await sandbox.clover(
                    arguments: ["auth", "import", "--app-secret-file", secret], input: .text(lines)))
            let folder = sandbox.exports("out")
            let before = try await emulator.stats()
            let result = try await sandbox.clover(
                "export", "orders", "payments", "--profiles", "all", "--to", folder.path, "--summary")
            expectSuccess(result)
            let stats = try await emulator.stats()
            #expect(stats.rejectedInAll == 0)
            let orders = try await emulator.truth("orders").count
            for merchant in merchants {
                let directory = "\(folder.path)/\(merchant)/orders"
                let names = try FileManager.default.contentsOfDirectory(atPath: directory)
                let lines = try names.reduce(0) { sum, name in
                    sum
                        + (try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)).split(separator: "\n")
                        .count
                }
                #expect(lines == orders, "\(merchant)")
            }
            let shares = try await emulator.stats().apps
            #expect(shares.allSatisfy { $0.peakPerSecond <= 50 && $0.peakInFlight <= 10 }, "\(shares)")
            try Scale.report(
                "One export of orders and payments of many merchants, within the limits",
                count: "\(count) merchants, \(stats.requests - before.requests) requests",
                result: "each has its files; at most \(stats.peakPerSecond) requests in a second, "
                    + "\(stats.rejectedInAll) refused")
        }
    }
}

/// A list of merchants, signed in and read in one run each.
@Suite("auth import, get --profiles: many merchants")
struct ManyMerchantsTests {
    private func world(_ count: Int, _ body: (Sandbox, SignInService, [String]) async throws -> Void) async throws {
        try await ManyMerchants.world(count, ["--no-limits"]) { sandbox, service, merchants, _ in
            try await body(sandbox, service, merchants)
        }
    }

    @Test("each line has its result, one failure leaves the others, and a second import changes nothing")
    func imported() async throws {
        try await world(3) { sandbox, service, merchants in
            #expect(merchants.count == 3)
            let secret = try sandbox.directory.write("secret", service.appSecret.utf8)
            var lines = try await ManyMerchants.codes(service, merchants)
            lines.insert(#"{"merchant":"NOSUCH","refreshToken":"used-up"}"#, at: 1)
            lines.append(#"{"merchant":"M"}"#)
            let words = ["auth", "import", "--app-secret-file", secret]
            let first = try await sandbox.clover(arguments: words, input: .text(lines.joined(separator: "\n")))
            expectFailure(first, status: 82, saying: "NOSUCH", "M", "3 others were signed in", output: nil)
            func statuses(_ result: CommandResult) throws -> [String] {
                try result.outputText.split(separator: "\n").map { try JSONValue(String($0))["status"]?.string ?? "" }
            }
            #expect(try statuses(first) == ["signedIn", "failed", "signedIn", "signedIn", "failed"])
            for secret in ["used-up", service.appSecret] { #expect(!first.description.contains(secret)) }
            let second = try await sandbox.clover(arguments: words, input: .text(lines.joined(separator: "\n")))
            #expect(try statuses(second) == ["kept", "failed", "kept", "kept", "failed"])
            expectFailure(
                second, status: 82, saying: "failed; 3 others were imported before and are kept", output: nil)
            #expect(!second.errorText.contains("warning"), "\(second)")

            let all = try await sandbox.clover(
                "get", "items", "--profiles", "all", "--limit", "2", "--jq", ".merchant.id")
            expectSuccess(all)
            #expect(
                all.outputText.split(separator: "\n").map { String($0).replacing("\"", with: "") }
                    == merchants.sorted().flatMap { [$0, $0] })
            let some = try await sandbox.clover(
                "get", "items", "--profiles", "NOSUCH,\(merchants[2])", "--limit", "1", "--format", "csv", "--fields",
                "name")
            expectFailure(some, status: 82, saying: "NOSUCH failed; 1 other was read", output: nil)
            let file = sandbox.directory["names.csv"]
            let partly = try await sandbox.clover(
                "get", "items", "--profiles", "NOSUCH,\(merchants[2])", "--limit", "1", "-o", file)
            expectFailure(partly, status: 82, saying: "'\(file)' was not written")
            #expect(some.outputText.hasPrefix("merchant.id,name") && some.outputText.contains("\n\(merchants[2]),"))
        }
    }

    /// A service that issues tokens for any code. It calls `hold` before each response.
    private func server(
        _ hold: @escaping @Sendable (LoopbackRequest) -> Void,
        _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        try await Sandbox.run(server: { request, number in
            hold(request)
            guard request.path.hasPrefix("/oauth/v2/") else { return LoopbackResponse(#"{"id":"A"}"#) }
            return LoopbackResponse(
                """
                {"access_token":"a-\(number)","access_token_expiration":4000000000,"refresh_token":"r-\(number)",\
                "refresh_token_expiration":4100000000}
                """)
        }) { connected, server in
            let sandbox = connected.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
            try await body(sandbox.with(["CLOVER_APP_ID": "APP"]), server)
        }
    }

    private static func list(_ merchants: String...) -> CommandRunner.Input {
        .text(merchants.map { #"{"merchant":"\#($0)","code":"code-\#($0)"}"# + "\n" }.joined())
    }

    @Test("merchants are signed in several at a time, and the results are in the order of the list")
    func overlapped() async throws {
        let release = DispatchSemaphore(value: 0)
        try await server({ request in
            // The first merchant's tokens come once the second one has used its own.
            if request.bodyText.contains("code-M1") { _ = release.wait(timeout: .now() + .seconds(60)) }
            if request.path == "/v3/merchants/M2" { release.signal() }
        }) { sandbox, server in
            let result = try await sandbox.clover("auth", "import", input: Self.list("M1", "M2"))
            expectSuccess(result)
            #expect(
                try JSONValue.lines(result.lines).map { $0["merchant"]?.string } == ["M1", "M2"], "\(result)")
            // One after the other, the first merchant would be read before the second one's code is sent.
            #expect(
                server.requests.filter { $0.method == "GET" }.map(\.path) == ["/v3/merchants/M2", "/v3/merchants/M1"])
        }
    }

    @Test("a second line of a merchant is imported after the first, and is the one that counts")
    func sameMerchant() async throws {
        try await server({ _ in }) { sandbox, server in
            let lines = ["old", "new"].map { #"{"merchant":"M1","code":"code-\#($0)"}"# + "\n" }.joined()
            let result = try await sandbox.clover("auth", "import", input: .text(lines))
            expectSuccess(result)
            let codes = server.requests.filter { $0.method == "POST" }.map { $0.bodyText.contains("code-new") }
            #expect(codes == [false, true])
            let again = try await sandbox.clover(
                "auth", "import", input: .text(#"{"merchant":"M1","code":"code-new"}"#))
            #expect(try JSONValue.lines(again.lines).map { $0["status"]?.string } == ["kept"], "\(again)")
        }
    }

    @Test("Ctrl-C waits for the merchant whose code was sent, stores its tokens, and begins no other")
    func interrupted() async throws {
        let release = DispatchSemaphore(value: 0)
        try await server({ request in
            if request.bodyText.contains("code-M1") { release.wait() }
        }) { sandbox, server in
            // The second line waits for the first, which is about the same merchant.
            let command = try sandbox.start(["auth", "import"], input: Self.list("M1", "M1"))
            try await server.waitForRequests(1)
            command.send(SIGINT)
            try await command.waitForErrors(containing: "waiting for the sign-in of M1 before stopping")
            release.signal()
            let result = try await command.result()
            #expect(result.ending == .signalled(SIGINT), "\(result)")
            #expect(try JSONValue.lines(result.lines).map { $0["status"]?.string } == ["signedIn"], "\(result)")
            #expect(sandbox.credentialFiles().count == 1)
            #expect(server.requests.count { $0.method == "POST" } == 1)
        }
    }

    @Test("a sign-in that is kept, and whose refresh token has expired, is named with what to do")
    func expired() async throws {
        try await world(2) { sandbox, service, merchants in
            let secret = try sandbox.directory.write("secret", service.appSecret.utf8)
            let lines = try await ManyMerchants.codes(service, merchants).joined(separator: "\n")
            let words = ["auth", "import", "--app-secret-file", secret]
            expectSuccess(try await sandbox.clover(arguments: words, input: .text(lines)))
            for name in sandbox.credentialFiles() {
                let text = String(decoding: try sandbox.directory.read(name), as: UTF8.self)
                guard try JSONValue(text)["merchantId"]?.string == merchants[0] else { continue }
                let ended = text.replacing(
                    /"refreshTokenExpires"\s*:\s*[0-9]+/, with: #""refreshTokenExpires":1000000000"#)
                try #require(ended != text)
                try sandbox.directory.write(name, ended.utf8)
            }
            let again = try await sandbox.clover(arguments: words, input: .text(lines))
            #expect(again.status == 0, "\(again)")
            #expect(again.errorText.contains("the sign-in of \(merchants[0]) is kept: works until "), "\(again)")
            #expect(again.errorText.contains("clover auth login --profile \(merchants[0])"), "\(again)")
            #expect(!again.errorText.contains(merchants[1]), "\(again)")
            let failed = try await sandbox.clover(
                arguments: words, input: .text(lines + "\n" + #"{"merchant":"M"}"#))
            expectFailure(
                failed, status: 82, saying: "M failed; 2 others were imported before and are kept", output: nil)
        }
    }

    @Test("20 merchants are signed in by their refresh tokens, and read, in one run each")
    func manyMerchants() async throws {
        try await world(20) { sandbox, service, merchants in
            let secret = try sandbox.directory.write("secret", service.appSecret.utf8)
            let lines = try await ManyMerchants.codes(service, merchants)
            let words = ["auth", "import", "--app-secret-file", secret]
            expectSuccess(
                try await sandbox.withState("other").clover(
                    arguments: words, input: .text(lines.joined(separator: "\n"))))
            var tokens: [String] = []
            for name in sandbox.withState("other").credentialFiles() {
                let credential = try JSONValue(String(decoding: try sandbox.directory.read(name), as: UTF8.self))
                let (merchant, token) = (credential["merchantId"]?.string, credential["refreshToken"]?.string)
                tokens.append(#"{"merchant":"\#(merchant ?? "")","refreshToken":"\#(token ?? "")"}"#)
            }
            #expect(tokens.count == 20)
            expectSuccess(
                try await sandbox.clover(arguments: words, input: .text(tokens.joined(separator: "\n"))))
            let read = try await sandbox.clover(
                "get", "merchant", "--profiles", "all", "--no-pacing", "--jq", ".merchant.id")
            expectSuccess(read)
            #expect(Set(read.outputText.split(separator: "\n")).count == 20)
        }
    }
}
