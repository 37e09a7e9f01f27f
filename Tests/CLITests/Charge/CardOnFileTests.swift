import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("charge: cards on file")
struct CardOnFileTests {
    static let email = "kim@example.com"

    @Test("a card is saved with its first charge, and charged again through its customer")
    func saved() async throws {
        try await ChargeFixture.run { till in
            let first = try await till.charge("12.50", "--save-card", Self.email, "--consent", "--quiet")
            expectSuccess(first)
            let customer = try #require(try first.events.last?["customer"]?.string)
            #expect(try await till.customers(Self.email) == [customer])
            let second = try await till.charge(customer: customer, "3.00")
            expectSuccess(second)
            #expect(try second.events.last?["card"]?["last4"] == .string("4242"))
            #expect(try second.events.last?["customer"]?.string == customer)
            #expect(try await till.taken().compactMap { $0["amount"]?.integer } == [1250, 300])
            try await till.expectAgreement()
        }
    }

    @Test("the charge says that the card is on file, and no source is kept")
    func storedCredentials() async throws {
        try await ChargeFixture.run { till in
            let result = try await till.sandbox.clover(
                "charge", "--amount", "1.00", "--currency", "USD", "--customer", "CUSTOMER123", "--dry-run", "--json")
            expectSuccess(result)
            for text in [#"\"sequence\":\"SUBSEQUENT\""#, #"\"initiator\":\"MERCHANT\""#] {
                let plain = text.replacing(#"\"#, with: "")
                #expect(result.outputText.contains(text) || result.outputText.contains(plain), "\(result)")
            }
        }
    }

    @Test("--dry-run shows the request that saves the card before that of the charge, without the source")
    func savingPreview() async throws {
        try await ChargeFixture.run { till in
            let result = try await till.sandbox.clover(
                "charge", "--amount", "1.00", "--currency", "USD", "--source", "clv_1SECRETTOKEN", "--save-card",
                Self.email, "--consent", "--dry-run", "--json")
            expectSuccess(result)
            #expect(!result.outputText.contains("SECRETTOKEN"))
            let requests = try JSONValue.lines(result.lines)
            #expect(requests.map { $0["url"]?.string?.hasSuffix("/v1/customers") } == [true, false], "\(result)")
            #expect(requests[0]["body"]?["email"]?.string == Self.email)
            #expect(requests[0]["body"]?["source"]?.string == "(redacted)")
            #expect(try await till.taken().isEmpty)
        }
    }

    @Test(
        "a card is saved only with consent, for an address, and from a card",
        arguments: [
            (["--card", "-", "--save-card", email], "needs --consent"),
            (["--card", "-", "--consent"], "--consent goes with --save-card"),
            (["--card", "-", "--save-card", "kim", "--consent"], "takes an email address"),
            (["--customer", "C1", "--save-card", email, "--consent"], "--save-card goes with --card - or --source"),
            (["--device", "C1", "--save-card", email, "--consent"], "--save-card does not apply"),
            (["--customer", "C1", "--card", "-"], "exclude each other"),
        ])
    func refused(_ options: [String], _ words: String) async throws {
        try await ChargeFixture.run { till in
            let result = try await till.sandbox.clover(
                arguments: ["charge", "--amount", "1.00", "--currency", "USD"] + options, input: ChargeFixture.card())
            expectFailure(result, status: 64, saying: words)
            #expect(try await till.taken().isEmpty)
        }
    }

    @Test("an address that a customer has is not saved again or charged; the same key charges that customer")
    func known() async throws {
        try await ChargeFixture.run { till in
            expectSuccess(try await till.charge("12.50", "--save-card", Self.email, "--consent", "--quiet"))
            let customer = try #require(try await till.customers(Self.email).first)
            let again = try await till.charge(
                "3.00", "--save-card", Self.email, "--consent", "--quiet", "--idempotency-key", "k-1")
            expectFailure(
                again, status: 64, saying: "a customer has the address", "--customer \(customer)", output: nil)
            #expect(try await till.taken().count == 1)
            expectSuccess(try await till.charge(customer: customer, "3.00", "--idempotency-key", "k-1"))
            let other = try await till.charge(customer: "OTHER", "3.00", "--idempotency-key", "k-1")
            expectFailure(other, status: 64, saying: "the idempotency key belongs to something else")
            #expect(try await till.customers(Self.email) == [customer])
            try await till.expectAgreement()
        }
    }

    @Test("the key of a charge that was made does not seem to save the card of another address")
    func otherAddress() async throws {
        try await ChargeFixture.run { till in
            expectSuccess(try await till.charge("12.50", "--quiet", "--idempotency-key", "k-0"))
            expectSuccess(
                try await till.charge(
                    "12.50", "--save-card", Self.email, "--consent", "--quiet", "--idempotency-key", "k-1"))
            for key in ["k-0", "k-1"] {
                let other = try await till.charge(
                    "12.50", "--save-card", "tom@example.com", "--consent", "--quiet", "--idempotency-key", key)
                expectFailure(other, status: 64, saying: "the idempotency key belongs to something else")
                expectSuccess(try await till.charge("12.50", "--quiet", "--idempotency-key", key))
            }
            #expect(try await till.customers("tom@example.com").isEmpty)
            #expect(try await till.taken().count == 2)
        }
    }

    @Test("a key under which a card may have been saved is not used again without that card")
    func keptInMind() async throws {
        try await ChargeFixture.run(emulator: ["--fault", "lose-answer@1:/v1/customers"]) { till in
            let saving = ["--save-card", Self.email, "--consent"]
            func charge(_ options: [String]) async throws -> CommandResult {
                try await till.sandbox.clover(
                    arguments: ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-", "--quiet"]
                        + ["--idempotency-key", "k-1"] + options, input: ChargeFixture.card())
            }
            #expect(try await charge(saving).status == 69)
            for options in [[], ["--save-card", "tom@example.com", "--consent"]] {
                expectFailure(
                    try await charge(options), status: 64, saying: "the idempotency key belongs to something else")
            }
            #expect(try await till.taken().isEmpty)
            expectSuccess(try await charge(saving))
            #expect(try await till.customers(Self.email).count == 1)
        }
    }

    @Test(
        "a lost response to the saving denies nothing, charges nothing, and is looked up before it is repeated",
        arguments: ["lose-answer", "500-after", "reset", "500"])
    func lost(_ fault: String) async throws {
        try await ChargeFixture.run(emulator: ["--fault", "\(fault)@1:/v1/customers"]) { till in
            let options = ["--save-card", Self.email, "--consent", "--quiet", "--idempotency-key", "k-1"]
            func charge(_ more: String...) async throws -> CommandResult {
                try await till.sandbox.clover(
                    arguments: ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-"] + options + more,
                    input: ChargeFixture.card())
            }
            let first = try await charge()
            expectFailure(
                first, status: 69, saying: "nothing was charged, and the card may have been saved", output: nil)
            #expect(!first.errorText.contains("nothing was carried out"), "\(first)")
            #expect(try await till.taken().isEmpty)
            let saved = try await till.customers(Self.email)
            if let customer = saved.first {
                #expect(first.errorText.contains("--customer \(customer)"), "\(first)")
                let second = try await charge()
                expectSuccess(second)
                #expect(
                    try second.events.last?["customer"]?.string == customer, "the repeat goes on with that customer")
            } else {
                // Only a person who sees that there is no such customer permits a second save.
                expectFailure(try await charge(), status: 75, saying: "no customer has the address yet", output: nil)
                expectSuccess(try await charge("--save-again"))
            }
            #expect(try await till.customers(Self.email).count == 1)
            #expect(try await till.taken().count == 1)
            try await till.expectAgreement()
        }
    }

