import CloverTestSupport
import Testing

@Suite("charge square listen")
struct SquareListenTests {
    /// A listener that waits, and the address that it printed.
    private func started(_ sandbox: Sandbox, _ options: [String]) async throws -> (RunningCommand, String) {
        let command = try sandbox.start(["charge", "square", "listen", "--port", "0"] + options)
        try await command.waitForErrors(matching: "a whole address") { $0.contains(/\nhttp:[^\n]+\n/) }
        let match = try #require(command.errorsSoFar.firstMatch(of: /\n(http:[^\n]+)\n/))
        return (command, String(match.1))
    }

    private func answer(_ data: [String: String], to address: String) throws -> String {
        try SquareCallback.url(data, to: address)
    }

    @Test("the response with the right state is printed, its browser gets a page, and the command ends")
    func paid() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, ["--state", "table-9", "--check-marker"])
            #expect(address.contains(/^http:\/\/127\.0\.0\.1:[0-9]+\/square$/))
            let url = try answer(SquareCallback.paid, to: address)
            let page = try await Visitor.page(url)
            #expect(page.contains("<h1 id=\"headline\">Paid</h1>") && !page.contains("terminal"), "\(page)")
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            let line = try JSONValue(result.outputText)
            #expect(line["url"]?.string == url && line["transactionId"]?.string == "T-1")
            #expect(line["isSquareResponse"] == .bool(false))
        }
    }

    @Test("what a request of an app made of the listener's address is listened for too")
    func marked() async throws {
        try await Sandbox.run { sandbox in
            for path in ["/square", "/", "/a/b/"] {
                let (command, address) = try await started(
                    sandbox, ["--state", "table-9", "--check-marker", "--path", path])
                let made = try await sandbox.clover(
                    arguments: [
                        "charge", "square", "request", "--no-journal", "--client-id", "a", "--minor", "1",
                        "--currency", "USD", "--state", "table-9", "--callback-url", address,
                    ], input: .nothing)
                let callback = try #require(try JSONValue(made.outputText)["data"]?["callback_url"]?.string)
                #expect(callback.hasSuffix("/square_request"))
                _ = try await Visitor.page(try answer(SquareCallback.paid, to: callback))
                let result = try await command.result()
                #expect(result.ending == .exited(0), "\(result)")
                #expect(try JSONValue(result.outputText)["isSquareResponse"] == .bool(true))
            }
        }
    }

    @Test("an earlier payment with the same state is not taken for the one that is waited for")
    func earlierPayment() async throws {
        try await Sandbox.run { sandbox in
            let request = ["--minor", "1", "--currency", "USD", "--state", "table-9"]
            expectSuccess(try await sandbox.squareRequest(request))
            expectSuccess(try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid)))
            let id = try #require(try await sandbox.handOffs().first?["charge"]?.string)
            expectSuccess(try await sandbox.squareRequest(request))
            let (command, address) = try await started(sandbox, ["--state", "table-9"])
            let page = try await Visitor.page(try answer(SquareCallback.paid, to: address))
            #expect(!page.contains(">Paid<"), "\(page)")
            var paid = SquareCallback.paid
            paid["transaction_id"] = "T-2"
            paid["client_transaction_id"] = "C-2"
            _ = try await Visitor.page(try answer(paid, to: address))
            let result = try await command.result()
            #expect(result.ending == .exited(0) && result.lines.count == 1, "\(result)")
            #expect(try JSONValue(result.outputText)["transactionId"]?.string == "T-2")
            #expect(result.errorText.contains("refused a repeated response to \(id)"), "\(result)")
            #expect(try await sandbox.handOffs().map { $0["payment"]?.string } == ["T-2", "T-1"])
        }
    }

    @Test("on all interfaces an address is printed that can be called")
    func allInterfaces() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, ["--state", "table-9", "--bind", "0.0.0.0"])
            #expect(!address.contains("0.0.0.0"))
            let url = try answer(SquareCallback.paid, to: address)
            let page = try await Visitor.page(url)
            #expect(page.contains("Paid"), "\(page)")
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try JSONValue(result.outputText)["url"]?.string == url)
        }
    }

    @Test("a response over HTTP/1.0 without a host is accepted")
    func oldHTTP() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, ["--state", "table-9"])
            let curl = CommandRunner(executable: "/usr/bin/curl", environment: [:])
            let page = try await curl.run([
                "--disable", "--silent", "--http1.0", "--header", "Host:", try answer(SquareCallback.paid, to: address),
            ])
            #expect(page.outputText.contains(">Paid<"), "\(page)")
            #expect(try await command.result().ending == .exited(0))
        }
    }

    @Test("a payment that failed ends with 81")
    func notPaid() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, ["--state", "table-9"])
            let page = try await Visitor.page(try answer(SquareCallback.cancelled, to: address))
            #expect(page.contains("<h1 id=\"headline\">Not paid</h1>") && page.contains("cancelled"), "\(page)")
            let result = try await command.result()
            #expect(result.ending == .exited(81), "\(result)")
            #expect(try JSONValue(result.outputText)["error"]?["number"]?.integer == 1)
        }
    }

    @Test("an error that does not show whether it was paid ends with 80")
    func unknown() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, ["--state", "table-9"])
            let page = try await Visitor.page(
                try answer(["status": "error", "error_code": "xyz", "state": "table-9"], to: address))
            #expect(page.contains("<h1 id=\"headline\">Not confirmed</h1>"), "\(page)")
            let result = try await command.result()
            #expect(result.ending == .exited(80), "\(result)")
        }
    }

    @Test("anything but the expected response is refused, and the listener keeps waiting")
    func others() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, ["--state", "table-9"])
            let refused = [
                try answer(["status": "ok", "state": "table-8"], to: address),
                try answer(["status": "ok"], to: address), "\(address)?data=nonsense", "\(address)?code=1", address,
                address + "/else?data=1",
            ]
            for url in refused {
                let page = try await Visitor.page(url)
                #expect(page.contains("<h1") && !page.contains(">Paid<") && !page.contains("terminal"), "\(page)")
            }
            #expect(command.outputSoFar.isEmpty)
            _ = try await Visitor.page(try answer(SquareCallback.paid, to: address))
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines.count == 1)
            #expect(result.errorText.contains("refused a response with another state"), "\(result)")
            #expect(result.errorText.contains("refused a response without a state"), "\(result)")
            #expect(result.errorText.contains("SCCErrorCodeMissingOrInvalidResponseJSONData"), "\(result)")
        }
    }

    @Test("without --state the first response is accepted, with a notice")
    func anyState() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, ["--path", "/paid"])
            #expect(address.hasSuffix("/paid"))
            _ = try await Visitor.page(try answer(["status": "ok"], to: address))
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.errorText.contains("without --state, any response is accepted"), "\(result)")
        }
    }

    @Test("--callback-url names host and path of what is passed on")
    func passedOn() async throws {
        try await Sandbox.run { sandbox in
            let command = try sandbox.start([
                "charge", "square", "listen", "--port", "0", "--state", "table-9", "--callback-url",
                "https://cafe.example/paid",
            ])
            try await command.waitForErrors(matching: "the port") { $0.contains(/to port [0-9]+ of 127/) }
            let match = try #require(command.errorsSoFar.firstMatch(of: /to port ([0-9]+) of 127/))
            let url = try SquareCallback.url(SquareCallback.paid, to: "http://127.0.0.1:\(match.1)/paid")
            for (host, status) in [("evil.example", "421"), ("cafe.example", "200")] {
                let curl = CommandRunner(executable: "/usr/bin/curl", environment: [:])
                let result = try await curl.run([
                    "--disable", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--header",
                    "Host: \(host)", url,
                ])
                #expect(result.outputText == status, "\(host): \(result)")
            }
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try JSONValue(result.outputText)["url"]?.string?.hasPrefix("https://cafe.example/paid?") ?? false)
        }
    }

    @Test("a timeout exits with 75; an address that cannot be bound is refused")
    func refusals() async throws {
        try await Sandbox.run { sandbox in
            expectFailure(
                try await sandbox.square("listen", "--quiet", "--port", "0", "--state", "s", "--timeout", "100ms"),
                status: 75, saying: "no response", "--timeout")
            let (command, address) = try await started(sandbox, ["--state", "s"])
            let port = try #require(address.firstMatch(of: /:([0-9]+)\//)).1
            expectFailure(
                try await sandbox.square("listen", "--port", String(port), "--state", "s"), status: 75, saying: "--port"
            )
            command.send(2)
            #expect(try await command.result().ending == .signalled(2))
            expectFailure(try await sandbox.square("listen", "--bind", "cafe"), status: 64, saying: "'cafe'")
            expectFailure(
                try await sandbox.square("listen", "--callback-url", "cafe:x"), status: 64, saying: "'cafe:x'")
            expectFailure(try await sandbox.square("listen", "--path", "x"), status: 64, saying: "--path")
            // An address of documentation, which no machine has (RFC 5737).
            expectFailure(try await sandbox.square("listen", "--bind", "192.0.2.1"), status: 69, saying: "--bind")
        }
    }
}
