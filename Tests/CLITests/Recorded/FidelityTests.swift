import CloverTestSupport
import Foundation
import Testing

/// `docs/fidelity.md` against the recorded cases and the emulator.
@Suite("recorded responses: the page about them, and the emulator")
struct FidelityTests {
    /// The cells of the page's tables, without the heads.
    private static func rows() throws -> [[String]] {
        let page = RecordedCase.folder.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/fidelity.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
            $0.dropFirst(2).dropLast(2).components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func marked(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    @Test("each claim has its evidence, each recorded one names a recorded case, and every named case exists")
    func claims() throws {
        let claims = try Self.rows().filter { $0.count == 4 && $0[0] != "claim" }
        #expect(claims.count > 30)
        let names = Set(RecordedCase.all.map(\.name))
        for claim in claims {
            #expect(["recorded", "documented", "inferred"].contains(claim[1]), "\(claim)")
            #expect(!claim[3].isEmpty, "\(claim)")
            let cases = Self.marked(claim[2]).filter { $0.contains("-") }
            #expect(cases.allSatisfy(names.contains), "\(claim)")
            guard claim[1] == "recorded" else { continue }
            let evidence = try cases.map { try RecordedCase.named($0).evidence }
            #expect(!evidence.isEmpty && evidence.allSatisfy { $0.hasPrefix("recorded") }, "\(claim): \(evidence)")
        }
    }

    @Test("the emulator's records have every recorded key with its type, but for the differences on the page")
    func shapes() async throws {
        let cases = RecordedCase.all.filter {
            $0.method == "GET" && $0.status == 200 && $0.evidence.hasPrefix("recorded") && $0.path.hasPrefix("/v3/")
        }
        #expect(cases.count > 10)
        var found: Set<String> = []
        try await Sandbox.run(emulator: ["--orders", "300", "--seed", "5"]) { sandbox, _ in
            let order = try await sandbox.clover("get", "orders", "--limit", "1", "-r", "--jq", ".id")
            for recorded in cases {
                var path = recorded.typedPath.split(separator: "/").map(String.init)
                // The records of a list stand for a single one of it.
                if path.count == 2 { path.removeLast() }
                if path.count == 3 { path[1] = try #require(order.lines.first) }
                let expand = recorded.query.hasPrefix("expand=") ? [String(recorded.query.dropFirst(7))] : []
                let result = try await sandbox.clover(
                    ["get", path.joined(separator: "/"), "--show-sensitive"] + expand.flatMap { ["--expand", $0] })
                #expect(result.ending == .exited(0), "\(result)")
                let list = path.count == 3 ? path[2] : path[0]
                found.formUnion(
                    Self.differences(
                        of: try JSONValue.lines(result.lines), from: try recorded.records ?? [#require(recorded.json)]
                    ).map { "\(list) \($0)" })
            }
        }
        try Self.expect(found, isEcommerce: false)
    }

    @Test("the emulator's charges, orders and refunds have every key of the cases, but for the differences on the page")
    func ecommerceShapes() async throws {
        let cases = RecordedCase.all.filter {
            $0.name.hasPrefix("ecomm-") && $0.status == 200 && !$0.evidence.hasPrefix("inferred")
        }
        #expect(cases.count > 10)
        var found: Set<String> = []
        try await ChargeFixture.run { till in
            let charge = try #require(try await till.charge("12.50", "--quiet").events.last?["charge"]?.string)
            expectSuccess(try await till.sandbox.clover("charge", "refund", charge, "--amount", "1.00", "--quiet"))
            for recorded in cases {
                let list = "ecommerce/\(recorded.path.split(separator: "/")[1])"
                let result = try await till.sandbox.clover("get", list, "--show-sensitive")
                expectSuccess(result)
                #expect(!result.lines.isEmpty, "\(list)")
                found.formUnion(
                    Self.differences(
                        of: try JSONValue.lines(result.lines), from: try recorded.records ?? [#require(recorded.json)]
                    ).map { "\(list) \($0)" })
            }
        }
        try Self.expect(found, isEcommerce: true)
    }

    /// The keys that the emulator's records lack, or have with another type.
    private static func differences(of shown: [JSONValue], from recorded: [JSONValue]) -> [String] {
        func types(_ records: [JSONValue]) -> [String: Set<String>] {
            records.map(KeyTypes.init).reduce(into: KeyTypes()) { $0.add($1) }.types
        }
        let own = types(shown)
        return types(recorded).filter { (own[$0.key] ?? []).isDisjoint(with: $0.value) }.map(\.key)
    }

    /// The page states these differences, and no others.
    private static func expect(_ found: Set<String>, isEcommerce: Bool) throws {
        let stated = try rows().filter { $0.count == 3 && $0[0] != "list" }.flatMap { row in
            marked(row[1]).map { "\(marked(row[0]).first ?? "") \($0)" }
        }.filter { $0.hasPrefix("ecommerce/") == isEcommerce }
        #expect(found.subtracting(stated).sorted() == [], "differences without a reason")
        #expect(Set(stated).subtracting(found).sorted() == [], "reasons for differences that are gone")
    }
}

/// The keys of a record with the types of their values; a key inside a list is that of every entry.
private struct KeyTypes {
    var types: [String: Set<String>] = [:]

    init() {}

    init(_ value: JSONValue) { add(value, at: "") }

    mutating func add(_ other: KeyTypes) { types.merge(other.types) { $0.union($1) } }

    private mutating func add(_ value: JSONValue, at path: String) {
        switch value {
        // A null says nothing about the type.
        case .null: return
        case .bool: types[path, default: []].insert("boolean")
        case .integer, .number: types[path, default: []].insert("number")
        case .string: types[path, default: []].insert("text")
        case .array(let values): for value in values { add(value, at: path) }
        case .object(let members):
            if !path.isEmpty { types[path, default: []].insert("object") }
            for (name, value) in members {
                add(value, at: name == "elements" ? path : path.isEmpty ? name : "\(path).\(name)")
            }
        }
    }
}