    @Test("cards are listed, replaced and revoked, also when the response is lost")
    func changed() async throws {
        // The first of each kind of request; a second revocation is confirmed by a 404.
        let faults = ["1", "3", "4"].flatMap { ["--fault", "lose-answer@\($0):/v1/customers/"] }
        try await ChargeFixture.run(emulator: faults) { till in
            expectSuccess(try await till.charge("12.50", "--save-card", Self.email, "--consent", "--quiet"))
            let customer = try #require(try await till.customers(Self.email).first)
            func list() async throws -> [JSONValue] {
                let result = try await till.sandbox.clover("charge", "card", "list", customer)
                // A notice on standard error says that there is none.
                #expect(result.ending == .exited(0), "\(result)")
                return try JSONValue.lines(result.lines)
            }
            #expect(try await list().map { $0["last4"] } == [.string("4242")])
            #expect(try await list().map { $0["expires"] } == [.string("1230")])
            let unasked = try await till.sandbox.clover(
                arguments: ["charge", "card", "replace", customer, "--card", "-"], input: ChargeFixture.card())
            expectFailure(unasked, status: 64, saying: "--consent")
            let replaced = try await till.sandbox.clover(
                arguments: ["charge", "card", "replace", customer, "--card", "-", "--consent"],
                input: ChargeFixture.card("5555555555554444"))
            expectSuccess(replaced)
            #expect(try await list().map { $0["last4"] } == [.string("4444")])
            expectSuccess(try await till.charge(customer: customer, "1.00"))
            let card = try #require(try await list().first?["card"]?.string)
            let revoked = try await till.sandbox.clover("charge", "card", "revoke", customer, card)
            expectSuccess(revoked)
            #expect(try await list().isEmpty)
            let gone = try await till.sandbox.clover("charge", "card", "revoke", customer, card)
            #expect(gone.ending == .exited(0) || gone.ending == .exited(66), "\(gone)")
            #expect(try await till.charge(customer: customer, "1.00").ending != .exited(0))
            #expect(try await till.taken().count == 2)
        }
    }

