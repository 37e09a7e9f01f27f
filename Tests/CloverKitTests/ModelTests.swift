import CloverAPI
import CloverKit
import ProbeSupport
import Testing

@Suite("models of CloverKit")
struct ModelTests {
    @Test(
        "random JSON by a model has its typed values, and is the same after decoding and encoding",
        arguments: ModelCase.all)
    func random(_ model: ModelCase) throws {
        for seed in 0..<20 {
            var writer = RandomRecord(seed: UInt64(seed) &* 7919 &+ UInt64(model.name.utf8.count))
            let text = writer.record(model.name, depth: 0)
            let json = try Coding.value(Array(text.utf8))
            #expect(try Coding.value(model.roundTrip(Array(text.utf8))) == json, "\(text)")
            model.check(json, "\(text)")
        }
    }
}

/// Writes JSON by the catalogue of models.
private struct RandomRecord {
    private var random: SeededGenerator
    private static let texts = ["", "a", "Zoë", #"\"q\" \\ \/"#, #"\u0000\n\t"#, "🦊", #"\ud83e\udd8a"#, "12", "null"]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func record(_ model: String, depth: Int) -> String {
        var members = ModelCatalogue.model(named: model)?.fields.compactMap { field -> String? in
            guard Int.random(in: 0..<3, using: &random) > 0 else { return nil }
            return "\"\(field.name)\":"
                + (Int.random(in: 0..<12, using: &random) == 0 ? "null" : value(field.type, depth))
        }
        if Bool.random(using: &random) { members?.append(#""newByClover":{"a":[1,2.5,-0.0,1e2,null,{}]}"#) }
        return "{" + (members ?? []).joined(separator: ",") + "}"
    }

    private mutating func value(_ type: FieldType, _ depth: Int) -> String {
        switch type {
        case .string, .enumeration: "\"" + (Self.texts.randomElement(using: &random) ?? "") + "\""
        case .boolean: Bool.random(using: &random) ? "true" : "false"
        case .integer, .timestamp: "\(Int64.random(in: Int64.min...Int64.max, using: &random))"
        case .double:
            // Also beyond 2^53, where whole numbers are rounded.
            "\(Double.random(in: -1...1, using: &random) * ([1e6, 1e18, 1e300].randomElement(using: &random) ?? 1))"
        case .model(let name): depth > 2 ? "{}" : record(name, depth: depth + 1)
        case .list(let entry): "{\"elements\":[\(entries(entry, depth))],\"href\":\"h\"}"
        case .sequence(let entry): "[\(entries(entry, depth))]"
        case .array: "[1,\"a\"]"
        case .map, .object, .any: "{\"a\":1}"
        }
    }

    private mutating func entries(_ type: FieldType, _ depth: Int) -> String {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in value(type, depth + 1) }.joined(separator: ",")
    }
}
