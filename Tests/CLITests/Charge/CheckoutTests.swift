import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("checkout: pages of Hosted Checkout")
struct CheckoutTests {
    @Test("a page that was not paid is open in the journal, without an amount taken, and can be settled by hand")
    func unpaid() async throws {
        try await ChargeFixture.run { till in
            let made = try await till.sandbox.clover("checkout", "create", "--item", "Tea=4.25", "--currency", "USD")
            let id = try #require(try made.events.last?["checkout"]?.string ?? made.events.last?["operation"]?.string)
            let shown = try JSONValue(try await till.sandbox.clover("charge", "show", id, "--check").outputText)
            #expect(shown["status"]?.string == "open" && shown["captured"]?.integer == 0, "\(shown)")
            #expect(shown["service"]?["reason"]?.string?.contains("checkout wait") == true, "\(shown)")
            let settled = try await till.sandbox.clover("charge", "settle", id, "--not-paid")
            #expect(settled.status == 0 && settled.errorText.contains("can still be paid until"), "\(settled)")
            expectFailure(
                try await till.sandbox.clover("checkout", "create", "--item", "Tea=425", "--currency", "JPY"),
                status: 64,
                saying: "charges in USD, not in JPY", output: "")
        }
    }

    @Test("a page is made with its items and taxes, and the same key gives the same page")
    func made() async throws {
        try await ChargeFixture.run { till in
            let options = ["--tax", "Sales tax=8.25%", "--idempotency-key", "k-1"]
            let first = try await till.checkout(options)
            expectSuccess(first)
            #expect(try first.eventNames == ["created", "sent", "open"])
            let open = try #require(try first.events.last)
            // Nothing is paid so far. How Clover rounds the taxes of three pieces is not known.
            #expect(open["amount"] == nil && open["requestedAmount"]?.integer == 1256, "\(first)")
            #expect(open["requestedAmountWithin"]?.integer == 2, "\(first)")
            #expect(try first.events.first?["amount"]?.integer == 1256, "\(first)")
            #expect(open["operation"]?.string?.hasPrefix("h_") == true)
            #expect(open["url"]?.string?.hasPrefix(till.emulator.url) == true)
            let again = try await till.checkout(options)
            expectSuccess(again)
            #expect(try again.events.last?["session"] == open["session"])
            let other = try await till.checkout(["--idempotency-key", "k-1"])
            expectFailure(other, status: 64, saying: "the idempotency key belongs to something else", output: nil)
            #expect(try await till.journal().isEmpty, "a page is not a charge")
            let session = try #require(open["session"]?.string)
            let paid = try await till.pay(session)
            // 2 times 4.25 and 3.10, and 8.25 % on each.
            #expect(paid["message"]?.string == "Approved for 1256")
        }
    }

    @Test(
        "what cannot be a page is refused before anything is sent",
        arguments: [
            (["--item", "Tea"], "takes a name and a price"), (["--item", "Tea=4"], "ambiguous amount"),
            (["--item", "Tea=4.25*0"], "from 1 to 9999"), ([], "a page needs an item"),
            (["--item", "Tea=4.25", "--tax", "8.25%"], "--tax takes"),
            (["--item", "Tea=4.25", "--success-url", "http://shop.example"], "takes an https address"),
            (["--item", "Tea=4.25", "--qr"], "no QR code can be drawn"),
        ])
    func refused(_ options: [String], _ words: String) async throws {
        try await ChargeFixture.run { till in
            let result = try await till.sandbox.clover(["checkout", "create", "--currency", "USD"] + options)
            #expect(result.status == 64 || result.status == 73, "\(result)")
            #expect(result.errorText.contains(words), "\(result)")
            #expect(try await till.requests("/checkouts") == 0)
        }
    }

    @Test(
        "if the response is lost, no one has the address: nothing is denied that can be paid, and the key makes another",
        arguments: ["lose-answer", "500-after", "reset", "500", "not-json"])
    func lost(_ fault: String) async throws {
        try await ChargeFixture.run(emulator: ["--fault", "\(fault)@1:/invoicingcheckoutservice"]) { till in
            let first = try await till.checkout(["--idempotency-key", "k-1"])
            expectFailure(first, status: 69, saying: "no one can pay there", output: nil)
            #expect(try first.eventNames.last == "failed")
            let second = try await till.checkout(["--idempotency-key", "k-1"])
            expectSuccess(second)
            let session = try #require(try second.events.last?["session"]?.string)
            let again = try await till.checkout(["--idempotency-key", "k-1"])
            #expect(try again.events.last?["session"]?.string == session)
        }
    }

