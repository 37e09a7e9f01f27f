import CloverTestSupport
import Foundation
import Testing

@Suite("get: complete or not zero")
struct CompletenessTests {
    private static let day = 86_400_000

    @Test("returns all payments, although the service returns 90 days at a time")
    func allPayments() async throws {
        try await Sandbox.run(emulator: ["--orders", "9000", "--no-limits"]) { sandbox, emulator in
            let result = try await sandbox.clover("get", "payments", "--all")
            expectSuccess(result)
            let payments = try JSONValue.lines(result.lines)
            let times = payments.compactMap { $0["createdTime"]?.integer }
            #expect(times == times.sorted(by: >))
            let newest = try #require(times.first)
            #expect(newest - (times.last ?? newest) > 100 * Self.day, "the shop's history is too short for this test")
            // The same by hand: a month at a time, far back.
            var expected: [String] = []
            for month in 0..<40 {
                let end = newest + 1 - month * 30 * Self.day
                let path = "/v3/merchants/\(emulator.merchantID)/payments?limit=1000&filter=createdTime%3C\(end)"
                let from = "&filter=createdTime%3E%3D\(end - 30 * Self.day)"
                var offset = 0
                while true {
                    let page = try JSONValue(
                        String(decoding: try await emulator.fetch(path + from + "&offset=\(offset)"), as: UTF8.self))
                    let ids = page["elements"]?.elements?.compactMap { $0["id"]?.string } ?? []
                    expected += ids
                    offset += ids.count
                    if ids.count < 1000 { break }
                }
            }
            #expect(payments.compactMap { $0["id"]?.string } == expected)
            let some = try await sandbox.clover("get", "payments", "--limit", "\(payments.count - 3)")
            expectSuccess(some)
            #expect(some.lines == result.lines.dropLast(3))
        }
    }

    @Test("a list with a row twice, always in the same places, may lack another, and the numbers are given")
    func changingOrder() async throws {
        let records = (0..<40).map { #"{"id":"R\#($0 == 3 ? 2 : $0)"}"# }
        let list = ServedList(records: records)
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, _ in
            let result = try await sandbox.clover("get", "items", "--all")
            expectFailure(
                result, status: 79, saying: "the service repeats rows of items, always in the same places",
                "40 rows came, but only 39 different ones in 2 readings", output: nil)
            #expect(result.lines.count == 39 && !result.errorText.contains("changing orders"), "\(result)")
        }
    }

