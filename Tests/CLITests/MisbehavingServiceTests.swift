import CloverTestSupport
import Testing

@Suite("get: a service that misbehaves on purpose")
struct MisbehavingServiceTests {
    struct Weather: Sendable, CustomTestStringConvertible {
        let flags: [String]
        var testDescription: String { flags.joined(separator: " ") }
    }

    static let weathers = [
        ["--drift", "1"], ["--drift", "2"], ["--drift", "3"], ["--short-page", "0.4"], ["--clamp", "100"],
        ["--clamp", "333"], ["--drift", "1", "--clamp", "300"], ["--drift", "2", "--short-page", "0.3"],
    ].map(Weather.init)

    @Test("every order that is there all the time comes exactly once", arguments: weathers)
    func nothingIsLost(_ weather: Weather) async throws {
        let shop = ["--orders", "4000", "--seed", "11", "--no-limits"]
        try await Sandbox.run(weight: 2) { sandbox in
            let calm = try await EmulatorProcess(shop)
            let expected = try await sandbox.using(calm).clover("get", "orders", "--all", "-r", "--jq", ".id")
            expectSuccess(expected)
            #expect(expected.lines.count == 4000)
            let emulator = try await EmulatorProcess(shop + weather.flags)
            let result = try await sandbox.using(emulator).clover("get", "orders", "--all", "-r", "--jq", ".id")
            expectSuccess(result)
            let drift = try JSONValue(String(decoding: try await emulator.page("/emulator/drift"), as: UTF8.self))
            let removed = Set(drift["removed"]?.elements?.compactMap(\.string) ?? [])
            let delivered = Set(result.lines)
            #expect(delivered.count == result.lines.count, "some came twice")
            let lasting = expected.lines.filter { !removed.contains($0) }
            #expect(lasting.filter { !delivered.contains($0) } == [])
            #expect(result.lines.filter { Set(lasting).contains($0) }.count == lasting.count)
            if weather.flags.contains("--drift") { #expect(!removed.isEmpty) }
        }
    }

    @Test("records without an id of a service that ignores the offset come once, and the run ends")
    func offsetIgnored() async throws {
        let rows = (0..<250).map { #"{"item":{"id":"I\#($0)"},"quantity":\#($0)}"# }
        try await Sandbox.run(server: { request, _ in
            let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
            return .page(Array(rows.prefix(limit)))
        }) { sandbox, _ in
            for options in [["--all"], ["--limit", "251"], ["--limit", "600"]] {
                let result = try await sandbox.clover(["get", "item_stocks", "--no-pacing"] + options)
                #expect([.exited(0), .exited(79)].contains(result.ending), "\(result)")
                #expect(result.lines.count == 250)
                #expect(Set(result.lines).count == 250)
            }
        }
    }

    @Test("records that are not in the order of --sort are printed and named; a part of such a list ends with 79")
    func sortIgnored() async throws {
        let amounts = [100, 900, 500]
        let rows = amounts.enumerated().map { #"{"id":"R\#($0)","amount":\#($1)}"# }
        try await Sandbox.run(server: { request, _ in
            let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
            let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
            return .page(Array(rows.dropFirst(offset).prefix(limit)))
        }) { sandbox, _ in
            let get = ["get", "refunds", "--sort", "amount:desc", "--jq", ".amount"]
            let named = "Clover does not sort refunds by amount as asked: R1, whose amount is larger, follows R0"
            let part = try await sandbox.clover(get + ["--limit", "2"])
            expectFailure(part, status: 79, saying: named, "--no-check", output: "100\n900\n")
            let whole = try await sandbox.clover(get + ["--all"])
            #expect(whole.ending == .exited(0) && whole.lines == amounts.map(String.init), "\(whole)")
            #expect(whole.errorText == "clover: \(named)\n", "\(whole)")
            expectSuccess(try await sandbox.clover(get + ["--all", "--no-check"]))
        }
    }

    @Test("an order that lists but cannot be fetched is named with 79, and all others are whole")
    func missingRecord() async throws {
        let shop = ["--orders", "500", "--seed", "3"]
        try await Sandbox.run(weight: 2) { sandbox in
            let calm = try await EmulatorProcess(shop)
            let options = ["get", "orders", "--all", "--expand", "lineItems"]
            let expected = try await sandbox.using(calm).clover(options)
            expectSuccess(expected)
            let large = try JSONValue.lines(expected.lines)
                .filter { ($0["lineItems"]?["elements"]?.elements?.count ?? 0) > 100 }
            let id = try #require(large.first?["id"]?.string)
            let emulator = try await EmulatorProcess(shop + ["--missing", id])
            let result = try await sandbox.using(emulator).clover(options + ["--retry", "1"])
            expectFailure(result, status: 79, saying: "lineItems of \(id)", "500 after 1 retry", output: nil)
            #expect(result.lines.count == expected.lines.count)
            #expect(result.lines.filter { !$0.contains(id) } == expected.lines.filter { !$0.contains(id) })
        }
    }
}