    @Test("a payment in the orders ends the wait; the same answer comes again")
    func paidByOrder() async throws {
        try await ChargeFixture.run { till in
            let page = try #require(try await till.checkout([]).events.last)
            let id = try #require(page["operation"]?.string)
            let paid = try await till.pay(try #require(page["session"]?.string))
            for name in [id, page["session"]?.string ?? ""] {
                let wait = try await till.wait(name)
                expectSuccess(wait)
                #expect(try wait.events.last?["event"]?.string == "paid")
                #expect(try wait.events.last?["payment"] == paid["id"])
                #expect(try wait.events.last?["amount"]?.integer == 1160)
            }
        }
    }

    @Test("charge recover says of a page whether it is open, was paid, or has ended, which is unknown: 80")
    func recovered() async throws {
        try await ChargeFixture.run(emulator: ["--checkout-life", "4s"]) { till in
            func recover(_ page: JSONValue) async throws -> CommandResult {
                try await till.sandbox.clover("charge", "recover", page["operation"]?.string ?? "")
            }
            let paid = try #require(try await till.checkout([]).events.last)
            let open = try await recover(paid)
            #expect(open.status == 0 && open.errorText.contains("not paid as far as was seen"), "\(open)")
            #expect(try open.events.last?["event"]?.string == "open", "\(open)")
            let payment = try await till.pay(try #require(paid["session"]?.string))
            for _ in 0..<2 {
                let found = try await recover(paid)
                expectSuccess(found)
                #expect(try found.events.last?["event"]?.string == "paid", "\(found)")
                #expect(try found.events.last?["payment"] == payment["id"], "\(found)")
            }
            let shown = try JSONValue(
                try await till.sandbox.clover("charge", "show", paid["operation"]?.string ?? "").outputText)
            #expect(shown["status"]?.string == "paid", "\(shown)")
            let unpaid = try #require(try await till.checkout([]).events.last)
            let wait = try await till.wait(unpaid["operation"]?.string ?? "", linger: "1ms")
            expectFailure(wait, status: 80, saying: "no payment was seen", output: nil)
            #expect(try wait.eventNames == ["expired"], "\(wait)")
            let ended = try await recover(unpaid)
            expectFailure(ended, status: 80, saying: "the page has ended, and no payment was seen", output: nil)
            #expect(try ended.events.last?["event"]?.string == "expired", "\(ended)")
            let listed = try JSONValue.lines(try await till.sandbox.clover("checkout", "list").lines)
            #expect(listed.map { $0["state"]?.string } == ["expired", "paid"], "\(listed)")
            #expect(listed.allSatisfy { $0["url"] == nil }, "\(listed)")
            // Customers leave many pages.
            expectSuccess(try await till.sandbox.clover("charge", "recover", "--all"))
        }
    }

    @Test("the pages of the journal are listed with what was last seen of them, and nothing is sent")
    func listed() async throws {
        try await ChargeFixture.run { till in
            let open = try #require(try await till.checkout(["--idempotency-key", "k-1"]).events.last)
            let other = try #require(try await till.checkout([]).events.last)
            _ = try await till.pay(try #require(other["session"]?.string))
            func list(_ options: String...) async throws -> [JSONValue] {
                let result = try await till.sandbox.clover(["checkout", "list"] + options)
                expectSuccess(result)
                return try JSONValue.lines(result.lines)
            }
            #expect(try await list().map { $0["state"]?.string } == ["open", "open"], "it was not looked at")
            expectSuccess(try await till.wait(try #require(other["operation"]?.string)))
            let rows = try await list()
            #expect(rows.map { $0["state"]?.string } == ["paid", "open"], "\(rows)")
            #expect(rows.map { $0["operation"] } == [other["operation"], open["operation"]], "\(rows)")
            #expect(rows[0]["url"] == nil && rows[0]["payment"]?.string != nil, "\(rows)")
            #expect(rows[1]["url"] == open["url"] && rows[1]["idempotencyKey"]?.string == "k-1", "\(rows)")
            #expect(rows[1]["amount"] == open["requestedAmount"] && rows[1]["currency"]?.string == "USD", "\(rows)")
            #expect(try await list("--state", "open").count == 1)
            #expect(try await list("--limit", "1").map { $0["state"]?.string } == ["paid"])
            let table = try await till.sandbox.clover("checkout", "list", "--format", "csv", "--money", "major")
            #expect(table.outputText.contains("11.60"), "\(table)")
            expectFailure(
                try await till.sandbox.clover("checkout", "list", "--state", "gone"), status: 64, saying: "paidTwice")
            let settle = ["charge", "settle", try #require(open["operation"]?.string), "--not-paid"]
            #expect(try await till.sandbox.clover(settle).status == 0)
            #expect(try await list("--state", "notPaid").count == 1)
        }
    }

    @Test("a page that a person records as paid is paid, with its taxes")
    func paidByHand() async throws {
        try await ChargeFixture.run { till in
            let page = try #require(try await till.checkout(["--tax", "Sales tax=8.25%"]).events.last)
            let id = try #require(page["operation"]?.string)
            for command in [["settle", id, "--paid"], ["recover", id]] {
                let settled = try await till.sandbox.clover(["charge"] + command)
                expectSuccess(settled)
                let last = try #require(try settled.events.last)
                #expect(last["event"]?.string == "paid" && last["amount"]?.integer == 1256, "\(settled)")
            }
            let terminal = try await till.sandbox.startOnTerminal(["charge", "settle", id, "--paid"]).result()
            #expect(terminal.terminalText.contains("paid  12.56 USD"), "\(terminal)")
        }
    }

    @Test("a signed webhook ends the wait, and one that is not signed does not")
    func paidByWebhook() async throws {
        try await ChargeFixture.run { given in
            try given.sandbox.directory.write("secret", Array("the-secret\n".utf8))
            let listener = try given.sandbox.start([
                "webhook", "listen", "--port", "0", "--secret-file", given.sandbox.directory["secret"],
            ])
            try await listener.waitForErrors(matching: "a whole address") { $0.contains(/\nhttps?:[^\n]+\n/) }
            let address = String(try #require(listener.errorsSoFar.firstMatch(of: /\n(https?:[^\n]+)\n/)).1)
            for (secret, isPaid) in [("another-secret", false), ("the-secret", true)] {
                let emulator = try await EmulatorProcess(
                    [
                        "--orders", "5", "--webhook-url", address, "--webhook-signing-secret", secret,
                        // The order lacks the reference, so that only the webhook shows the payment.
                        "--fault", "no-reference:/invoicingcheckoutservice", "--checkout-life", "3s",
                    ])
                let till = ChargeFixture(sandbox: given.sandbox.using(emulator), emulator: emulator)
                let page = try #require(try await till.checkout(["--tax", "Sales tax=8.25%"]).events.last)
                let session = try #require(page["session"]?.string)
                let declined = try await till.pay(session, declined: true)
                #expect(declined["status"]?.string == "DECLINED")
                let paid = try await till.pay(session)
                // Both emulators make the same sessions, so that only the operation tells them apart.
                let wait = try await till.wait(page["operation"]?.string ?? "", linger: isPaid ? "1m" : "500ms")
                if isPaid {
                    #expect(wait.status == 0, "\(wait)")
                    #expect(try wait.events.last?["payment"] == paid["id"])
                    // With the tax: 8.50 and 3.10, and 8.25 % on each.
                    #expect(try wait.events.last?["amount"]?.integer == 1256)
                    _ = try await till.pay(session)
                    try await listener.waitForOutput("a second approval") {
                        String(decoding: $0, as: UTF8.self).split(separator: "\"APPROVED\"").count > 2
                    }
                    let twice = try await till.wait(page["operation"]?.string ?? "")
                    expectFailure(twice, status: 80, saying: "paid more than once", output: nil)
                } else {
                    expectFailure(wait, status: 80, saying: "no payment was seen", output: nil)
                }
            }
            listener.send(SIGTERM)
            _ = try await listener.result()
        }
    }

    @Test("a page that has ended without a sign of a payment is unknown, and its key is used up")
    func ended() async throws {
        try await ChargeFixture.run(emulator: ["--checkout-life", "1s"]) { till in
            let page = try #require(try await till.checkout(["--idempotency-key", "k-1"]).events.last)
            let id = try #require(page["operation"]?.string)
            let wait = try await till.wait(id, linger: "500ms")
            expectFailure(wait, status: 80, saying: "no payment was seen", "clover checkout wait \(id)", output: nil)
            #expect(try wait.events.last?["reason"]?.string?.contains("no payment was seen") == true, "\(wait)")
            let shown = try JSONValue(try await till.sandbox.clover("charge", "show", id).outputText)
            #expect(shown["reason"]?.string == "the page has ended, and no payment was seen", "\(shown)")
            #expect(shown["status"]?.string == "expired", "\(shown)")
            let again = try await till.checkout(["--idempotency-key", "k-1"])
            expectFailure(again, status: 64, saying: "has ended")
            expectFailure(try await till.wait("h_none"), status: 66, saying: "no checkout h_none")
        }
    }

    @Test("a page that is paid twice is reported, and the time of the run ends the wait")
    func twice() async throws {
        try await ChargeFixture.run { till in
            let page = try #require(try await till.checkout([]).events.last)
            let id = try #require(page["operation"]?.string)
            let early = try await till.sandbox.clover("checkout", "wait", id, "--max-time", "0.5")
            expectFailure(early, status: 83, saying: "not paid as far as was seen")
            let session = try #require(page["session"]?.string)
            _ = try await till.pay(session)
            expectSuccess(try await till.wait(id))
            _ = try await till.pay(session)
            let both = try await till.wait(id)
            expectFailure(both, status: 80, saying: "paid more than once", output: nil)
            #expect(try both.eventNames == ["paidTwice"], "\(both)")
            // What the records show is not denied by hand.
            expectFailure(
                try await till.sandbox.clover("charge", "settle", id, "--not-paid"), status: 64,
                saying: "are shown, so that it is not recorded as not paid")
            let shown = try JSONValue(try await till.sandbox.clover("charge", "show", id).outputText)
            let payments = shown["candidates"]?.elements?.compactMap(\.string) ?? []
            #expect(shown["status"]?.string == "paidTwice" && payments.count == 2, "\(shown)")
            #expect(shown["captured"] == .null, "the sum is not known: \(shown)")
            for payment in payments { #expect(shown["reason"]?.string?.contains(payment) == true, "\(shown)") }
            let checked = try JSONValue(try await till.sandbox.clover("charge", "show", id, "--check").outputText)
            #expect(checked["service"]?["agrees"] != .bool(true), "\(checked)")
            #expect(checked["service"]?["reason"]?.string?.contains("paid more than once") == true, "\(checked)")
            let key = try #require(shown["idempotencyKey"]?.string)
            let again = try await till.checkout(["--idempotency-key", key])
            expectFailure(again, status: 80, saying: "paid more than once: \(payments.joined(separator: ", "))")
            let recovered = try await till.sandbox.clover("charge", "recover", id)
            expectFailure(recovered, status: 80, saying: "paid more than once", output: nil)
            let all = try await till.sandbox.clover("charge", "recover", "--all")
            expectFailure(all, status: 80, saying: "the page \(id) was paid more than once", output: nil)
            expectSuccess(try await till.sandbox.clover("charge", "settle", id, "--paid", "--payment", payments[0]))
            let settled = try JSONValue(try await till.sandbox.clover("charge", "show", id).outputText)
            #expect(settled["status"]?.string == "paid" && settled["payment"]?.string == payments[0], "\(settled)")
        }
    }

    @Test("the tax of a page is that of its payment, so that the shop adds up")
    func taxed() async throws {
        try await ChargeFixture.run { till in
            let page = try #require(try await till.checkout(["--tax", "Sales tax=8.25%"]).events.last)
            _ = try await till.pay(try #require(page["session"]?.string))
            let paid = try await till.wait(page["operation"]?.string ?? "")
            let payment = try #require(try paid.events.last?["payment"]?.string)
            let record = try JSONValue(try await till.sandbox.clover("get", "payments", payment).outputText)
            // 0.70 on 2 times 4.25, and 0.26 on 3.10.
            #expect(record["amount"]?.integer == 1256 && record["taxAmount"]?.integer == 96, "\(record)")
        }
    }
}

extension ChargeFixture {
    func checkout(_ options: [String]) async throws -> CommandResult {
        try await sandbox.clover(
            ["checkout", "create", "--item", "Tea=4.25*2", "--item", "Scone=3.10", "--currency", "USD"] + options)
    }

    func wait(_ id: String, linger: String = "1m") async throws -> CommandResult {
        try await sandbox.clover("checkout", "wait", id, "--interval", "0.2", "--linger", linger)
    }

    /// Pays as a customer does on the page; the body of the webhook.
    func pay(_ session: String, declined: Bool = false) async throws -> JSONValue {
        let address = "\(emulator.url)/emulator/checkouts/\(session)" + (declined ? "?card=decline" : "")
        let result = try await sandbox.shell("curl --silent -X POST '\(address)'")
        return try JSONValue(result.outputText)
    }

    /// How many requests to a path with this text arrived.
    func requests(_ text: String) async throws -> Int {
        String(decoding: try await emulator.page("/emulator/requests"), as: UTF8.self).components(separatedBy: text)
            .count - 1
    }
}
