import CloverTestSupport
import Foundation
import Testing

/// Interactive work and charges beside bulk work. The local service's own log is the judge: a command sends its second
/// request when it has the answer to its first, so that the requests of the bulk work between the two are those that were
/// let go before it. And before a command begins, a client without a token asks the service, is logged and counts for
/// no budget.
@Suite("priority among bulk work", .serialized)
struct PriorityTests {
    /// How long the service takes for a response.
    private static let latency = 80

    @Test("with ten bulk runs at it, a get and a charge are let go before most of them, and the bulk goes on")
    func amongBulk() async throws {
        let rounds = Scale.pick(4, full: 30)
        try await Sandbox.run(
            emulator: ["--orders", "3000", "--latency", "\(Self.latency)ms"], weight: 4
        ) { given, emulator in
            let sandbox = given.limited(to: .seconds(900))
            // Each begins again when it is through, and ends when something fails.
            let bulk = try (0..<10).map { number in
                number < 5
                    ? try sandbox.startShell("while clover get orders --all -r --jq .id >/dev/null; do :; done")
                    : try sandbox.startShell(
                        "while clover export orders --to exports-\(number)-$((runs++)) --quiet; do :; done")
            }
            while try await emulator.visits().count <= 32 {
                for run in bulk { try #require(!run.hasEnded, "the bulk work failed") }
                try await Task.sleep(for: .milliseconds(50))
            }
            for _ in 0..<rounds {
                #expect(try await Visitor.status("\(emulator.url)/v3/merchants/X/tags", token: "wrong-token") == "401")
                // There are fewer, so that the end of the list is proved with a second request.
                expectSuccess(try await sandbox.clover("get", "employees", "--limit", "900", "-q"))
                expectSuccess(
                    try await sandbox.clover(
                        arguments: ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-"],
                        input: ChargeFixture.card()))
            }
            let visits = try await emulator.visits()
            let isOver = bulk.contains { $0.hasEnded }
            #expect(!isOver, "the bulk work failed")
            for run in bulk { run.send(9) }
            let stats = try await emulator.stats()
            #expect(stats.rejectedInAll == 0)
            #expect(stats.peakPerSecond <= 16)
            #expect(stats.peakInFlight <= 5)
            let gets = Waits(visits, first: "/employees", then: "/employees")
            let firsts = Waits(visits, first: "/tags", then: "/employees")
            let charges = Waits(visits, first: "/v1/tokens", then: "/v1/charges")
            #expect(gets.bulk.count == rounds)
            #expect(charges.bulk.count == rounds)
            #expect(firsts.bulk.count == rounds)
            // Ten stand in the queue. What is under way, 5 at most, and what may go in the same moment are not in its power.
            for waits in [gets, charges] { #expect(waits.medianBulk < 10, "\(waits)") }
            // While the program starts, on a machine that ten others keep busy, the bulk work goes on: two seconds' worth.
            #expect(firsts.medianBulk < 32, "\(firsts)")
            let share = try Self.shareOfBulk(visits.filter { !$0.request.hasSuffix("/tags") })
            // How much gets through in a short time depends on what else the machine does.
            if Scale.isFull { #expect(share >= 0.9) }
            try Scale.report(
                "A `get` and a charge, one after the other, among five `get --all` and five `export`",
                count: "\(rounds) of each, \(visits.count) requests",
                result: "by the service's log, the get waits \(gets.text), from the start of the program to its first"
                    + " request \(firsts.text), the charge \(charges.text); the bulk work uses"
                    + " \(Int((100 * share).rounded())) % of what is left to it")
        }
    }

    /// What passed from the end of a response to the next request of the same command, for each of them.
    private struct Waits: CustomStringConvertible {
        private(set) var milliseconds: [Int] = []
        /// Requests of the bulk work.
        private(set) var bulk: [Int] = []

        /// One command of the kind runs at a time.
        init(_ visits: [EmulatorProcess.Visit], first: String, then second: String) {
            var begun: Int?
            for visit in visits {
                if let left = begun, visit.request.hasSuffix(second) {
                    milliseconds.append(max(0, visit.arrived - left))
                    let between = visits.filter { $0.arrived > left && $0.arrived < visit.arrived }
                    bulk.append(between.count { $0.request.hasSuffix("/orders") })
                    begun = nil
                } else if visit.request.hasSuffix(first) {
                    begun = visit.left
                }
            }
            milliseconds.sort()
            bulk.sort()
        }

        var medianBulk: Int { bulk[bulk.count / 2] }
        var text: String {
            "\(milliseconds[milliseconds.count / 2]) ms at the median and \(milliseconds.last ?? 0) ms at most, behind"
                + " \(medianBulk) and \(bulk.last ?? 0) requests of the bulk work"
        }
        var description: String { "\(bulk) requests, \(milliseconds) ms" }
    }

    /// The requests of the bulk work, as a part of those that the limit leaves to it: 16 a second, less the others.
    private static func shareOfBulk(_ visits: [EmulatorProcess.Visit]) throws -> Double {
        // The start of the ten processes is not the question.
        let start = try #require(visits.dropFirst(16).first?.arrived)
        let end = try #require(visits.last?.arrived)
        let counted = visits.filter { $0.arrived >= start }
        let bulk = counted.count { $0.request.hasSuffix("/orders") }
        return Double(bulk) / (16 * Double(end - start) / 1000 - Double(counted.count - bulk))
    }
}
