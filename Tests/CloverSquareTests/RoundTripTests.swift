import CloverSquare
import CloverTestSupport
import Foundation
import Testing

@Suite("Round trips of random values")
struct RoundTripTests {
    private static let count = 10_000

    /// A JSON object made by Foundation, percent-encoded by Foundation.
    private func encoded(_ object: [String: Any]) throws -> String {
        let json = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        return try #require(json.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)))
    }

    @Test("the data of a request's URL is the request's")
    func requests() throws {
        var values = RandomValues(seed: 8)
        for _ in 0..<Self.count {
            let profile = values.profile()
            let draft = values.draft(profile)
            let request = try SquareRequest(draft, profile: profile)
            let handOff = try request.handOff()
            let data = try SquareRequestData(url: handOff.url)
            try #require(data == SquareRequestData(request))
            try #require(data.json == handOff.data)
            try #require(data.clientID == draft.clientID)
            try #require(data.amount == draft.amount)
            try #require(data.currencyCode == draft.currency)
            try #require(data.state == draft.state)
            try #require(data.notes == draft.notes)
            try #require(data.customerID == draft.customerID)
            try #require((profile == .register21 ? data.merchantID : data.locationID) == draft.locationID)
            if profile == .register21 { try #require(data.callbackURL == draft.callbackURL) }
            try #require(
                data.callbackURL.map { CallbackMarker.isPresent(in: $0.string) } == (profile == .pointOfSale354))
        }
    }

    @Test("a line of JSON gives the request it says")
    func lines() throws {
        var values = RandomValues(seed: 80)
        for _ in 0..<Self.count {
            let draft = values.draft(.pointOfSale354)
            var object: [String: Any] = [
                "id": "r", "amount": try #require(draft.amount), "clearDefaultFees": draft.clearDefaultFees,
                "autoReturn": draft.autoReturn, "disableKeyedIn": draft.disableKeyedIn,
                "skipReceipt": draft.skipReceipt,
                "tenders": draft.tenders.tenders(known: .pointOfSale354).map(\.wireName.string),
            ]
            object["clientId"] = draft.clientID?.string
            object["currency"] = draft.currency?.string
            object["callbackUrl"] = draft.callbackURL?.string
            object["state"] = draft.state?.string
            object["notes"] = draft.notes?.string
            object["locationId"] = draft.locationID?.string
            object["customerId"] = draft.customerID?.string
            let line = SquareRequestLine(try JSONSerialization.data(withJSONObject: object))
            try #require(line.draft == draft)
            let answer = SquareOutputLine.request(id: line.id, line.handOff(profile: .pointOfSale354, platform: .ios))
            let read = try #require(
                try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
            try #require(read["ok"] as? Bool == true)
        }
    }

    @Test("ids, state and error texts of a response come back unchanged")
    func responses() throws {
        var values = RandomValues(seed: 88)
        for _ in 0..<Self.count {
            let profile = values.profile()
            let isSuccess = values.flag()
            let (transaction, client) = (values.optionalText(), values.optionalText())
            let state = values.optionalText()
            let wire = SquareText("e" + values.text().string)
            var object: [String: Any] = ["status": isSuccess ? "ok" : "error", "error_code": wire.string]
            object["transaction_id"] = transaction?.string
            object["client_transaction_id"] = client?.string
            object["state"] = state?.string
            let url = "corner-cafe://pay/square_request?a=b&data=\(try encoded(object))#end"
            let response = try SquareResponse(url: url, profile: profile)
            try #require(response.isSuccess == isSuccess)
            try #require(response.state == state)
            try #require(response.transactionID == (isSuccess ? transaction : nil))
            try #require(response.clientTransactionID == (isSuccess ? client : nil))
            try #require(response.error?.wire == (isSuccess ? nil : wire))
        }
    }

    /// Reads lines of `{"url","wanted"}`: decodes the URL, compares, and answers as the Square app would, with the
    /// state in it.
    private static let program = #"""
        import json, sys, urllib.parse
        for line in sys.stdin.buffer:
            row = json.loads(line)
            url = row["url"]
            parts = urllib.parse.urlsplit(url)
            assert (parts.scheme, parts.netloc, parts.path) == ("square-commerce-v1", "payment", "/create"), url
            assert not parts.fragment
            name, value = parts.query.split("=", 1)
            assert name == "data"
            assert urllib.parse.parse_qs(parts.query, strict_parsing=True, errors="strict").keys() == {"data"}
            text = urllib.parse.unquote(value, errors="strict")
            assert urllib.parse.quote(text, safe="") == value, "other escapes: " + url
            data = json.loads(text)
            assert data == row["wanted"], (data, row["wanted"])
            answer = {"status": "ok", "transaction_id": "T"}
            if "state" in data: answer["state"] = data["state"]
            answer = json.dumps(answer, ensure_ascii=len(value) % 2 == 0)
            print(data["callback_url"].split("#")[0].split("?")[0] + "?data=" + urllib.parse.quote(answer, safe=":,"))
        """#

    /// What a request's data has to be, made by hand.
    private func wanted(_ draft: SquareRequestDraft, _ profile: SquareProfile, callback: String) -> [String: Any] {
        let isRegister = profile == .register21
        let names =
            [(1, "CREDIT_CARD"), (2, "CASH"), (4, "OTHER"), (8, "SQUARE_GIFT_CARD"), (16, "CARD_ON_FILE")]
            + (isRegister ? [] : [(32, "PAYPAY")])
        var options: [String: Any] = [
            "supported_tender_types": names.filter { draft.tenders.rawValue & UInt($0.0) != 0 }.map(\.1),
            "clear_default_fees": draft.clearDefaultFees, "auto_return": draft.autoReturn,
        ]
        if !isRegister {
            options["disable_cnp"] = draft.disableKeyedIn
            options["skip_receipt"] = draft.skipReceipt
        }
        var data: [String: Any] = [
            "sdk_version": isRegister ? "2.0" : "3.5.0", "version": isRegister ? "1.2" : "1.3", "options": options,
            "callback_url": callback,
            "amount_money": ["amount": draft.amount ?? 0, "currency_code": draft.currency?.string ?? ""]
                as [String: Any],
        ]
        data["client_id"] = draft.clientID?.string
        data["state"] = draft.state?.string
        data["notes"] = draft.notes?.string
        data["customer_id"] = draft.customerID?.string
        data[isRegister ? "merchant_id" : "location_id"] = draft.locationID?.string
        return data
    }

    @Test("Python decodes each URL to the same data, and its responses return the state")
    func python() async throws {
        var values = RandomValues(seed: 888)
        var input = Data()
        var states: [SquareText?] = []
        for _ in 0..<Self.count {
            let profile = values.profile()
            let draft = values.draft(profile)
            let handOff = try SquareRequest(draft, profile: profile).handOff()
            let callback = try #require(handOff.data["callback_url"]?.text).string
            let row: [String: Any] = ["url": handOff.url, "wanted": wanted(draft, profile, callback: callback)]
            input += try JSONSerialization.data(withJSONObject: row) + Data("\n".utf8)
            states.append(draft.state)
        }
        let python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
        let result = try await python.run(["-I", "-c", Self.program], input: .bytes(Array(input)))
        #expect(result.status == 0, "\(result)")
        try #require(result.lines.count == Self.count)
        for (url, state) in zip(result.lines, states) {
            let response = try SquareResponse(url: url, profile: .pointOfSale354)
            try #require(response.state == state)
            try #require(response.transactionID == "T")
        }
    }
}