    @Test("a repeat goes on with the customer of the first attempt only if that has the same card")
    func otherCard() async throws {
        try await ChargeFixture.run(emulator: ["--fault", "lose-answer@1:/v1/customers"]) { till in
            func charge(_ number: String) async throws -> CommandResult {
                try await till.charge(
                    "12.50", "--save-card", Self.email, "--consent", "--quiet", "--idempotency-key", "k-1",
                    card: ChargeFixture.card(number))
            }
            expectFailure(try await charge("4242424242424242"), status: 69, saying: "may have been saved", output: nil)
            let other = try await charge("5555555555554444")
            expectFailure(other, status: 64, saying: "a customer has the address", output: nil)
            #expect(try await till.taken().isEmpty)
            expectSuccess(try await charge("4242424242424242"))
            #expect(try await till.customers(Self.email).count == 1)
            try await till.expectAgreement()
        }
    }

    @Test("a decline of the saving, which may be a repeated response, denies nothing that the customers show")
    func declinedAlthoughSaved() async throws {
        let decline = try RecordedCase.named("ecomm-decline-expired")
        for isSaved in [true, false] {
            let isSent = Mutex(false)
            try await Sandbox.run(server: { request, _ in
                if request.method == "POST", request.path == "/v1/customers" {
                    isSent.withLock { $0 = true }
                    return decline.response(to: request)
                }
                guard request.method == "GET", request.path.hasSuffix("/customers") else {
                    return LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
                }
                let row = #"{"id":"KIM","emailAddresses":{"elements":[{"emailAddress":"\#(Self.email)"}]}}"#
                let isThere = isSaved && isSent.withLock(\.self)
                return ServedList(records: isThere ? [row] : []).answer(to: request)
            }) { sandbox, server in
                let result = try await sandbox.with(["CLOVER_MERCHANT_ID": RecordedCase.merchantID]).clover(
                    "charge", "--minor", "5298", "--currency", "USD", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1",
                    "--save-card", Self.email, "--consent")
                if isSaved {
                    expectFailure(
                        result, status: 69, saying: "nothing was charged, and the card may have been saved",
                        "--customer KIM", output: nil)
                } else {
                    expectFailure(result, status: 64, saying: "the card was not saved", output: nil)
                }
                #expect(!server.requests.contains { $0.path == "/v1/charges" && $0.method == "POST" })
            }
        }
    }

