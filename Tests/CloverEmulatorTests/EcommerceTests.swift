import CloverEmulator
import Foundation
import Testing

@Suite("Ecommerce")
struct EcommerceTests {
    private let till = PaymentFixture()

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

    @Test("The tokenizer needs its key and no access token")
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
        "Refuses invalid cards and names the field",
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
        "The test cards behave as documented",
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

    @Test("A charge echoes its request and adds the tip")
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
        "Refuses invalid bodies, names the field, and charges nothing",
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
            (#""amount":10,"currency":"usd","source":"T","receipt_email":"anna""#, "email_invalid"),
            (#""amount":10,"currency":"usd","source":"T","capture":"no""#, "invalid_request"),
            (#""amount":10,"currency":"usd","source":"T","ecomind":"shop""#, "invalid_request"),
        ])
    func badBodies(members: String, code: String) async throws {
        let token = try await till.token()
        let reply = try await till.charge("k", members.replacingOccurrences(of: "\"T\"", with: "\"\(token)\""))
        #expect(reply.status == 400)
        #expect(reply.error == "invalid_request_error \(code)")
        #expect(try till.moved.isEmpty)
        // Neither the token nor the key is used up.
        let good = try await till.charge("k", "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\"")
        #expect(good.status == 200)
    }

    @Test("Accepts the largest amount")
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
}
