import CloverTestSupport
import Foundation
import Testing

/// The first run exports everything, including records older than the merchant, from an import or a recreated account.
@Suite("export: where the history begins")
struct ExportBeginningTests {
    @Test("records older than the merchant are exported, in any list")
    func olderThanMerchant() async throws {
        let since = ISO8601DateFormatter().string(from: Date().addingTimeInterval(-20 * 86_400))
        let flags = ["--orders", "400", "--days", "900", "--now", "clock", "--merchant-since", since, "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let lists = ["orders", "payments", "items", "customers"]
            let arguments = ["export"] + lists + ["--to", folder.path]
            let first = try await sandbox.clover(arguments + ["--verbose"])
            #expect(first.status == 0, "\(first)")
            for list in lists { #expect(try folder.newest(of: list) == (try await emulator.truth(list)), "\(list)") }
            // For a list limited to 90 days at a time, the output says how far back it searched; others show it themselves.
            #expect(first.errorText.contains("payments: the history begins at 20"), "\(first)")
            #expect(!first.errorText.contains("orders: the history begins at"), "\(first)")
            try folder.expectWhole()
            // Later changes to them are exported, too.
            try await emulator.churn(300)
            expectSuccess(try await sandbox.clover(arguments))
            for list in lists {
                let published = try folder.newest(of: list)
                let truth = try await emulator.truth(list)
                #expect(truth.filter { published[$0.key] != $0.value }.isEmpty, "\(list)")
            }
        }
    }

    /// Payments as the service returns them: at most 90 days before the upper bound, filtered and sorted by time.
    private struct ChargeFixture: Sendable {
        static let day = 86_400_000
        static let made = 1_767_225_600_000
        let times: [Int]
        let ordersAnswer: LoopbackResponse
        var merchantMade = made

        func answer(_ request: LoopbackRequest, _ looks: Counter) -> LoopbackResponse {
            if request.path.hasSuffix("/orders") { return ordersAnswer }
            guard request.path.hasSuffix("/payments") else {
                return LoopbackResponse(#"{"id":"M","createdTime":\#(merchantMade)}"#)
            }
            let filters = request.values(of: "filter").compactMap(\.removingPercentEncoding)
            func bound(_ prefix: String) -> Int? {
                filters.first { $0.hasPrefix(prefix) }.flatMap { Int($0.dropFirst(prefix.count)) }
            }
            let to = bound("createdTime<") ?? Int.max
            let from = max(bound("createdTime>=") ?? 0, to == .max ? 0 : to - 90 * Self.day)
            let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
            let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
            if limit == 1, offset == 0 { looks.add() }
            let changed = bound("modifiedTime>=") ?? 0
            return .page(
                times.filter { $0 >= max(from, changed) && $0 < to }.sorted().dropFirst(offset).prefix(limit).map {
                    #"{"id":"P\#($0)","createdTime":\#($0),"modifiedTime":\#($0)}"#
                })
        }
    }

    @Test("payments are found before the merchant's creation, across an empty year, in at most twelve requests")
    func emptyYear() async throws {
        let times =
            [30, 60, 100, 500, 900].map { ChargeFixture.made - $0 * ChargeFixture.day } + [
                ChargeFixture.made + ChargeFixture.day
            ]
        let till = ChargeFixture(times: times, ordersAnswer: LoopbackResponse(status: "401 Unauthorized", "{}"))
        let looks = Counter()
        try await Sandbox.run(server: { request, _ in till.answer(request, looks) }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "payments", "--to", folder.path, "--until", "2026-01-31T00:00Z", "--no-pacing"]
            expectSuccess(try await sandbox.clover(arguments))
            #expect(Set(try folder.newest(of: "payments").keys) == Set(times.map { "P\($0)" }))
            #expect(looks.value <= 12)
            // Later runs have it stored.
            let before = looks.value
            expectSuccess(try await sandbox.clover(arguments))
            #expect(looks.value == before)
        }
    }

    @Test("the oldest order limits how far back payments are searched")
    func oldestOrder() async throws {
        let old = ChargeFixture.made - 3000 * ChargeFixture.day
        let till = ChargeFixture(
            times: [old + 1, ChargeFixture.made + ChargeFixture.day],
            ordersAnswer: .page([#"{"id":"O","createdTime":\#(old),"modifiedTime":\#(old)}"#]))
        let looks = Counter()
        try await Sandbox.run(server: { request, _ in till.answer(request, looks) }) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(
                try await sandbox.clover(
                    "export", "payments", "--to", folder.path, "--until", "2026-01-31T00:00Z", "--no-pacing"))
            #expect(try folder.records(of: "payments").count == 2)
            #expect(looks.value <= 12)
        }
    }

    @Test(
        "a record with an impossible time ends with 65, and other lists are still exported",
        arguments: [Int64.min, -9_000_000_000_000_000_000, -2_208_988_800_001])
    func impossibleTime(_ time: Int64) async throws {
        let till = ChargeFixture(
            times: [ChargeFixture.made + ChargeFixture.day],
            ordersAnswer: .page([#"{"id":"O","createdTime":\#(time),"modifiedTime":\#(time)}"#]))
        try await Sandbox.run(server: { request, _ in till.answer(request, Counter()) }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let options = ["--to", folder.path, "--until", "2026-01-31T00:00Z", "--no-pacing"]
            expectFailure(
                try await sandbox.clover(["export", "orders"] + options), status: 65,
                saying: "a record of orders has modifiedTime \(time), which is before 1900", "--since")
            expectSuccess(try await sandbox.clover(["export", "payments"] + options))
            #expect(try folder.records(of: "payments").count == 1)
            let lines = try await sandbox.clover("get", "payments", "--all", "--no-pacing")
            #expect(lines.lines.count == 1, "\(lines)")
        }
    }

    @Test("a merchant with a creation time in the future hides no records", arguments: [Int.max, 32_000_000_000_000])
    func futureMerchant(_ made: Int) async throws {
        var till = ChargeFixture(times: [ChargeFixture.made + ChargeFixture.day], ordersAnswer: .page([]))
        till.merchantMade = made
        try await Sandbox.run(server: { [till] request, _ in till.answer(request, Counter()) }) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(
                try await sandbox.clover(
                    "export", "payments", "--to", folder.path, "--until", "2026-01-31T00:00Z", "--no-pacing"))
            #expect(try folder.records(of: "payments").count == 1)
            let lines = try await sandbox.clover("get", "payments", "--all", "--no-pacing")
            #expect(lines.lines.count == 1, "\(lines)")
        }
    }
}