    @Test("a customer whom the response names without an address is charged only if the customer has the address")
    func namedOnly() async throws {
        let email = Self.email
        for owner in [email, "lee@example.com"] {
            try await Sandbox.run(server: { request, _ in
                if request.method == "POST" {
                    let isSave = request.path == "/v1/customers"
                    return LoopbackResponse(
                        isSave ? #"{"id":"C9","object":"customer"}"# : #"{"id":"P1","status":"succeeded","amount":100}"#
                    )
                }
                guard request.path.contains("/customers/C9") else { return .page([]) }
                return LoopbackResponse(
                    #"{"id":"C9","emailAddresses":{"elements":[{"emailAddress":"\#(owner)"}]}}"#)
            }) { sandbox, server in
                let result = try await sandbox.clover(
                    "charge", "--minor", "100", "--currency", "USD", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1",
                    "--save-card", email, "--consent")
                let charges = server.requests.count { $0.path == "/v1/charges" && $0.method == "POST" }
                #expect(charges == (owner == email ? 1 : 0), "\(result)")
                if owner != email {
                    expectFailure(
                        result, status: 69, saying: "the response is about another customer", output: nil)
                }
            }
        }
    }

    @Test("an address in another case is the same address, however it is filtered")
    func otherCase() async throws {
        try await ChargeFixture.run { till in
            expectSuccess(try await till.charge("12.50", "--save-card", "Kim@Example.com", "--consent", "--quiet"))
            let again = try await till.charge("3.00", "--save-card", Self.email, "--consent", "--quiet")
            expectFailure(again, status: 64, saying: "a customer has the address", output: nil)
            #expect(try await till.taken().count == 1)
        }
    }

    @Test("several processes that save one address at once save one customer")
    func atOnce() async throws {
        // All look before the first one saves.
        try await ChargeFixture.run(emulator: ["--latency", "150ms"], weight: 3) { till in
            let results = try await withThrowingTaskGroup(of: CommandResult.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await till.charge("1.00", "--save-card", Self.email, "--consent", "--quiet") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0.status == 0 } == 1, "\(results)")
            #expect(results.count { $0.status == 64 } == 3, "\(results)")
            #expect(try await till.customers(Self.email).count == 1)
        }
    }

    @Test(
        "an ID that is empty is refused before anything is requested",
        arguments: [["revoke", "", ""], ["revoke", "C1", " "], ["list", ""]])
    func emptyID(_ arguments: [String]) async throws {
        try await Sandbox.run(server: { request, _ in
            Issue.record("\(request.method) \(request.path)")
            return LoopbackResponse("{}")
        }) { sandbox, _ in
            let result = try await sandbox.clover(["charge", "card"] + arguments)
            expectFailure(result, status: 64, saying: "ID is empty")
        }
    }

