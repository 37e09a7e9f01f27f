import CloverTestSupport
import Foundation
import Testing

/// A model of the journal of charges under random interleavings of processes (after TigerBeetle's simulator and
/// FoundationDB's simulation). It starts programs because what is judged are locks, kills and several processes over one
/// journal.
///
/// `CLOVER_MODEL_SEED` is the seed of the first world, and each next one has the next number; a world that fails names its
/// own. `CLOVER_MODEL_WORLDS` is how many worlds there are.
@Suite("charge: a model of the journal", .serialized)
struct ChargeModelTests {
    /// Worlds at once: most of their time they wait.
    private static let width = 16
    /// Worlds whose seeds are the same when divided by this begin with the same pasts.
    private static let batch: UInt64 = 300

    private static func variable<Value: LosslessStringConvertible>(_ name: String) -> Value? {
        ProcessInfo.processInfo.environment[name].flatMap { Value($0) }
    }

    @Test(
        "in random worlds nothing is charged twice, and each report about money is true at all times",
        arguments: [false, true])
    func worlds(inDatabase: Bool) async throws {
        let seed: UInt64 = Self.variable("CLOVER_MODEL_SEED") ?? UInt64.random(in: 1...9_999_999) * Self.batch
        let count: UInt64 =
            Self.variable("CLOVER_MODEL_WORLDS")
            ?? (inDatabase ? Scale.pick(24, full: 2000) : Scale.pick(300, full: 20_000))
        let server = inDatabase ? try await PostgreSQLServer() : nil
        try await Sandbox.run(weight: 4) { _ in
            var tally = ModelJudge.Tally()
            var start = seed
            while start < seed + count {
                let block = start / Self.batch
                let end = min((block + 1) * Self.batch, seed + count)
                let shop = try await ModelShop.open(seed: block, pasts: 5, databases: server)
                tally = tally + (try await Self.run(start..<end, in: shop, width: inDatabase ? 8 : Self.width))
                start = end
            }
            // A model in which nothing happens would prove nothing.
            if count >= 100 {
                #expect(tally.killed > 0 && tally.moved > 0 && tally.denied > 0 && tally.unknown > 0, "\(tally)")
                #expect(tally.undone > 0, "\(tally)")
            }
            guard tally.violations == 0 else { return }
            try Scale.report(
                "Random worlds over one journal\(inDatabase ? " in PostgreSQL" : ""): charges on each rail, recovery, settling and what comes after a charge,"
                    + " stopped and killed at random system calls",
                count: "\(count) worlds from seed \(seed), \(tally.processes) processes, \(tally.killed) killed",
                result:
                    "nothing charged twice; \(tally.moved) reports that money moved and \(tally.denied) reports that it did"
                    + " not, all confirmed by the service; \(tally.undone) times what a person recorded as done, and what the"
                    + " service shows as not done, was named")
        }
    }

    private static func run(
        _ seeds: Range<UInt64>, in shop: ModelShop, width: Int
    ) async throws -> ModelJudge.Tally {
        try await withThrowingTaskGroup(of: ModelJudge.Tally.self) { group in
            var rest = Array(seeds)[...]
            for seed in rest.prefix(width) { group.addTask { try await world(seed, in: shop) } }
            rest = rest.dropFirst(width)
            var tally = ModelJudge.Tally()
            while let part = try await group.next() {
                tally = tally + part
                if let seed = rest.popFirst() { group.addTask { try await world(seed, in: shop) } }
            }
            return tally
        }
    }

    private static func world(_ seed: UInt64, in shop: ModelShop) async throws -> ModelJudge.Tally {
        let world = try await ModelWorld(Int(seed), seed: seed, in: shop)
        let violations = try await world.run()
        try await world.end()
        if !violations.isEmpty {
            Issue.record(
                """
                the world of CLOVER_MODEL_SEED=\(seed) CLOVER_MODEL_WORLDS=1\(shop.pasts[0].database == nil ? "" : " in a database"):
                  \(violations.joined(separator: "\n  "))
                What happened:
                  \(world.story.joined(separator: "\n  "))
                """)
        }
        var tally = world.tally
        tally.violations = violations.count
        return tally
    }

    @Test("what a person recorded as done is judged by the service's own count, until the person confirms it")
    func undone() throws {
        var money = ModelMoney()
        money.receive("k", ModelMoney.Asked(rail: .ecommerce, kind: .charge, amount: 500), by: 1)
        money.take("k", by: 1, now: 0)
        let payment = try #require(money.payments.first?.id)
        func operation(_ id: String, isByHand: Bool, _ details: String...) -> ModelJournal.Operation {
            ModelJournal.Operation(
                id: id, kind: "refund", parent: "c_1", rail: "ecommerce", key: id, state: "approved",
                isByHand: isByHand, amount: 60, transitions: details.map { .init(state: "approved", detail: $0) })
        }
        func undone(_ refunds: ModelJournal.Operation..., charge detail: String = "") -> [String] {
            let charge = ModelJournal.Operation(
                id: "c_1", kind: "charge", parent: nil, rail: "ecommerce", key: "k", state: "approved",
                isByHand: false, transitions: [.init(state: "approved", detail: detail)])
            return ModelJournal(operations: [charge] + refunds).undone(money, on: ["c_1": payment]).map(\.id)
        }
        let entry = "by hand, Anna: it was carried out"
        let refund = operation("r_1", isByHand: true, entry)
        #expect(undone(refund) == ["r_1"])
        #expect(undone(operation("r_1", isByHand: true, entry, "by hand, Ben: it stays as it is recorded")).isEmpty)
        #expect(undone(refund, charge: "the records did not show it; checked later, they do").isEmpty)
        money.receive("r", ModelMoney.Asked(rail: .ecommerce, kind: .refund, amount: 60, payment: payment), by: 2)
        money.take("r", by: 2, now: 0)
        #expect(undone(refund).isEmpty)
        #expect(undone(refund, operation("r_2", isByHand: false, "")) == ["r_1"])
    }