    @Test("an order with more than 100 line items has all of them, in order")
    func lineItems() async throws {
        try await Sandbox.run(emulator: ["--orders", "2000"]) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--all", "--expand", "lineItems")
            expectSuccess(result)
            let orders = try JSONValue.lines(result.lines)
            let large = orders.filter { ($0["lineItems"]?["elements"]?.elements?.count ?? 0) > 100 }
            #expect(large.count { $0["lineItems"]?["elements"]?.elements?.count == 250 } == 2)
            for order in large {
                let id = try #require(order["id"]?.string)
                let lines = try await sandbox.clover("get", "orders/\(id)/line_items", "--all")
                expectSuccess(lines)
                #expect(
                    try JSONValue.lines(lines.lines).compactMap { $0["id"]?.string }
                        == order["lineItems"]?["elements"]?.elements?.compactMap { $0["id"]?.string })
                let single = try await sandbox.clover("get", "orders", id, "--expand", "lineItems")
                #expect(try JSONValue(single.outputText) == order)
            }
        }
    }

    @Test("a list that goes from the oldest to the newest ends although rows keep coming behind the last one")
    func arrivals() async throws {
        let shop = ["--orders", "1500", "--drift", "2", "--no-limits", "--now", "clock"]
        try await Sandbox.run(emulator: shop) { sandbox, emulator in
            expectSuccess(try await sandbox.clover("get", "orders", "--all", "--sort", "createdTime"))
            #expect(try await emulator.stats().requests < 100)
        }
        // These rows are older than the run, so that their times do not tell what has come since. Each request finds another
        // row, so that no response shows an end.
        try await Sandbox.run(server: { request, number in
            let rows = (0..<number + 1500).map { #"{"id":"R\#($0)","createdTime":\#(1_700_000_000_000 + $0)}"# }
            return ServedList(records: rows).answer(to: request)
        }) { sandbox, server in
            expectFailure(
                try await sandbox.clover("get", "orders", "--all", "--sort", "createdTime", "--no-pacing"),
                status: 79,
                saying: "were added and removed faster than they could be read", output: nil)
            #expect(server.requests.count < 1000)
        }
    }

    @Test("windows that fail for good are named with 79, and the way to get the rest")
    func failedWindow() async throws {
        let down = 1_700_000_000_000
        try await Sandbox.run(server: { request, _ in
            Self.isWithin(down, request)
                ? LoopbackResponse(status: "503 Service Unavailable", "{}")
                : .page([Record.order(Self.number(request))])
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "get", "payments", "--all", "--retry", "1", "--filter", "createdTime>=1690000000000", "--filter",
                "createdTime<1720000000000")
            expectFailure(
                result, status: 79, saying: "incomplete: 1 of 4 windows of payments could not be read",
                "503 after 1 retry", "3 windows, 3 payments are in the output",
                "--filter 'createdTime>=2023-", output: nil)
            #expect(result.lines.count == 3)
        }
    }

    @Test("a record whose list cannot be completed is named with 79, and all others are whole")
    func failedList() async throws {
        let lines = (0..<120).map { #"{"id":"L\#($0)"}"# }
        let orders = ["A", "B", "C"].map { Self.order($0, lines.prefix(100)) }
        try await Sandbox.run(server: { request, _ in
            if request.path.hasSuffix("/B/line_items") { return LoopbackResponse(status: "500 Error", "{}") }
            if request.path.hasSuffix("/line_items") {
                return ServedList(records: lines).answer(to: request)
            }
            return ServedList(records: orders).answer(to: request)
        }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--all", "--expand", "lineItems", "--retry", "1")
            expectFailure(result, status: 79, saying: "lineItems of B", "500 after 1 retry", output: nil)
            #expect(
                result.lines == [
                    Self.order("A", lines[...]), Self.order("B", lines.prefix(100)), Self.order("C", lines[...]),
                ])
        }
    }

    @Test("a sort that windows cannot keep is refused before anything is sent, with the remedy")
    func sortAcrossWindows() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            expectFailure(
                try await sandbox.clover("get", "payments", "--all", "--sort", "amount:desc"), status: 64,
                saying: "cannot sort payments by amount", "--filter 'createdTime>=-89d'", "sort_by(.amount)")
            #expect(server.requests.isEmpty)
            expectSuccess(
                try await sandbox.clover(
                    "get", "payments", "--all", "--sort", "amount:desc", "--filter", "createdTime>=-80d"))
        }
    }

    @Test(
        "--no-complete is one request, and its answer as it is",
        arguments: [
            (["payments", "--limit", "5"], "payments?limit=5"),
            (["orders", "--expand", "lineItems", "--limit", "1000"], "orders?expand=lineItems&limit=1000"),
            (["payments", "--filter", "amount>100", "--offset", "3"], "payments?filter=amount%3E100&offset=3"),
            (["merchant"], ""),
        ])
    func raw(_ options: [String], _ address: String) async throws {
        try await Sandbox.run(emulator: ["--orders", "1000"]) { sandbox, emulator in
            let before = try await emulator.stats().requests
            let result = try await sandbox.clover(["get", "--no-complete"] + options)
            expectSuccess(result)
            #expect(try await emulator.stats().requests == before + 1)
            let path = "/v3/merchants/\(emulator.merchantID)" + (address.isEmpty ? "" : "/" + address)
            let body = try await emulator.fetch(path)
            #expect(result.output == body + [10])
        }
    }

    @Test("payments that are older than the merchant are read, too")
    func olderThanMerchant() async throws {
        let since = ISO8601DateFormatter().string(from: Date().addingTimeInterval(-20 * 86_400))
        let flags = ["--orders", "400", "--days", "900", "--now", "clock", "--merchant-since", since, "--no-limits"]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            for order in [["--sort", "createdTime"], []] {
                let result = try await sandbox.clover(["get", "payments", "--all", "--jq", ".id"] + order)
                expectSuccess(result)
                let ids = result.lines.map { $0.trimmingCharacters(in: ["\""]) }
                #expect(ids.count == Set(ids).count)
                #expect(Set(ids) == Set(try await emulator.truth("payments").keys))
            }
        }
    }

    @Test("--no-complete and --all exclude each other")
    func rawAll() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("get", "orders", "--all", "--no-complete")
            #expect(result.status == 64)
            #expect(result.errorText.contains("--no-complete"))
        }
    }

    private static func order(_ id: String, _ lines: ArraySlice<String>) -> String {
        #"{"id":"\#(id)","lineItems":{"elements":[\#(lines.joined(separator: ","))]},"total":1}"#
    }

    private static func bounds(_ request: LoopbackRequest) -> (from: Int, to: Int) {
        var bounds = (from: 0, to: Int.max)
        for filter in request.values(of: "filter") {
            if filter.hasPrefix("createdTime%3E%3D") { bounds.from = Int(filter.dropFirst(17)) ?? 0 }
            if filter.hasPrefix("createdTime%3C") { bounds.to = Int(filter.dropFirst(14)) ?? 0 }
        }
        return bounds
    }

    private static func isWithin(_ instant: Int, _ request: LoopbackRequest) -> Bool {
        bounds(request).from <= instant && instant < bounds(request).to
    }

    /// A number for each window, so that each has its own record.
    private static func number(_ request: LoopbackRequest) -> Int { bounds(request).from / 1_000_000_000 }
}