    @Test("a card whose revocation has no response stays unknown, although a list does not show it")
    func revokeLost() async throws {
        try await ChargeFixture.run(emulator: ["--fault", "500@1-2:/v1/customers/"]) { till in
            expectSuccess(try await till.charge("12.50", "--save-card", Self.email, "--consent", "--quiet"))
            let customer = try #require(try await till.customers(Self.email).first)
            let card = try #require(
                try JSONValue.lines(try await till.sandbox.clover("charge", "card", "list", customer).lines).first?[
                    "card"]?
                    .string)
            let first = try await till.sandbox.clover("charge", "card", "revoke", customer, card)
            expectFailure(first, status: 80, saying: "may still be on file", "card revoke \(customer) \(card)")
            expectSuccess(try await till.sandbox.clover("charge", "card", "revoke", customer, card))
        }
    }

    @Test("a card is off file when a response says so and the customer does not show it any more; otherwise: 80")
    func acceptedOnly() async throws {
        let card = #"{"id":"K"}"#
        for (shown, status, words) in [
            (LoopbackResponse(#"{"id":"C1","cards":{"elements":[]}}"#), 0, ""),
            (LoopbackResponse(#"{"id":"C1","cards":{"elements":[\#(card)]}}"#), 80, "and still shows the card"),
            (LoopbackResponse(#"{"id":"C2","cards":{"elements":[]}}"#), 80, "cannot be read again"),
            (LoopbackResponse(#"{"id":"C1"}"#), 80, "cannot be read again"),
            (LoopbackResponse(#"{"id":"C1","cards":null}"#), 80, "cannot be read again"),
            (LoopbackResponse(status: "403 Forbidden", #"{"message":"Forbidden"}"#), 80, "cannot be read again"),
        ] as [(LoopbackResponse, Int32, String)] {
            try await Sandbox.run(server: { request, _ in
                request.method == "GET" ? shown : LoopbackResponse(#"{"id":"K","deleted":true}"#)
            }) { sandbox, _ in
                let result = try await sandbox.clover("charge", "card", "revoke", "C1", "K")
                #expect(result.status == status && (words.isEmpty || result.errorText.contains(words)), "\(result)")
                #expect(result.outputText.contains("revoked") == (status == 0), "\(result)")
            }
        }
    }

    @Test("a response that does not say that this card is off file proves nothing, although the list lacks it")
    func unconfirmed() async throws {
        for (body, status) in [
            ("", 0), (#"{"deleted":true}"#, 0), ("{}", 80), (#"{"id":"K"}"#, 80), (#"{"id":"K","deleted":false}"#, 80),
            (#"{"id":"L","deleted":true}"#, 80),
        ] as [(String, Int32)] {
            try await Sandbox.run(server: { request, _ in
                LoopbackResponse(request.method == "GET" ? #"{"id":"C1","cards":{"elements":[]}}"# : body)
            }) { sandbox, _ in
                let result = try await sandbox.clover("charge", "card", "revoke", "C1", "K")
                #expect(result.status == status, "\(body): \(result)")
                #expect(result.outputText.contains("revoked") == (status == 0), "\(result)")
            }
        }
    }

    @Test("a charge for which the service names another customer is approved, with a warning and a reason")
    func otherCustomer() async throws {
        for shown in ["C1", "EVE"] {
            try await Sandbox.run(server: { request, _ in
                guard request.method == "POST", request.path == "/v1/charges" else {
                    return LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
                }
                let found = request.bodyText.firstMatch(of: /"external_reference_id":"([^"]+)"/)
                let external = found.map { String($0.1) } ?? ""
                return LoopbackResponse(
                    #"{"id":"P1","amount":300,"currency":"usd","status":"succeeded","paid":true,"captured":true,"#
                        + #""customer":"\#(shown)","external_reference_id":"\#(external)"}"#)
            }) { sandbox, _ in
                let result = try await sandbox.clover(
                    "charge", "--minor", "300", "--currency", "USD", "--customer", "C1")
                #expect(result.status == 0, "\(result)")
                let isOther = shown != "C1"
                #expect(result.errorText.contains("Clover names the customer EVE") == isOther, "\(result)")
                let last = try #require(try result.events.last)
                #expect(last["event"]?.string == "approved" && last["customer"]?.string == "C1", "\(result)")
                #expect((last["reason"]?.string == "Clover names another customer, EVE") == isOther, "\(result)")
            }
        }
    }

    /// Says that the card `K` is off file, if that is asked for.
    private static func answer(to request: LoopbackRequest) -> String {
        request.method == "DELETE" ? #"{"id":"K","deleted":true}"# : "{}"
    }

    @Test("what the service shows of a card's change may lag by a moment", arguments: [true, false])
    func lag(isRevoked: Bool) async throws {
        let reads = Mutex(0)
        try await Sandbox.run(server: { request, _ in
            guard request.method == "GET" else { return LoopbackResponse(Self.answer(to: request)) }
            let read = reads.withLock { reads in
                reads += 1
                return reads
            }
            // The cards before a replacement are read first.
            let now = isRevoked ? "" : #"{"id":"L"}"#
            return LoopbackResponse(
                #"{"id":"C1","cards":{"elements":[\#(read <= (isRevoked ? 1 : 2) ? #"{"id":"K"}"# : now)]}}"#)
        }) { sandbox, _ in
            let change =
                isRevoked
                ? ["revoke", "C1", "K"]
                : ["replace", "C1", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1", "--consent"]
            let result = try await sandbox.clover(["charge", "card"] + change)
            expectSuccess(result)
            #expect(try JSONValue.lines(result.lines).map { $0["card"]?.string } == [isRevoked ? "K" : "L"])
        }
    }

    @Test("a customer who still shows the earlier card beside the new one: 80")
    func replacedBeside() async throws {
        let isSaved = Mutex(false)
        try await Sandbox.run(server: { request, _ in
            if request.method == "PUT" { isSaved.withLock { $0 = true } }
            guard request.method == "GET" else { return LoopbackResponse(Self.answer(to: request)) }
            let cards = isSaved.withLock(\.self) ? #"{"id":"K"},{"id":"L"}"# : #"{"id":"K"}"#
            return LoopbackResponse(#"{"id":"C1","cards":{"elements":[\#(cards)]}}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "charge", "card", "replace", "C1", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1", "--consent")
            expectFailure(
                result, status: 80, saying: "still shows the earlier card", "clover charge card list C1", output: "")
        }
    }

    private static func refusal(_ status: String, _ code: String) -> LoopbackResponse {
        LoopbackResponse(status: status, #"{"message":"\#(status)","error":{"code":"\#(code)","message":"no"}}"#)
    }

    @Test("of a replacement whose new card is refused, what the customer shows afterwards counts")
    func replacementRefused() async throws {
        @Sendable func shown(_ cards: String) -> LoopbackResponse {
            LoopbackResponse(#"{"id":"C1","cards":{"elements":[\#(cards)]}}"#)
        }
        for (revoked, after, status, words) in [
            (#"{"id":"K","deleted":true}"#, shown(#"{"id":"K"}"#), 80, "and the customer still shows the earlier card"),
            ("", shown(#"{"id":"K"}"#), 80, "and the customer still shows the earlier card"),
            (#"{"id":"K","deleted":true}"#, shown(#"{"id":"L"}"#), 80, "and the customer shows the card L"),
            ("", LoopbackResponse(#"{"id":"C1"}"#), 80, "and the customer's cards cannot be read again"),
            ("", shown(""), 64, "the earlier card was revoked, and the new one was not saved"),
        ] as [(String, LoopbackResponse, Int32, String)] {
            let isSent = Mutex(false)
            try await Sandbox.run(server: { request, _ in
                switch request.method {
                case "DELETE": return LoopbackResponse(revoked)
                case "GET": return isSent.withLock(\.self) ? after : shown(#"{"id":"K"}"#)
                default:
                    isSent.withLock { $0 = true }
                    return Self.refusal("400 Bad Request", "card_declined")
                }
            }) { sandbox, _ in
                let result = try await sandbox.clover(
                    "charge", "card", "replace", "C1", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1", "--consent")
                expectFailure(result, status: status, saying: words)
            }
        }
    }

    @Test("a second card that cannot be revoked ends the replacement, and says what is known of the first: 80")
    func secondNotRevoked() async throws {
        let isRevoked = Mutex(false)
        try await Sandbox.run(server: { request, _ in
            guard request.method == "GET" else {
                if request.path.hasSuffix("/L") { return Self.refusal("404 Not Found", "resource_missing") }
                isRevoked.withLock { $0 = true }
                return LoopbackResponse(Self.answer(to: request))
            }
            let cards = isRevoked.withLock(\.self) ? "" : #"{"id":"K"},{"id":"L"}"#
            return LoopbackResponse(#"{"id":"C1","cards":{"elements":[\#(cards)]}}"#)
        }) { sandbox, server in
            let result = try await sandbox.clover(
                "charge", "card", "replace", "C1", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1", "--consent")
            expectFailure(
                result, status: 80, saying: "a card was revoked, the new one was not saved",
                "the customer shows no card",
                "clover charge card list C1")
            #expect(!server.requests.contains { $0.method == "PUT" })
        }
    }

    @Test("a page in place of the response revokes nothing: 80")
    func revokedByPage() async throws {
        try await ChargeFixture.run(emulator: ["--fault", "not-json:/v1/customers/"]) { till in
            expectSuccess(try await till.charge("12.50", "--save-card", Self.email, "--consent", "--quiet"))
            let customer = try #require(try await till.customers(Self.email).first)
            let result = try await till.sandbox.clover("charge", "card", "revoke", customer, "CARD")
            expectFailure(result, status: 80, saying: "may still be on file")
        }
    }

    @Test("a customer that does not exist is 66, and is neither read nor charged")
    func missing() async throws {
        try await ChargeFixture.run { till in
            for arguments in [["list", "MISSING"], ["revoke", "MISSING", "CARD"]] {
                let result = try await till.sandbox.clover(["charge", "card"] + arguments)
                expectFailure(result, status: 66, saying: "clover get customers --filter emailAddress=")
            }
            let charge = try await till.charge(customer: "MISSING", "1.00")
            #expect(charge.ending != .exited(0))
            #expect(try await till.taken().isEmpty)
        }
    }

    @Test("a list that leaves out a row does not deny what it hides")
    func hidden() async throws {
        let faults = ["--fault", "lose-answer@1:/v1/charges", "--fault", "hidden-rows:/v1/charges"]
        try await ChargeFixture.run(emulator: faults) { till in
            expectSuccess(try await till.charge("12.50", "--save-card", Self.email, "--consent", "--quiet"))
            #expect(try await till.customers(Self.email).count == 1)
            #expect(try await till.taken().count == 1)
            try await till.expectAgreement()
        }
    }
}

extension ChargeFixture {
    /// Charges a customer's card on file.
    func charge(customer: String, _ amount: String, _ options: String...) async throws -> CommandResult {
        try await sandbox.clover(
            ["charge", "--amount", amount, "--currency", "USD", "--customer", customer, "--quiet"] + options)
    }

    /// The customers with this email address, as the service lists them.
    func customers(_ email: String) async throws -> [String] {
        let result = try await sandbox.clover(
            "get", "customers", "--filter", "emailAddress=\(email)", "-r", "--jq", ".id")
        expectSuccess(result)
        return result.lines
    }
}
