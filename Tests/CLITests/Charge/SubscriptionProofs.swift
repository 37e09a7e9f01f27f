import CloverTestSupport
import Foundation
import Testing

/// What must hold whatever happens to a request for a subscription. `make soak` runs the same with the full counts.
@Suite("subscription: proofs", .serialized)
struct SubscriptionProofs {
    private static let faults = ["lose-answer:0.15", "reset:0.2", "hidden-rows:0.35"].flatMap {
        ["--fault", "\($0):/recurring/v1/plans/"]
    }

    @Test("a subscription whose request is killed at any time is made once at most; none is denied, no older one taken")
    func killed() async throws {
        // A round mostly waits, because a second passes before each request: several shops at once take hardly longer.
        let shops = Scale.pick(2, full: 5)
        let rounds = Scale.pick(4, full: 40)
        let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
            for _ in 0..<shops { group.addTask { try await Self.shop(rounds) } }
            return try await group.reduce(into: Counts()) { $0.add($1) }
        }
        #expect(counts.killed > 0)
        try Scale.report(
            "Subscriptions killed at random moments among older ones, then continued at random",
            count: "\(shops * rounds) subscriptions, \(counts.killed) killed, \(counts.older) older ones",
            result:
                "\(counts.made) made, none twice, \(counts.unknown) unknown, nothing denied, no older one taken for it")
    }

    private struct Counts {
        var killed = 0
        var made = 0
        var older = 0
        var unknown = 0

        mutating func add(_ other: Counts) {
            killed += other.killed
            made += other.made
            older += other.older
            unknown += other.unknown
        }
    }

    /// Kills the requests for subscriptions of one customer.
    private static func shop(_ rounds: Int) async throws -> Counts {
        var counts = Counts()
        try await ChargeFixture.run(emulator: ["--no-limits"] + Self.faults) { given in
            let till = ChargeFixture(sandbox: given.sandbox.limited(to: .seconds(900)), emulator: given.emulator)
            // Another machine of the merchant, whose journal is not this one's.
            let other = ChargeFixture(
                sandbox: till.sandbox.with(["CLOVER_STATE_DIR": till.sandbox.directory["other"]]),
                emulator: till.emulator)
            let customer = try await till.savedCustomer()
            for _ in 0..<Int.random(in: 0...6) { try await till.pastRequest(of: customer, on: other) }
            for round in 0..<rounds {
                let plan = try await till.madePlan("Plan \(round)")
                // What an earlier run made may be found only now, and is no news about this one.
                var past: Set<String> = []
                for _ in 0..<Int.random(in: 0...2) {
                    past.formUnion(try await (Bool.random() ? till : other).past(customer, plan))
                }
                let before = try await till.subscriptions(customer, to: plan)
                counts.older += before.count
                let isAnother = before.contains { $0["active"] == .bool(true) }
                let arguments =
                    ["subscription", "create", "--plan", plan, "--customer", customer]
                    + (isAnother ? ["--another"] : [])
                var statuses: [Int32?] = []
                var shown: Set<String> = []
                for attempt in 0..<Int.random(in: 1...4) {
                    // A separate key for each, or the same one again, without which another one is another request.
                    let key = isAnother || Bool.random() ? ["--idempotency-key", "s-\(round)"] : []
                    let command = try till.sandbox.start(arguments + key)
                    if attempt < 3 {
                        // It sends a second after it has read the list.
                        let delays = round % 3 == 0 ? 0...300 : 1000...1500
                        try await Task.sleep(for: .milliseconds(Int.random(in: delays)))
                        command.send(9)
                    }
                    let result = try await command.result()
                    if result.ending == .signalled(9) { counts.killed += 1 }
                    statuses.append(result.status)
                    shown.formUnion(try Self.active(in: result, besides: past))
                    try await Task.sleep(for: .milliseconds(30))
                    try await till.waitUntilIdle()
                    if Bool.random() {
                        let recovered = try await till.sandbox.clover("charge", "recover", "--all")
                        shown.formUnion(try Self.active(in: recovered, besides: past))
                    }
                }
                let known = Set(before.compactMap { $0["subscription"]?.string })
                func new() async throws -> Set<String> {
                    Set(try await till.subscriptions(customer, to: plan).compactMap { $0["subscription"]?.string })
                        .subtracting(known)
                }
                let rows = try await new()
                #expect(rows.count <= 1, "made twice")
                counts.made += rows.count
                // What a run reported as made is there, and was not before.
                if statuses.contains(0) { #expect(rows.count == 1, "\(statuses)") }
                #expect(shown.isDisjoint(with: known), "an older one is called the new one: \(shown)")
                // A new request says that there is one, or that this is unknown; it never makes a second one.
                let last = try await till.sandbox.clover(
                    ["subscription", "create", "--plan", plan, "--customer", customer])
                if rows.count == 1 {
                    #expect([64, 69, 75].contains(last.status), "denied: \(last)")
                } else if last.status == 80 || last.status == 75 {
                    counts.unknown += 1
                }
                #expect(try Self.active(in: last, besides: past).isDisjoint(with: known), "an older one: \(last)")
                try await till.waitUntilIdle()
                #expect(try await new().count <= 1, "made twice")
            }
        }
        return counts
    }

    /// The subscriptions that a run reports as made, by other operations than those of `past`.
    private static func active(in result: CommandResult, besides past: Set<String>) throws -> Set<String> {
        // The last line of a killed run may be cut off.
        let events = try JSONValue.lines(result.lines.filter { $0.hasSuffix("}") })
        let news = events.filter { !past.contains($0["operation"]?.string ?? "") && $0["event"] == .string("active") }
        return Set(news.compactMap { $0["subscription"]?.string })
    }
}

extension ChargeFixture {
    /// The subscriptions of a customer to a plan, as the service has them.
    fileprivate func subscriptions(_ customer: String, to plan: String) async throws -> [JSONValue] {
        try await subscriptions(customer).filter { $0["plan"]?.string == plan }
    }

    /// A plan, however often that is tried.
    fileprivate func madePlan(_ name: String) async throws -> String {
        var made = try await plan(name)
        while made.status != 0 { made = try await plan("\(name) \(Int.random(in: 0...999))") }
        return try #require(try made.events.last?["plan"]?.string)
    }

    /// Something that was done before with plans, killed or not.
    fileprivate func pastRequest(of customer: String, on other: ChargeFixture) async throws {
        switch Int.random(in: 0...3) {
        case 0: _ = try await madePlan("Past \(Int.random(in: 0...99_999))")
        case 1:
            let command = try sandbox.start([
                "plan", "create", "--name", "Killed \(Int.random(in: 0...99_999))", "--minor", "100",
                "--currency", "USD", "--interval", "month",
            ])
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...150)))
            command.send(9)
            _ = try await command.result()
        case 2: _ = try await past(customer, try await madePlan("Past \(Int.random(in: 0...99_999))"))
        default: _ = try await other.past(customer, try await madePlan("Past \(Int.random(in: 0...99_999))"))
        }
        if Bool.random() { _ = try await sandbox.clover("charge", "recover", "--all") }
    }

    /// A subscription from before, which may have been cancelled, or may not have come about.
    ///
    /// - Returns: the operations that were to make it.
    fileprivate func past(_ customer: String, _ plan: String) async throws -> Set<String> {
        let made = try await subscribe(customer, to: plan, "--another")
        try await waitUntilIdle()
        if Bool.random(), let id = try made.events.last?["subscription"]?.string {
            _ = try await sandbox.clover("subscription", "cancel", id)
        }
        return Set(try made.events.compactMap { $0["operation"]?.string })
    }
}
