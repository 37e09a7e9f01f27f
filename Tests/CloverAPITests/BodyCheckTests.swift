import CloverAPI
import CloverJSON
import Testing

@Suite("JSON bodies are checked against their model")
struct BodyCheckTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var body: String
        var problem: BodyError?
        var model = "inventory.Item"
        var besides: [String] = []
        var testDescription: String { body }
    }

    private static func unknown(_ field: String, _ model: String = "inventory.Item", _ near: String...) -> BodyError {
        .unknownField(field, model: model, suggestions: near)
    }

    static let rows = [
        Row(body: #"{"name":"Latte","price":450,"hidden":true,"priceType":"fixed"}"#, problem: nil),
        Row(body: #"{"id":"A","href":"https://x/","deleted":false,"modifiedTime":1700000000000}"#, problem: nil),
        Row(body: #"{"name":null,"price":null,"categories":null}"#, problem: nil),
        Row(body: #"{"pirce":1}"#, problem: unknown("pirce", "inventory.Item", "price")),
        Row(
            body: #"{"categories":{"elements":[{"id":"A"},{"nmae":"x"}],"href":"x"}}"#,
            problem: unknown("categories[].nmae", "inventory.Category", "categories[].name")),
        Row(
            body: #"{"categories":[{"nmae":"x"}]}"#,
            problem: unknown("categories[].nmae", "inventory.Category", "categories[].name")),
        Row(
            body: #"{"price":"1"}"#,
            problem: .unfit("price", found: .kind(.string), expected: .minorUnits(suggestion: nil))),
        Row(
            body: #"{"price":12.50}"#,
            problem: .unfit("price", found: .text("12.50"), expected: .minorUnits(suggestion: "1250"))),
        Row(
            body: #"{"price":9223372036854775808}"#,
            problem: .unfit("price", found: .text("9223372036854775808"), expected: .minorUnits(suggestion: nil))),
        Row(body: #"{"price":9223372036854775807}"#, problem: nil),
        Row(body: #"{"price":1.0e2}"#, problem: nil),
        Row(body: #"{"hidden":"yes"}"#, problem: .unfit("hidden", found: .kind(.string), expected: .boolean)),
        Row(body: #"{"name":{"a":1}}"#, problem: .unfit("name", found: .kind(.object), expected: .string)),
        Row(
            body: #"{"priceType":"FIXD"}"#,
            problem: .unfit(
                "priceType", found: .text("FIXD"),
                expected: .oneOf(["FIXED", "VARIABLE", "PER_UNIT"], suggestions: ["FIXED"]))),
        Row(
            body: #"{"modifiedTime":"today"}"#, problem: .unfit("modifiedTime", found: .kind(.string), expected: .time)),
        Row(body: #"[{"name":"x"}]"#, problem: .unfit("", found: .kind(.array), expected: .object)),
        Row(
            body: #"{"elements":[{"nmae":"x"}]}"#, problem: unknown("[].nmae", "inventory.Item", "[].name"),
            model: "elements<inventory.Item>"),
        Row(body: #"[{"name":"x"}]"#, problem: nil, model: "elements<inventory.Item>"),
        // What fills the path is no field, and no type is asked of it.
        Row(body: #"{"orderId":"A","name":"x"}"#, problem: nil, besides: ["orderId"]),
        Row(body: #"{"order":{"id":"A"},"name":"x"}"#, problem: nil, besides: ["order.id"]),
        Row(body: #"{"id":7}"#, problem: nil, besides: ["id"]),
        Row(body: #"{"id":7}"#, problem: .unfit("id", found: .kind(.integer), expected: .string)),
        Row(body: #"{"anything":[1,{"x":2}]}"#, problem: nil, model: "no.Such"),
    ]

    @Test("the first problem is found", arguments: rows)
    func problem(_ row: Row) throws {
        let found = try BodyCheck(model: row.model, besides: row.besides).problem(in: Array(row.body.utf8))
        #expect(found == row.problem)
    }

    @Test("the secret value of a field is never part of it")
    func secret() throws {
        let found = try BodyCheck(model: "employees.Employee").problem(in: Array(#"{"pin":4711}"#.utf8))
        #expect(found == .unfit("pin", found: .kind(.integer), expected: .string))
    }

    @Test("too many levels and invalid JSON are different errors")
    func depth() throws {
        func fault(_ text: String) -> JSONCheck.Fault? {
            #expect(throws: JSONCheck.Fault.self) { try JSONCheck.kind(of: Array(text.utf8)) }
        }
        #expect(fault(String(repeating: "[", count: 201))?.isTooDeep == true)
        #expect(fault("{]")?.isTooDeep == false)
        let levels = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(try JSONCheck.kind(of: Array(levels.utf8)) == .array)
    }
}
