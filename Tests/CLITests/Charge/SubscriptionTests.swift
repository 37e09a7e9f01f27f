import CloverTestSupport
import Foundation
import Testing

@Suite("plan and subscription: recurring payments")
struct SubscriptionTests {
    @Test("a plan is made, listed, shown, changed and deleted")
    func plan() async throws {
        try await ChargeFixture.run { till in
            let made = try await till.plan("Coffee club")
            expectSuccess(made)
            #expect(try made.eventNames == ["created", "sent", "active"])
            let id = try #require(try made.events.last?["plan"]?.string)
            let row = try JSONValue(try #require(try await till.sandbox.clover("plan", "list").lines.first))
            #expect(row["plan"]?.string == id && row["amount"]?.integer == 2500 && row["interval"]?.string == "MONTH")
            #expect(row["currency"]?.string == "USD")
            let table = try await till.sandbox.clover("plan", "list", "--format", "csv")
            #expect(table.outputText.hasPrefix("plan,name,amount"), "\(table)")
            let shownTable = try await till.sandbox.cloverOnTerminal("plan list", columns: 120).terminalText
            #expect(shownTable.contains("$25.00") && shownTable.contains("Coffee club"), "\(shownTable)")
            let changed = try await till.sandbox.clover(
                "plan", "change", id, "--amount", "27.50", "--currency", "USD", "--note", "from May on")
            expectSuccess(changed)
            let shown = try await till.sandbox.clover("plan", "show", id)
            #expect(try JSONValue(shown.outputText)["amount"]?.integer == 2750)
            #expect(try JSONValue(shown.outputText)["name"]?.string == "Coffee club", "a PUT keeps the rest")
            expectSuccess(try await till.sandbox.clover("plan", "delete", id))
            #expect(try await till.sandbox.clover("plan", "list").lines.isEmpty)
            expectFailure(try await till.sandbox.clover("plan", "delete", id), status: 66, saying: "there is no")
        }
    }

    @Test(
        "a response that shows another plan, another amount, or one that is not active confirms nothing",
        arguments: [
            #"{"id":"P2","name":"Other","amount":2500,"interval":"MONTH","active":true}"#,
            #"{"id":"P2","name":"Coffee club","amount":2400,"interval":"MONTH","active":true}"#,
            #"{"id":"P2","name":"Coffee club","amount":2500,"interval":"MONTH","active":false}"#,
        ])
    func otherPlan(_ body: String) async throws {
        try await Sandbox.run(server: { request, _ in
            if request.method == "POST" { return LoopbackResponse(body) }
            return request.path.hasSuffix("/properties")
                ? LoopbackResponse(#"{"timezone":"America/New_York","defaultCurrency":"USD"}"#)
                : LoopbackResponse(#"{"elements":[]}"#)
        }) { sandbox, _ in
            let words = [
                "plan", "create", "--name", "Coffee club", "--amount", "25.00", "--interval", "month", "--currency",
            ]
            let result = try await sandbox.clover(words + ["USD"])
            expectFailure(result, status: 80, saying: "that was not asked for", output: nil)
            expectFailure(
                try await sandbox.clover(words + ["EUR"]), status: 64, saying: "charges in USD, not in EUR", output: "")
        }
    }

    @Test("one for each name, and one for each customer and plan, unless another is asked for")
    func once() async throws {
        try await ChargeFixture.run { till in
            let plan = try #require(try await till.plan("Coffee club").events.last?["plan"]?.string)
            expectFailure(
                try await till.plan("Coffee club"), status: 64, saying: "there is the plan \(plan) already", output: nil
            )
            let customer = try await till.savedCustomer()
            let first = try await till.subscribe(customer, to: plan, "--idempotency-key", "k-1")
            expectSuccess(first)
            let id = try #require(try first.events.last?["subscription"]?.string)
            let again = try await till.subscribe(customer, to: plan, "--idempotency-key", "k-1")
            #expect(try again.events.last?["subscription"]?.string == id, "the same key, the same one")
            let second = try await till.subscribe(customer, to: plan)
            expectFailure(second, status: 64, saying: "there is the subscription \(id) already", output: nil)
            expectSuccess(try await till.subscribe(customer, to: plan, "--another"))
            #expect(try await till.subscriptions(customer).count == 2)
            #expect(try await till.journal().count == 1, "only the charge that saved the card")
        }
    }

    @Test(
        "a lost response is looked up before anything is repeated, and what is not in the list is unknown",
        arguments: ["lose-answer@1", "500-after@1", "reset@2", "500@2", "not-json@2"])
    func lost(_ fault: String) async throws {
        // The list is read first; some faults count only what changes something.
        try await ChargeFixture.run(emulator: ["--fault", "\(fault):/recurring/v1/plans/"]) { till in
            let plan = try #require(try await till.plan("Coffee club").events.last?["plan"]?.string)
            let customer = try await till.savedCustomer()
            let last = try await till.subscribe(customer, to: plan, "--idempotency-key", "k-1")
            let made = try await till.subscriptions(customer)
            #expect(last.status == (made.isEmpty ? 80 : 0), "\(last)")
            let again = try await till.subscribe(customer, to: plan, "--idempotency-key", "k-1")
            #expect(again.status == last.status, "\(again)")
            #expect(try await till.subscriptions(customer).count == made.count)
        }
    }

    @Test("what stays unknown blocks another one until it is settled by hand")
    func settled() async throws {
        try await ChargeFixture.run(emulator: ["--fault", "reset@2:/recurring/v1/plans/"]) { till in
            let plan = try #require(try await till.plan("Coffee club").events.last?["plan"]?.string)
            let customer = try await till.savedCustomer()
            let lost = try await till.subscribe(customer, to: plan)
            expectFailure(lost, status: 80, saying: "do not do it again", output: nil)
            let id = try #require(try lost.events.last?["operation"]?.string)
            expectFailure(
                try await till.subscribe(customer, to: plan), status: 75,
                saying: "or record what the dashboard shows: clover charge settle \(id)")
            let other = try await till.sandbox.clover("charge", "settle", id, "--paid", "--payment", "MISSING")
            expectFailure(other, status: 64, saying: "MISSING")
            let settled = try await till.sandbox.clover("charge", "settle", id, "--not-paid")
            #expect(settled.ending == .exited(0), "\(settled)")
            expectSuccess(try await till.subscribe(customer, to: plan))
            #expect(try await till.subscriptions(customer).count == 1)
        }
    }

    @Test("what is refused is refused, and blocks nothing")
    func refused() async throws {
        try await ChargeFixture.run { till in
            let plan = try #require(try await till.plan("Coffee club").events.last?["plan"]?.string)
            let customer = try await till.savedCustomer()
            let unknown = try await till.subscribe("NOSUCH", to: plan)
            expectFailure(unknown, status: 64, saying: "no card on file", output: nil)
            expectFailure(try await till.subscribe(customer, to: "MISSING"), status: 66, output: nil)
            expectSuccess(try await till.subscribe(customer, to: plan))
        }
    }

    @Test(
        "what cannot be meant is refused before anything is sent",
        arguments: [
            (["plan", "create", "--name", "C", "--minor", "1", "--currency", "USD", "--interval", "day"], "3 to 127"),
            (["plan", "create", "--name", "Tea", "--currency", "USD", "--interval", "day"], "the amount is missing"),
            (
                ["plan", "create", "--name", "Tea", "--minor", "0", "--currency", "USD", "--interval", "day"],
                "0.00 USD"
            ),
            (["plan", "change", "P", "--minor", "0", "--currency", "USD"], "0.00 USD"),
            (["plan", "change", "P"], "nothing to change"),
            (["plan", "change", "P", "--name", "C"], "3 to 127"),
            (["plan", "change", "P", "--minor", "1"], "need each other"),
            (["subscription", "change", "S"], "nothing to change"),
            (["subscription", "create", "--plan", "P", "--customer", "C", "--start", "today"], "takes a date"),
            (["subscription", "create", "--plan", "P", "--customer", "C", "--start", "2027-02-30"], "takes a date"),
            (["subscription", "change", "S", "--end", "2027-02-29"], "takes a date"),
            (
                [
                    "subscription", "create", "--plan", "P", "--customer", "C", "--start", "2027-02-02", "--end",
                    "2027-02-01",
                ], "--end is before --start"
            ),
            (["subscription", "create", "--plan", "P", "--customer", ""], "--customer is empty"),
            (["subscription", "create", "--plan", "P", "--customer", " "], "--customer is empty"),
            (["subscription", "create", "--plan", "P", "--customer", "--another"], "--customer has no value"),
            (["subscription", "create", "--plan", "", "--customer", "C"], "--plan is empty"),
            (["subscription", "list", "--plan", ""], "--plan is empty"),
            (["subscription", "cancel", ""], "the ID of the subscription is empty"),
            (["charge", "settle", "c", "--paid", "--payment", "--quiet"], "--payment has no value"),
            (["charge", "void", "c", "--idempotency-key", "--dry-run"], "--idempotency-key has no value"),
        ])
    func usage(_ arguments: [String], _ words: String) async throws {
        try await Sandbox.run { sandbox in
            expectFailure(
                try await sandbox.using("http://127.0.0.1:9").clover(arguments), status: 64, saying: words)
        }
    }

    @Test("a list that hides the new subscription does not deny it: it is unknown, then found; never made again")
    func hidden() async throws {
        let faults = ["--fault", "lose-answer:/recurring/v1/plans/", "--fault", "hidden-rows@2-3:/recurring/v1/plans/"]
        try await ChargeFixture.run(emulator: faults) { till in
            let plan = try #require(try await till.plan("Coffee club").events.last?["plan"]?.string)
            let customer = try await till.savedCustomer()
            var statuses: [Int32?] = []
            for _ in 0..<4 {
                statuses.append(try await till.subscribe(customer, to: plan, "--idempotency-key", "k-1").status)
                let other = try await till.subscribe(customer, to: plan)
                #expect(other.status == 64 || other.status == 75, "\(other)")
            }
            #expect(statuses.last == 0, "\(statuses)")
            #expect(try await till.subscriptions(customer).count == 1)
        }
    }

    @Test(
        "a subscription is cancelled although the response is lost; one that does not exist is 66",
        arguments: ["lose-answer", "500-after", "reset", "500"])
    func cancelled(_ fault: String) async throws {
        try await ChargeFixture.run(emulator: ["--fault", "\(fault)@1:/recurring/v1/subscriptions/"]) { till in
            let plan = try #require(try await till.plan("Coffee club").events.last?["plan"]?.string)
            let customer = try await till.savedCustomer()
            let made = try await till.subscribe(customer, to: plan)
            let id = try #require(try made.events.last?["subscription"]?.string)
            expectSuccess(try await till.sandbox.clover("subscription", "cancel", id))
            #expect(try await till.subscriptions(customer).allSatisfy { $0["active"] == .bool(false) })
            expectFailure(
                try await till.sandbox.clover("subscription", "cancel", "MISSING"), status: 66, saying: "there is no")
            expectSuccess(try await till.subscribe(customer, to: plan))
        }
    }
}

extension ChargeFixture {
    func plan(_ name: String) async throws -> CommandResult {
        try await sandbox.clover(
            "plan", "create", "--name", name, "--amount", "25.00", "--currency", "USD", "--interval", "month")
    }

    func subscribe(_ customer: String, to plan: String, _ options: String...) async throws -> CommandResult {
        try await sandbox.clover(["subscription", "create", "--plan", plan, "--customer", customer] + options)
    }

    /// A customer with a card on file.
    func savedCustomer(_ email: String = "kim@example.com") async throws -> String {
        expectSuccess(try await charge("1.00", "--save-card", email, "--consent", "--quiet"))
        return try #require(try await customers(email).first)
    }

    /// The subscriptions of a customer, as the service has them.
    func subscriptions(_ customer: String) async throws -> [JSONValue] {
        let result = try await sandbox.clover("subscription", "list")
        return try JSONValue.lines(result.lines).filter { $0["customer"]?.string == customer }
    }
}
