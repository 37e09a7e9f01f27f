import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// What a card service shows later, beside what it responded.
@Suite("charge: what the records show")
struct ChargeCheckTests {
    private static let missing = LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
    private static let declined = LoopbackResponse(
        status: "402 Payment Required",
        #"{"message":"402","error":{"type":"card_error","code":"card_declined","message":"no"}}"#)
    private static let charge = ["charge", "--amount", "12.50", "--currency", "USD", "--quiet"]

    /// A card service with one response for each method and path, beside those for card tokens.
    private final class Shop: Sendable {
        private let responses = Mutex<[String: LoopbackResponse]>([
            "GET /pakms/apikey": LoopbackResponse(#"{"apiAccessKey":"K"}"#),
            "POST /v1/tokens": LoopbackResponse(#"{"id":"clv_1MADEHERE"}"#),
            "GET /v1/charges": LoopbackResponse(#"{"has_more":false,"data":[]}"#),
        ])

        func set(_ call: String, _ response: LoopbackResponse) { responses.withLock { $0[call] = response } }

        /// Lists a charge of 12.50 USD with these members.
        func list(_ members: String, made: Int64 = ChargeCheckTests.now) {
            set(
                "GET /v1/charges",
                LoopbackResponse(
                    headers: ChargeCheckTests.headers(ChargeCheckTests.now),
                    body: (#"{"has_more":false,"data":[{"id":"X9","amount":1250,"currency":"usd","status":"succeeded","#
                        + #""created":\#(made),\#(members)}]}"#).utf8))
        }

        static func run(_ body: (Sandbox, Shop, LoopbackServer) async throws -> Void) async throws {
            let shop = Shop()
            try await Sandbox.run(server: { request, _ in
                shop.responses.withLock { $0["\(request.method) \(request.path)"] } ?? ChargeCheckTests.missing
            }) { try await body($0, shop, $1) }
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    private static func headers(_ milliseconds: Int64) -> [String] {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = format.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
        return ["Content-Type: application/json", "Date: \(date)"]
    }

    struct Listed: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let way: [String]
        let members: String
        /// Milliseconds before now.
        var age: Int64 = 0
        let status: Int32
    }

    @Test(
        "a decline is contradicted by a listed payment from its own source, and by no other of the same amount",
        arguments: [
            Listed(
                testDescription: "the card's token", way: ["--card", "-"],
                members: #""source":{"id":"clv_1MADEHERE"}"#, status: 80),
            Listed(
                testDescription: "another token", way: ["--card", "-"], members: #""source":{"id":"clv_1OTHER"}"#,
                status: 81),
            Listed(testDescription: "no token", way: ["--card", "-"], members: #""paid":true"#, status: 81),
            Listed(
                testDescription: "a token, before", way: ["--source", "clv_1TOKEN"],
                members: #""source":{"id":"clv_1TOKEN"}"#, age: 1_800_000, status: 81),
            Listed(
                testDescription: "a token, under a chosen key",
                way: ["--source", "clv_1TOKEN", "--idempotency-key", "order-1"],
                members: #""source":{"id":"clv_1TOKEN"}"#, age: 1_800_000, status: 80),
            Listed(
                testDescription: "the customer", way: ["--customer", "CUST1"],
                members: #""customer":"CUST1","source":{"id":"T"}"#, status: 80),
            Listed(
                testDescription: "another customer", way: ["--customer", "CUST1"],
                members: #""customer":"CUST2","source":{"id":"T"}"#, status: 81),
        ])
    func ownSource(_ row: Listed) async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.set("POST /v1/charges", Self.declined)
            shop.list(row.members, made: Self.now - row.age)
            let result = try await sandbox.clover(arguments: Self.charge + row.way, input: ChargeFixture.card())
            #expect(result.ending == .exited(row.status), "\(result)")
            let candidates = try result.events.last?["candidates"]?.elements
            #expect(candidates == (row.status == 80 ? [.string("X9")] : nil), "\(result)")
        }
    }

    @Test("an approval with another card or an earlier time is looked up by its ID, and unknown if that shows the same")
    func anotherCard() async throws {
        for (isEarlier, isMended) in [(false, false), (false, true), (true, false)] {
            try await Shop.run { sandbox, shop, _ in
                let now = Self.now
                func record(_ card: String?, _ made: Int64) -> LoopbackResponse {
                    let source = card.map { #"{"last4":"\#($0)"}"# } ?? "{}"
                    return LoopbackResponse(
                        headers: Self.headers(now),
                        body: (#"{"id":"X1","amount":1250,"currency":"usd","status":"succeeded","captured":true,"#
                            + #""created":\#(made),"source":\#(source)}"#).utf8)
                }
                let wrong = isEarlier ? record(nil, now - 3_600_000) : record("1111", now)
                shop.set("POST /v1/charges", wrong)
                shop.set("GET /v1/charges/X1", isMended ? record("4242", now) : wrong)
                let result = try await sandbox.clover(
                    arguments: Self.charge + ["--card", "-"], input: ChargeFixture.card())
                if isMended { return expectSuccess(result) }
                expectFailure(
                    result, status: 80,
                    saying: isEarlier ? "it was made before the request" : "a card that ends in 1111", "X1",
                    output: nil)
                let recovery = try await sandbox.clover("charge", "recover", "--all")
                #expect(recovery.ending == .exited(80), "\(recovery)")
            }
        }
    }

    @Test(
        "a payment from a token or customer is taken for the charge's with any card, and with a wrong clock only by its own reference",
        arguments: [["--source", "clv_1TOKEN"], ["--customer", "CUST1"]])
    func unknownCard(_ way: [String]) async throws {
        try await Sandbox.run(server: { request, _ in
            let body = try? JSONValue(request.bodyText)
            guard request.method == "POST", let reference = body?["external_reference_id"]?.string else {
                return Self.missing
            }
            let isLate = body?["amount"]?.integer == 700
            return LoopbackResponse(
                headers: Self.headers(Self.now),
                body: (#"{"id":"X\#(reference)","amount":\#(isLate ? 700 : 1250),"currency":"usd","status":"succeeded","#
                    + #""captured":true,"external_reference_id":"\#(reference)","source":{"last4":"1111"},"#
                    + #""created":\#(Self.now - (isLate ? 86_400_000 : 0))}"#).utf8)
        }) { sandbox, _ in
            expectSuccess(try await sandbox.clover(Self.charge + way))
            expectSuccess(try await sandbox.clover(Self.charge + way + ["--external-id", "INV-1"]))
            let late = ["charge", "--minor", "700", "--currency", "USD", "--quiet"] + way
            expectSuccess(try await sandbox.clover(late))
            // The same invoice number may be on an earlier payment, which a proxy repeats.
            expectFailure(
                try await sandbox.clover(late + ["--external-id", "INV-2"]), status: 80,
                saying: "it was made before the request", output: nil)
        }
    }

    @Test("the emulator in its default time takes charges from a token or customer under a chosen external ID")
    func ownTime() async throws {
        try await ChargeFixture.run { till in
            let saved = try await till.charge("12.50", "--save-card", "kim@example.com", "--consent", "--quiet")
            let customer = try #require(try saved.events.last?["customer"]?.string)
            let token = try await till.cardToken()
            let ways = [["--source", token], ["--customer", customer], ["--customer", customer]]
            for (number, way) in ways.enumerated() {
                expectSuccess(
                    try await till.sandbox.clover(
                        ["charge", "--amount", "3.00", "--currency", "USD", "--external-id", "INV-\(number / 2)"] + way)
                )
            }
        }
    }

    @Test("a check of a known payment that cannot be asked for, or is gone, says so, and names no other payment")
    func unaskedPayment() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.set(
                "POST /v1/charges",
                LoopbackResponse(#"{"id":"CH1","amount":1250,"currency":"usd","status":"succeeded","captured":true}"#))
            let charge = try await sandbox.clover(Self.charge + ["--source", "clv_1TOKEN"])
            expectSuccess(charge)
            let id = try #require(try charge.events.last?["charge"]?.string)
            shop.list(#""paid":true"#)
            for (response, status) in [
                (LoopbackResponse.reset, Int32(69)), (LoopbackResponse(status: "500 Error", "{}"), 69),
                (Self.missing, 0),
            ] {
                shop.set("GET /v1/charges/CH1", response)
                let result = try await sandbox.clover("charge", "show", id, "--check", "--json")
                #expect(result.ending == .exited(status), "\(result)")
                let view = try #require(try JSONValue(result.outputText)["service"])
                let reason = view["reason"]?.string ?? ""
                #expect(!reason.contains("X9"), "\(result)")
                if status == 0 {
                    #expect(view["found"] == .bool(false) && view["agrees"] == .bool(false), "\(result)")
                    #expect(reason == "Clover does not have the payment CH1")
                } else {
                    #expect(view["found"] == nil && view["agrees"] == nil, "\(result)")
                    #expect(reason.hasPrefix("the payment CH1 could not be asked for: "), "\(result)")
                    #expect(result.errorText.contains(reason), "\(result)")
                }
            }
        }
    }

    @Test("a payment from the own source that is still listed is named after a person recorded the charge as not paid")
    func notPaid() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.set("POST /v1/charges", .reset)
            shop.list(#""source":{"id":"clv_1TOKEN"}"#)
            let arguments = Self.charge + ["--source", "clv_1TOKEN", "--idempotency-key", "order-1"]
            let lost = try await sandbox.clover(arguments)
            #expect(lost.ending == .exited(80), "\(lost)")
            let id = try #require(try lost.events.last?["charge"]?.string)
            #expect(try await sandbox.clover("charge", "settle", id, "--not-paid").ending == .exited(0))
            for what in ["--all", "--all", id] {
                let result = try await sandbox.clover("charge", "recover", what)
                expectFailure(
                    result, status: 80, saying: "recorded that it was not carried out; Clover shows the payment X9",
                    output: nil)
            }
            #expect(try await sandbox.clover(arguments).ending == .exited(80))
            let row = try JSONValue(try await sandbox.clover("charge", "show", id, "--json").outputText)
            #expect(row["state"]?.string == "failed" && row["contradiction"] != nil, "\(row)")
            // One that only looks alike is not named.
            shop.list(#""source":{"id":"clv_1OTHER"}"#)
            for _ in 1...2 { expectSuccess(try await sandbox.clover("charge", "recover", "--all")) }
            let now = try JSONValue(try await sandbox.clover("charge", "show", id, "--json").outputText)
            #expect(now["contradiction"] == nil, "\(now)")
            // A person who has seen it can stay with the entry.
            shop.list(#""source":{"id":"clv_1TOKEN"}"#)
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 80,
                saying: "or confirm what is recorded: clover charge settle \(id) --not-paid", output: nil)
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--not-paid", "--by", "Ben"))
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
            #expect(try await sandbox.clover(arguments).ending == .exited(81))
        }
    }

    @Test("a payment with an external ID of the user's own is named after a person recorded the charge as not paid")
    func notPaidUnderChosenID() async throws {
        try await Shop.run { sandbox, shop, _ in
            shop.set("POST /v1/charges", .reset)
            let lost = try await sandbox.clover(Self.charge + ["--customer", "CUST1", "--external-id", "INV-1"])
            #expect(lost.ending == .exited(80), "\(lost)")
            let id = try #require(try lost.events.last?["charge"]?.string)
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--not-paid"))
            let members = #""customer":"CUST1","external_reference_id":"INV-1""#
            // An invoice number may be on an earlier payment, which says nothing.
            shop.list(members, made: Self.now - 3_600_000)
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
            shop.list(members)
            for what in ["--all", id] {
                expectFailure(
                    try await sandbox.clover("charge", "recover", what), status: 80,
                    saying: "Clover shows the payment X9 with its external ID", output: nil)
            }
        }
    }

    @Test("a refund that was pending is asked for again: one that failed is named", arguments: ["failed", "succeeded"])
    func pendingRefund(_ end: String) async throws {
        try await Shop.run { sandbox, shop, server in
            func refund(_ status: String) -> LoopbackResponse {
                LoopbackResponse(
                    #"{"id":"R1","amount":500,"currency":"usd","charge":"CH1","status":"\#(status)"}"#)
            }
            shop.set(
                "POST /v1/charges",
                LoopbackResponse(#"{"id":"CH1","amount":1250,"currency":"usd","status":"succeeded","captured":true}"#))
            shop.set("POST /v1/refunds", refund("pending"))
            let charge = try await sandbox.clover(Self.charge + ["--source", "clv_1TOKEN"])
            let id = try #require(try charge.events.last?["charge"]?.string)
            let done = try await sandbox.clover("charge", "refund", id, "--amount", "5.00")
            #expect(done.ending == .exited(0), "\(done)")
            let operation = try #require(try done.events.last?["operation"]?.string)
            shop.set("GET /v1/refunds/R1", refund(end))
            for _ in 1...2 {
                let result = try await sandbox.clover("charge", "recover", "--all")
                if end == "failed" {
                    expectFailure(
                        result, status: 80, saying: "was pending; checked later, Clover shows that it failed",
                        output: nil)
                } else {
                    expectSuccess(result)
                }
            }
            #expect(server.requests.count { $0.path == "/v1/refunds/R1" } == 1)
            let row = try JSONValue(try await sandbox.clover("charge", "show", id, "--json").outputText)
            #expect(row["refunded"] == .integer(end == "failed" ? 0 : 500), "\(row)")
            guard end == "failed" else { return }
            #expect(try await sandbox.clover("charge", "settle", operation, "--not-paid").ending == .exited(0))
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
        }
    }

    @Test("a reader that does not know the outcome is reported as such, with its message")
    func unknownReader() async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let emulator = try await EmulatorProcess(["--orders", "5"])
            let program = try await world.sandbox.makeScript(
                "doubtful",
                """
                say() { printf '%s\\n' "$1"; }
                while read -r line; do
                    id=$(printf %s "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
                    case $line in
                    *'"hello"'*) say '{"id":'$id',"result":{"version":1,"driver":"doubtful","capabilities":["scan","connect","charge"]}}' ;;
                    *'"connect"'*)
                        say '{"id":'$id',"result":{"reader":{"id":"F0:0D:00:00:00:01"}}}'
                        say '{"event":"state","state":"initializing"}'
                        say '{"event":"state","state":"ready"}' ;;
                    *'"request":"charge"'*) say '{"id":'$id',"result":{"outcome":"unknown","message":"the line was cut"}}' ;;
                    *) say '{"id":'$id',"result":{}}' ;;
                    esac
                done
                """)
            let result = try await world.sandbox.using(emulator).clover(
                ["charge", "--amount", "12.50", "--currency", "USD", "--reader", "F0:0D:00:00:00:01"]
                    + ["--driver", "'\(program)'"])
            expectFailure(
                result, status: 80, saying: "the reader does not know whether money was taken: the line was cut",
                output: nil)
        }
    }
}
