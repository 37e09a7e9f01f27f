import CloverTestSupport
import Testing

@Suite("get: filters that the service does not apply")
struct LocalFilterTests {
    @Test(
        "refunds and credits are filtered by the time of their creation, whatever the service filters by",
        arguments: ["refunds", "credits"])
    func filtered(list: String) async throws {
        try await Sandbox.run(emulator: ["--orders", "3000"]) { sandbox, _ in
            let all = try await sandbox.clover("get", list, "--all")
            expectSuccess(all)
            let times = try JSONValue.lines(all.lines).compactMap { $0["createdTime"]?.integer }.sorted()
            let (from, to) = (times[times.count / 3], times[times.count * 2 / 3])
            let found = try await sandbox.clover(
                "get", list, "--all", "--filter", "createdTime>=\(from)", "--filter", "createdTime<\(to)",
                "--receipt", "-", "--quiet")
            #expect(found.status == 0, "\(found)")
            let expected = try await sandbox.clover(
                "get", list, "--all", "--jq", "select(.createdTime >= \(from) and .createdTime < \(to))")
            #expect(found.lines.sorted() == expected.lines.sorted())
            #expect(!found.lines.isEmpty && found.lines.count < all.lines.count)
            let receipt = try JSONValue(found.errorText)
            #expect(receipt["complete"] == .bool(true))
            #expect(receipt["records"]?.integer == found.lines.count)
            let read = try #require(receipt["recordsRead"]?.integer)
            #expect((found.lines.count...all.lines.count).contains(read))
        }
    }

    @Test("a long list is read only as far as its order requires, and --explain says so")
    func endsEarly() async throws {
        let records = (0..<2500).map { #"{"id":"R\#($0)","createdTime":\#(1_700_000_000_000 - $0 * 60_000)}"# }
        let descending = ServedList(records: records)
        let ascending = ServedList(records: records.reversed())
        try await Sandbox.run(server: { request, _ in
            (request.values(of: "orderBy").first == "createdTime%20ASC" ? ascending : descending).answer(to: request)
        }) { sandbox, server in
            let filter = ["get", "refunds", "--filter", "createdTime>=\(1_700_000_000_000 - 4 * 60_000)"]
            let explained = try await sandbox.clover(filter + ["--explain"])
            #expect(explained.outputText.contains("the service does not filter this list by createdTime"))
            #expect(explained.outputText.contains("proves that no later record matches"), "\(explained)")
            #expect(server.requests.isEmpty)
            let result = try await sandbox.clover(filter + ["--all", "--receipt", "-"])
            #expect(result.lines == Array(records.prefix(5)), "\(result)")
            #expect(server.requests.count == 2)
            let receipt = try JSONValue(result.errorText)
            #expect(receipt["recordsRead"]?.integer == 1000)
            #expect(receipt["endedEarlyBy"]?.string == "createdTime")
        }
    }

    @Test("one unchanged response cannot be filtered, and nor can a field that is no time")
    func refused() async throws {
        try await Sandbox.run(emulator: ["--orders", "50"]) { sandbox, _ in
            let raw = try await sandbox.clover(
                "get", "refunds", "--no-complete", "--filter", "createdTime>=2023-11-14T00:00:00Z")
            #expect(raw.status == 64 && raw.output.isEmpty, "\(raw)")
            let amount = try await sandbox.clover("get", "refunds", "--filter", "amount>=100")
            #expect(amount.status == 64 && amount.output.isEmpty, "\(amount)")
            #expect(amount.errorText.contains("--jq"), "\(amount)")
        }
    }
}
