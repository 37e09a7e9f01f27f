import CloverEmulator
import Testing

@Suite("Ecommerce: after the charge")
struct EcommerceFollowUpTests {
    private let till = PaymentFixture()

    // MARK: Capture

    @Test("Captures a hold once, in full or in part", arguments: [(nil, 1000), (900, 900)])
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
        let late = PaymentFixture(settings: settings)
        let old = try await late.charge(1000, key: "k", #","capture":false"#)
        #expect(try await late.capture(old.json.id).error == "invalid_request_error charge_expired_for_capture")
    }

    // MARK: Refunds

    @Test("Refunds a charge in parts up to its amount")
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

    @Test("Releases a hold in full, as a void in V3")
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

    @Test("Returns 404 for unknown objects, each with its own body")
    func missing() async throws {
        let charge = try await till.call("GET", "/v1/charges/AAAAAAAAAAAAA")
        #expect(charge.status == 404)
        #expect(charge.error == "invalid_request_error invalid_request")
        #expect(charge.json["message"]?.text == "404 Not Found")
        #expect(try await till.call("GET", "/v1/refunds/AAAAAAAAAAAAA").error == "- processing_error")
        #expect(try await till.call("GET", "/v1/customers").status == 404)
    }

    // MARK: Lists

    @Test("Lists are newest first, ten at a time, and page in both directions")
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
}
