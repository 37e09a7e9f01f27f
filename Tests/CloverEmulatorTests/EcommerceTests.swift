import CloverEmulator
import Foundation
import Testing

@Suite("Ecommerce")
struct EcommerceTests {
    private let till = TestTill()

    // MARK: Tokens

    @Test("A token shows the card without its number")
    func tokens() async throws {
        let reply = try await till.makeToken(
            #""number":"5555555555554444","exp_month":"3","exp_year":"90","cvv":"999""#)
        #expect(reply.status == 200)
        #expect(reply.json.id.hasPrefix("clv_1"))
        #expect(reply.json["object"]?.text == "token")
        let card = try #require(reply.json["card"])
        #expect(card["first6"]?.text == "555555")
        #expect(card["last4"]?.text == "4444")
        #expect(card["brand"]?.text == "MC")
        #expect(card["exp_month"]?.text == "03")
        #expect(card["exp_year"]?.text == "2090")
        #expect(!reply.text.contains("5555555555554444"))
    }

    @Test("The tokenizer wants its key and no access token")
    func tokenKey() async throws {
        let body = #"{"card":{"number":"4242424242424242","exp_month":"12","exp_year":"2090","cvv":"123"}}"#
        let key = till.shop.identity.apiAccessKey
        let good = try await till.call("POST", "/v1/tokens", body, headers: ["apikey": key], isAuthorized: false)
        #expect(good.status == 200)
        for headers in [[:], ["apikey": "wrong"]] {
            let bad = try await till.call("POST", "/v1/tokens", body, headers: headers)
            #expect(bad.status == 401)
            #expect(bad.text == #"{"message":"401 Unauthorized"}"#)
        }
    }

    @Test(
        "Cards that are none are refused by name",
        arguments: [
            (#""exp_month":"12","exp_year":"2090","cvv":"123""#, "invalid_request_error parameter_missing"),
            (#""number":"4242","exp_month":"12","exp_year":"2090","cvv":"123""#, "card_error invalid_number"),
            (
                #""number":"4242 4242 4242 4242","exp_month":"1","exp_year":"2090","cvv":"123""#,
                "card_error invalid_number"
            ),
            (
                #""number":"4242424242424241","exp_month":"12","exp_year":"2090","cvv":"123""#,
                "card_error incorrect_number"
            ),
            (
                #""number":"4242424242424242","exp_month":"13","exp_year":"2090","cvv":"123""#,
                "card_error invalid_expiry_month"
            ),
            (
                #""number":"4242424242424242","exp_month":"12","exp_year":"209","cvv":"123""#,
                "card_error invalid_expiry_year"
            ),
            (#""number":"4242424242424242","exp_month":"12","exp_year":"2020","cvv":"123""#, "card_error expired_card"),
            (#""number":"4242424242424242","exp_month":"12","exp_year":"2090","cvv":"12""#, "card_error invalid_cvc"),
            (#""number":"4242424242424242","exp_month":"12","exp_year":"2090""#, "card_error invalid_cvc"),
        ])
    func badCards(members: String, error: String) async throws {
        let reply = try await till.makeToken(members)
        #expect(reply.status == 400)
        #expect(reply.error == error)
    }

    // MARK: Charges

    @Test(
        "The test cards do what their list says",
        arguments: [
            ("4242424242424242", 200), ("4005578003333335", 402), ("4005571702222222", 402),
            ("4761530001111126", 200), ("5204245250003294", 200), ("375186917371340", 200), ("6011000050617475", 200),
            ("378282246310005", 200), ("371449635398431", 200), ("30569309025904", 200), ("38520000023237", 200),
            ("3566002020360505", 200), ("4000056655665556", 200), ("6011361000006668", 200), ("6011000990139424", 200),
            ("375987654000004", 402), ("5424180273333333", 402), ("4264281511117771", 402),
        ])
    func testCards(number: String, status: Int) async throws {
        let reply = try await till.charge(1099, key: "k", number: number)
        #expect(reply.status == status)
        let id = status == 200 ? reply.json.id : reply.json["error"]?["charge"]?.text ?? ""
        let charge = try await till.call("GET", "/v1/charges/\(id)")
        #expect(charge.status == 200)
        #expect(charge.json["status"]?.text == (status == 200 ? "succeeded" : "failed"))
        #expect(charge.json["source"]?["last4"]?.text == String(number.suffix(4)))
        if status == 402 { #expect(reply.error == "card_error card_declined") }
        #expect(try till.moved == [status == 200 ? 1099 : 0])
        #expect(till.report.charges == (status == 200 ? 1 : 0))
        let payment = try #require(till.records("payments?limit=1&expand=cardTransaction,order").first)
        #expect(payment.id == id)
        #expect(payment["result"]?.text == (status == 200 ? "SUCCESS" : "FAIL"))
        #expect(payment["amount"]?.integer == 1099)
        #expect(payment["order"]?["total"]?.integer == 1099)
        #expect(payment["cardTransaction"]?["first6"]?.text == String(number.prefix(6)))
    }

    @Test("A charge repeats what it was asked for, and takes the tip on top")
    func members() async throws {
        let reply = try await till.charge(
            1000, key: "k",
            #","tip_amount":150,"tax_amount":80,"external_reference_id":"INV-1","description":"tea","ecomind":"moto""#)
        #expect(reply.status == 200)
        for (name, value) in [("amount", 1000), ("amount_captured", 1000), ("tip_amount", 150), ("tax_amount", 80)] {
            #expect(reply.json[name]?.integer == value)
        }
        #expect(reply.json["external_reference_id"]?.text == "INV-1")
        #expect(reply.json["ecomind"]?.text == "moto")
        #expect(reply.json["currency"]?.text == "usd")
        #expect(try till.moved == [1150])
        let found = try till.records("payments?filter=externalReferenceId=INV-1")
        #expect(found.map(\.id) == [reply.json.id])
    }

    @Test(
        "Bodies that are not right are refused by name, and take nothing",
        arguments: [
            (#""currency":"usd","source":"T""#, "parameter_missing"),
            (#""amount":"10","currency":"usd","source":"T""#, "parameter_invalid_integer"),
            (#""amount":10.5,"currency":"usd","source":"T""#, "parameter_invalid_integer"),
            (#""amount":0,"currency":"usd","source":"T""#, "amount_too_small"),
            (#""amount":-5,"currency":"usd","source":"T""#, "amount_too_small"),
            (#""amount":100000000,"currency":"usd","source":"T""#, "amount_too_large"),
            (#""amount":10,"source":"T""#, "parameter_missing"),
            (#""amount":10,"currency":"eur","source":"T""#, "invalid_request"),
            (#""amount":10,"currency":"usd""#, "parameter_missing"),
            (#""amount":10,"currency":"usd","source":"""#, "parameter_invalid_string_empty"),
            (#""amount":10,"currency":"usd","source":"clv_none""#, "invalid_request"),
            (#""amount":10,"currency":"usd","source":"T","tip_amount":-1"#, "invalid_tip_amount"),
            (#""amount":10,"currency":"usd","source":"T","tax_amount":11"#, "invalid_tax_amount"),
            (#""amount":10,"currency":"usd","source":"T","external_reference_id":"1234567890123""#, "invalid_request"),
            (#""amount":10,"currency":"usd","source":"T","receipt_email":"nobody""#, "email_invalid"),
            (#""amount":10,"currency":"usd","source":"T","capture":"no""#, "invalid_request"),
            (#""amount":10,"currency":"usd","source":"T","ecomind":"shop""#, "invalid_request"),
        ])
    func badBodies(members: String, code: String) async throws {
        let token = try await till.token()
        let reply = try await till.charge("k", members.replacingOccurrences(of: "\"T\"", with: "\"\(token)\""))
        #expect(reply.status == 400)
        #expect(reply.error == "invalid_request_error \(code)")
        #expect(try till.moved.isEmpty)
        // Neither the token nor the key is spent.
        let good = try await till.charge("k", "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\"")
        #expect(good.status == 200)
    }

    @Test("The largest amount is taken")
    func largestAmount() async throws {
        #expect(try await till.charge(99_999_999, key: "k").status == 200)
    }

    @Test("Charges need an access token, the customer's address, a key and JSON")
    func headers() async throws {
        let body = "{\"amount\":10,\"currency\":\"usd\",\"source\":\"\(try await till.token())\"}"
        let headers = ["x-forwarded-for": "203.0.113.7", "idempotency-key": "k"]
        let stranger = try await till.call("POST", "/v1/charges", body, headers: headers, isAuthorized: false)
        #expect(stranger.status == 401)
        #expect(stranger.text == #"{"message":"401 Unauthorized"}"#)
        for name in headers.keys {
            let reply = try await till.call("POST", "/v1/charges", body, headers: headers.filter { $0.key != name })
            #expect(reply.status == 400)
            #expect(reply.json["error"]?["param"]?.text == name)
        }
        var plain = headers
        plain["content-type"] = "text/plain"
        #expect(try await till.call("POST", "/v1/charges", body, headers: plain).status == 415)
        #expect(try await till.call("POST", "/v1/charges", "{", headers: headers).status == 400)
        #expect(try await till.call("DELETE", "/v1/charges", nil, headers: headers).status == 405)
        #expect(try till.moved.isEmpty)
    }

    // MARK: Keys and tokens

    @Test("The same call with its key gets the first answer; another call with it is refused")
    func replay() async throws {
        let token = try await till.token()
        let first = try await till.charge("k", "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\"")
        let again = try await till.charge("k", "\"source\":\"\(token)\", \"currency\":\"usd\",\"amount\":10")
        #expect(again.status == 200)
        #expect(again.text == first.text)
        let other = try await till.charge("k", "\"amount\":11,\"currency\":\"usd\",\"source\":\"\(token)\"")
        #expect(other.status == 409)
        #expect(other.error == "idempotency_error -")
        let reused = try await till.charge("k2", "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\"")
        #expect(reused.status == 400)
        #expect(reused.error == "- token_already_used")
        #expect(try till.moved == [10])
    }

    @Test("A decline is replayed as well, and spends the token")
    func replayedDecline() async throws {
        let token = try await till.token("4005571702222222")
        let body = "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\""
        let first = try await till.charge("k", body)
        #expect(first.status == 402)
        #expect(try await till.charge("k", body).text == first.text)
        #expect(try await till.charge("k2", body).error == "- token_already_used")
        #expect(try till.moved == [0])
    }

    @Test("A repetition that comes while the card is slow waits, and moves nothing more")
    func repetitionMeanwhile() async throws {
        var settings = PaymentSettings()
        settings.authorizationTime = .milliseconds(100)
        let till = TestTill(settings: settings)
        let token = try await till.token()
        let body = "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\""
        let replies = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await till.charge("k", body).text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count == 8)
        #expect(Set(replies).count == 1)
        #expect(try till.moved == [10])
    }

    @Test("One token under many keys at once is charged once")
    func tokenRace() async throws {
        let till = till
        let token = try await till.token()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await till.charge("k\(number)", "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\"")
                        .status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 400, count: 7))
        #expect(try till.moved == [10])
    }

    @Test("A forgotten key charges again, and the judge says so")
    func forgottenKey() async throws {
        #expect(try await till.charge(10, key: "k", fault: .forgetKey).status == 200)
        #expect(till.report.duplicateCharges == 0)
        #expect(try await till.charge(10, key: "k").status == 200)
        #expect(till.report.charges == 2)
        #expect(till.report.duplicateCharges == 1)
    }

    @Test("Two charges of one invoice are one too many, whatever their keys")
    func sameInvoice() async throws {
        for key in ["a", "b", "c"] {
            _ = try await till.charge(10, key: key, #","external_reference_id":"INV-1""#)
        }
        #expect(till.report.duplicateCharges == 2)
    }

    @Test(
        "Faults of charges",
        arguments: [
            (FaultKind.decline, 402, "card_error card_declined"), (.declineAsError, 500, "card_error card_declined"),
            (.keyClash, 409, "idempotency_error -"), (.tokenUsed, 400, "- token_already_used"),
        ])
    func faults(kind: FaultKind, status: Int, error: String) async throws {
        let reply = try await till.charge(10, key: "k", fault: kind)
        #expect(reply.status == status)
        #expect(reply.error == error)
        #expect(till.report.charges == 0)
    }

    // MARK: Capture

    @Test("What is held is captured once, in whole or part", arguments: [(nil, 1000), (900, 900)])
    func capture(amount: Int?, captured: Int) async throws {
        let held = try await till.charge(1000, key: "k", #","capture":false"#)
        #expect(held.json["captured"]?.value as? Bool == false)
        #expect(held.json["amount_captured"]?.integer == 0)
        #expect(try till.records("payments?limit=1").first?["result"]?.text == "AUTH")
        let body = amount.map { "{\"amount\":\($0)}" } ?? "{}"
        let reply = try await till.capture(held.json.id, body)
        #expect(reply.status == 200)
        #expect(reply.json["amount_captured"]?.integer == captured)
        #expect(try await till.capture(held.json.id, body).text == reply.text)
        let again = try await till.capture(held.json.id, body, key: "other")
        #expect(again.status == 400)
        #expect(again.error == "invalid_request_error charge_already_captured")
        #expect(try till.moved == [1000, captured - 1000])
        let payment = try #require(till.records("payments?limit=1").first)
        #expect(payment["result"]?.text == "SUCCESS")
        #expect(payment["amount"]?.integer == captured)
    }

    @Test("Captures of nothing, of too much and too late are refused")
    func badCaptures() async throws {
        #expect(try await till.capture("AAAAAAAAAAAAA").error == "invalid_request_error invalid_request")
        let held = try await till.charge(1000, key: "k", #","capture":false"#)
        #expect(
            try await till.capture(held.json.id, #"{"amount":1001}"#).error
                == "invalid_request_error invalid_charge_amount")
        var settings = PaymentSettings()
        settings.holdLife = .zero
        let late = TestTill(settings: settings)
        let old = try await late.charge(1000, key: "k", #","capture":false"#)
        #expect(try await late.capture(old.json.id).error == "invalid_request_error charge_expired_for_capture")
    }

    // MARK: Refunds

    @Test("A charge is refunded in parts up to the whole, and no further")
    func refunds() async throws {
        let charge = try await till.charge(1000, key: "k", #","tip_amount":100"#)
        let id = charge.json.id
        let first = try await till.refund("{\"charge\":\"\(id)\",\"amount\":300,\"reason\":\"duplicate\"}", key: "r1")
        #expect(first.status == 200)
        #expect(first.json["amount"]?.integer == 300)
        #expect(first.json["reason"]?.text == "duplicate")
        let replayed = try await till.refund(
            "{\"charge\":\"\(id)\",\"amount\":300,\"reason\":\"duplicate\"}", key: "r1")
        #expect(replayed.text == first.text)
        let tooMuch = try await till.refund("{\"charge\":\"\(id)\",\"amount\":801}", key: "r2")
        #expect(tooMuch.status == 400)
        #expect(tooMuch.error == "- processing_error")
        let rest = try await till.refund("{\"charge\":\"\(id)\"}", key: "r3")
        #expect(rest.json["amount"]?.integer == 800)
        #expect(try await till.refund("{\"charge\":\"\(id)\",\"amount\":1}", key: "r4").error == "- processing_error")
        #expect(
            try await till.refund("{\"charge\":\"\(id)\"}", key: "r5").error
                == "invalid_request_error charge_already_refunded")
        #expect(try till.moved == [1100, -300, -800])
        let shown = try await till.call("GET", "/v1/charges/\(id)")
        #expect(shown.json["amount_refunded"]?.integer == 1100)
        #expect(shown.json["refunded"]?.value as? Bool == true)
        let records = try till.records("refunds?limit=2")
        #expect(records.map(\.id) == [rest.json.id, first.json.id])
        #expect(records.allSatisfy { $0["payment"]?.id == id })
        let payment = try #require(till.records("payments?limit=1&expand=refunds").first)
        #expect(payment["refunds"]?.elements.map { $0["amount"]?.integer } == [300, 800])
    }

    @Test("What is held is given back whole, and is a void in V3")
    func refundOfHold() async throws {
        let id = try await till.charge(1000, key: "k", #","capture":false"#).json.id
        #expect(try await till.refund("{\"charge\":\"\(id)\",\"amount\":10}", key: "a").status == 400)
        #expect(try await till.refund("{\"charge\":\"\(id)\"}", key: "b").status == 200)
        #expect(try await till.capture(id).status == 400)
        #expect(try till.records("payments?limit=1").first?["result"]?.text == "VOIDED")
        #expect(try till.moved == [1000, -1000])
    }

    @Test("Refunds of unknown and of declined charges are not found")
    func missingCharge() async throws {
        let declined = try await till.charge(10, key: "k", number: "4005571702222222")
        for id in ["AAAAAAAAAAAAA", declined.json["error"]?["charge"]?.text ?? ""] {
            let reply = try await till.refund("{\"charge\":\"\(id)\"}", key: "r\(id)")
            #expect(reply.status == 404)
            #expect(reply.error == "- processing_error")
        }
        #expect(try await till.refund("{}").error == "invalid_request_error parameter_missing")
    }

    @Test("Objects that are not there are 404, each in its own words")
    func missing() async throws {
        let charge = try await till.call("GET", "/v1/charges/AAAAAAAAAAAAA")
        #expect(charge.status == 404)
        #expect(charge.error == "invalid_request_error invalid_request")
        #expect(charge.json["message"]?.text == "404 Not Found")
        #expect(try await till.call("GET", "/v1/refunds/AAAAAAAAAAAAA").error == "- processing_error")
        #expect(try await till.call("GET", "/v1/customers").status == 404)
    }

    // MARK: Lists

    @Test("Lists are newest first, ten at a time, and walk both ways")
    func lists() async throws {
        var ids: [String] = []
        for number in 0..<13 { ids.insert(try await till.charge(100 + number, key: "k\(number)").json.id, at: 0) }
        func page(_ query: String) async throws -> (ids: [String], hasMore: Bool) {
            let reply = try await till.call("GET", "/v1/charges?\(query)")
            try #require(reply.status == 200)
            #expect(reply.json["object"]?.text == "list")
            let data = (reply.json["data"]?.value as? [Any] ?? []).map { Node($0).id }
            return (data, reply.json["has_more"]?.value as? Bool == true)
        }
        #expect(try await page("") == (Array(ids[..<10]), true))
        #expect(try await page("starting_after=\(ids[9])") == (Array(ids[10...]), false))
        #expect(try await page("limit=2&ending_before=\(ids[5])") == (Array(ids[3..<5]), true))
        #expect(try await page("limit=100") == (ids, false))
        let created = try await till.call("GET", "/v1/charges/\(ids[4])").json["created"]?.integer ?? 0
        #expect(try await page("created[gte]=\(created)").ids == Array(ids[...4]))
        #expect(try await page("created[gt]=\(created)").ids == Array(ids[..<4]))
        #expect(try await page("created[lt]=\(created)").ids == Array(ids[5...]))
        #expect(try await page("created=\(created)").ids == [ids[4]])
    }

    @Test(
        "Limits outside 1 to 100 and unknown ids are refused",
        arguments: ["limit=0", "limit=101", "limit=x", "starting_after=X"])
    func badPages(query: String) async throws {
        #expect(try await till.call("GET", "/v1/refunds?\(query)").status == 400)
    }

    // MARK: State

    @Test("A file keeps charges, keys and spent tokens, and no card number")
    func state() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("clover-\(UUID().uuidString)").path
        defer { unlink(path) }
        let body: String
        let first: TestTill.Reply
        do {
            let till = try TestTill(state: path)
            body = "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(try await till.token())\""
            first = try await till.charge("k", body)
            #expect(first.status == 200)
            #expect(try await till.refund("{\"charge\":\"\(first.json.id)\",\"amount\":4}").status == 200)
        }
        #expect(!(try String(contentsOfFile: path, encoding: .utf8)).contains("4242424242424242"))
        let till = try TestTill(state: path)
        #expect(try await till.charge("k", body).text == first.text)
        #expect(try await till.charge("k2", body).error == "- token_already_used")
        #expect(try till.moved == [10, -4])
        #expect(try till.records("refunds?limit=1").first?["amount"]?.integer == 4)
        // Ids go on where they ended.
        #expect(try await till.charge(7, key: "k3").json.id != first.json.id)
    }
}