    @Test("the judge hears each false word, and no true one")
    func judge() throws {
        let asked = ModelMoney.Asked(rail: .device, kind: .charge, external: "E", amount: 500)
        let deed = ModelDeed(sort: .charge, words: [], key: "k", asked: asked)
        var charged = ModelMoney()
        charged.receive("k", asked, by: 1)
        let empty = charged
        charged.take("k", by: 1, now: 0)
        func journal(_ states: String...) -> ModelJournal { journal(states) }
        func journal(_ states: [String]) -> ModelJournal {
            ModelJournal(operations: [
                .init(
                    id: "c_1", kind: "charge", parent: nil, rail: "payDisplay", key: "k", state: states.last ?? "",
                    isByHand: false,
                    transitions: states.map { .init(state: $0, detail: $0 == "failed" ? "it was never sent" : "") })
            ])
        }
        func violations(_ body: (inout ModelJudge) -> Void) -> Int {
            var judge = ModelJudge()
            judge.begin(journal())
            judge.started(1, deed)
            body(&judge)
            return judge.violations.count
        }
        #expect(violations { $0.read(journal("created", "sent", "approved"), before: 2, charged) } == 0)
        #expect(violations { $0.read(journal("created", "sent", "unknown"), before: 2, charged) } == 0)
        #expect(violations { $0.read(journal("created", "sent", "failed"), before: 2, empty) } == 0)
        #expect(violations { $0.read(journal("created", "sent", "approved"), before: 2, empty) } == 1)
        #expect(violations { $0.read(journal("created", "sent", "failed", "approved"), before: 2, charged) } == 1)
        // Money that moves by an earlier request after a report that none did.
        let late = violations { judge in
            judge.read(journal("created", "sent", "failed"), before: 2, empty)
            judge.count(charged)
        }
        #expect(late == 1)
        // An operation that was never sent may be started again by a process that waited for it; the journal shows that.
        let unsent = try JSONValue(#"{"event":"failed","charge":"c_1","reason":"it was never sent"}"#)
        for (states, count) in [
            (["created", "failed"], 1), (["created", "failed", "created", "sent"], 0),
            (["created", "sent", "created", "failed", "created", "sent"], 0),
            (["created", "unknown", "failed", "created", "sent"], 0),
            (["created", "sent", "unknown", "failed", "created", "sent"], 1),
            (["created", "sent", "failed", "created", "sent"], 1),
        ] {
            let waited = violations { judge in
                judge.hear(unsent, from: 2, before: 3, empty)
                judge.learn(journal(states))
                judge.count(charged)
            }
            #expect(waited == count, "\(states)")
        }
        let printed = try JSONValue(#"{"event":"declined","charge":"c_1"}"#)
        #expect(violations { $0.hear(printed, from: 1, before: 2, charged) } == 1)
        #expect(violations { $0.hear(printed, from: 1, before: 2, empty) } == 0)
        func ended(_ status: Int32, _ errors: String, _ money: ModelMoney) -> Int {
            violations { $0.ended(1, deed, .exited(status), errors: errors, before: 2, money) }
        }
        #expect(ended(0, "", empty) == 1)
        #expect(ended(80, "", charged) == 0)
        #expect(ended(81, "", charged) == 1)
        #expect(ended(75, "busy; nothing was charged", charged) == 1)
        func named(_ deed: ModelDeed, _ status: Int32, _ errors: String) -> Int {
            violations {
                $0.ended(2, deed, .exited(status), errors: errors, undone: ["r_1", "r_2"], before: 3, charged)
            }
        }
        #expect(named(.recover("c_1"), 80, "r_2: Clover shows no refund") == 0)
        #expect(named(.recover("c_1"), 80, "c_1 is unknown") == 1)
        #expect(named(.recover("r_1"), 0, "") == 1)
        #expect(named(.recoverAll, 80, "r_1: no refund; r_2: no refund") == 0)
        #expect(named(.recoverAll, 80, "r_1: no refund") == 1)
        // The hint about a follow-up does not deny its charge.
        #expect(ended(80, "r_1: no refund; if it was not carried out, run: clover charge settle", charged) == 0)
        var twice = charged
        twice.take("k", by: 2, now: 0, isForgetful: true)
        #expect(violations { $0.count(charged) } == 0)
        #expect(violations { $0.count(twice) } == 1)
    }
}
