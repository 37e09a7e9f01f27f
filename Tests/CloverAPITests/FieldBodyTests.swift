import CloverAPI
import CloverCalendar
import CloverJSON
import Testing

@Suite("Bodies made of fields")
struct FieldBodyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var fields: [String]
        var raw: [String] = []
        var model: String?
        var json: String
        var testDescription: String { (fields + raw).joined(separator: " ") + (model.map { " (\($0))" } ?? "") }
    }

    /// 2026-11-20T12:00:00Z.
    private static let now: Int64 = 1_795_176_000_000
    private let times = TimeExpression.Context(now: now, zone: .utc)

    private func json(
        _ fields: [String], raw: [String] = [], model: String?, isChecked: Bool = true
    ) throws -> String {
        let arguments =
            try fields.map { try FieldArgument(parsing: $0, isRaw: false) }
            + raw.map { try FieldArgument(parsing: $0, isRaw: true) }
        return try FieldBody.json(of: arguments, model: model, isChecked: isChecked, times: times)
    }

    @Test(
        "of a body that is not known, values are taken by their look",
        arguments: [
            Row(fields: [], json: "{}"),
            Row(fields: ["a=1", "b=x"], json: #"{"a":1,"b":"x"}"#),
            Row(fields: ["a=true", "b=false", "c=null"], json: #"{"a":true,"b":false,"c":null}"#),
            Row(fields: ["a=-1.50", "b=1e3"], json: #"{"a":-1.50,"b":1e3}"#),
            Row(fields: ["a=12345678901234567890"], json: #"{"a":12345678901234567890}"#),
            Row(fields: ["a=007", "b=+5", "c=1."], json: #"{"a":"007","b":"+5","c":"1."}"#),
            Row(fields: ["a=", "b=x=y"], json: #"{"a":"","b":"x=y"}"#),
            Row(fields: [#"a={"x":[1,2]}"#, "b=[]"], json: #"{"a":{"x":[1,2]},"b":[]}"#),
            Row(fields: ["a=[urgent]", "b={x}"], json: #"{"a":"[urgent]","b":"{x}"}"#),
            Row(fields: [#"a="x""#], json: #"{"a":"\"x\""}"#),
            Row(fields: ["a=é\u{1F600}\n\u{1}"], json: #"{"a":"é😀\n\u0001"}"#),
            Row(
                fields: [], raw: ["a=1", "b=true", "c=@x", "d=null"], json: #"{"a":"1","b":"true","c":"@x","d":"null"}"#
            ),
            Row(fields: ["a.b.c=1", "a.b.d=2", "a.e=3"], json: #"{"a":{"b":{"c":1,"d":2},"e":3}}"#),
            Row(fields: ["a[b][c]=1", "a[d]=2"], json: #"{"a":{"b":{"c":1},"d":2}}"#),
            Row(fields: ["a[]=1", "a[]=x"], json: #"{"a":[1,"x"]}"#),
            Row(fields: ["a[]"], json: #"{"a":[]}"#),
            Row(fields: ["a[].id=1", "a[].n=2", "a[].id=3"], json: #"{"a":[{"id":1,"n":2},{"id":3}]}"#),
            Row(fields: ["a[][id]=1", "a[].b[]=2", "a[].b[]=3"], json: #"{"a":[{"id":1,"b":[2,3]}]}"#),
        ])
    func byLook(row: Row) throws {
        #expect(try json(row.fields, raw: row.raw, model: row.model) == row.json)
    }

    @Test(
        "of a body that is known, the field decides",
        arguments: [
            Row(fields: ["code=007", "name=true"], model: "inventory.Item", json: #"{"code":"007","name":"true"}"#),
            Row(fields: ["price=450", "hidden=true"], model: "inventory.Item", json: #"{"price":450,"hidden":true}"#),
            Row(fields: ["price=null", "code=null"], model: "inventory.Item", json: #"{"price":null,"code":null}"#),
            Row(fields: ["priceType=fixed"], model: "inventory.Item", json: #"{"priceType":"fixed"}"#),
            Row(fields: [], raw: ["code=null"], model: "inventory.Item", json: #"{"code":"null"}"#),
            Row(fields: ["employee.id=007"], model: "order.Order", json: #"{"employee":{"id":"007"}}"#),
            Row(
                fields: ["clientCreatedTime=2026-11-20T08:00:00Z"], model: "order.Order",
                json: #"{"clientCreatedTime":1795161600000}"#),
            Row(fields: ["clientCreatedTime=now"], model: "order.Order", json: #"{"clientCreatedTime":1795176000000}"#),
            Row(fields: ["clientCreatedTime=5"], model: "order.Order", json: #"{"clientCreatedTime":5}"#),
            Row(fields: ["taxRates[].id=1"], model: "inventory.Item", json: #"{"taxRates":[{"id":"1"}]}"#),
            Row(
                fields: ["taxRates.elements[].id=1"], model: "inventory.Item",
                json: #"{"taxRates":{"elements":[{"id":"1"}]}}"#),
            Row(
                fields: ["elements[].item.id=1", "elements[].category.id=2"], model: "elements<inventory.CategoryItem>",
                json: #"{"elements":[{"item":{"id":"1"},"category":{"id":"2"}}]}"#),
            Row(fields: [#"employee={"id":"X"}"#], model: "order.Order", json: #"{"employee":{"id":"X"}}"#),
            Row(fields: ["anything=007"], model: "docs:Unknown", json: #"{"anything":"007"}"#),
        ])
    func byModel(row: Row) throws {
        #expect(try json(row.fields, raw: row.raw, model: row.model) == row.json)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var fields: [String]
        var model: String?
        var error: BodyError
        var testDescription: String { fields.joined(separator: " ") }
    }

    @Test(
        "invalid combinations are refused by name",
        arguments: [
            Refusal(fields: ["a=1", "a=2"], error: .repeatedField("a")),
            Refusal(fields: ["a=1", "a.b=2"], error: .conflict("a.b", "a")),
            Refusal(fields: ["a.b=2", "a=1"], error: .conflict("a", "a.b")),
            Refusal(fields: ["a[]=1", "a=1"], error: .conflict("a", "a[]")),
            Refusal(fields: ["a=1", "a[]=1"], error: .conflict("a[]", "a")),
            Refusal(fields: ["a[]=1", "a.b=1"], error: .conflict("a.b", "a")),
            Refusal(fields: ["a"], error: .malformedField("a", reason: .noValue)),
            Refusal(fields: ["=1"], error: .malformedField("=1", reason: .noName)),
            Refusal(fields: ["a..b=1"], error: .malformedField("a..b=1", reason: .emptyName)),
            Refusal(fields: [".a=1"], error: .malformedField(".a=1", reason: .emptyName)),
            Refusal(fields: ["a.=1"], error: .malformedField("a.=1", reason: .emptyName)),
            Refusal(fields: ["a[b=1"], error: .malformedField("a[b=1", reason: .openBracket)),
            Refusal(fields: ["a]=1"], error: .malformedField("a]=1", reason: .openBracket)),
            Refusal(fields: ["a[b]c=1"], error: .malformedField("a[b]c=1", reason: .openBracket)),
            Refusal(fields: ["a[0]=1"], error: .malformedField("a[0]=1", reason: .index)),
            Refusal(fields: ["a[][]=1"], error: .malformedField("a[][]=1", reason: .nestedList)),
            Refusal(
                fields: ["pirce=1"], model: "inventory.Item",
                error: .unknownField("pirce", model: "inventory.Item", suggestions: ["price"])),
            Refusal(
                fields: ["employee.nmae=1"], model: "order.Order",
                error: .unknownField(
                    "employee.nmae", model: "employees.Employee", suggestions: ["employee.name"])),
            Refusal(
                fields: ["item.id=1"], model: "elements<inventory.CategoryItem>",
                error: .unknownField(
                    "item.id", model: "elements<inventory.CategoryItem>", suggestions: ["elements[].item.id"])),
            Refusal(
                fields: ["price=12.50"], model: "inventory.Item",
                error: .wrongValue("12.50", field: "price", expected: .minorUnits(suggestion: "1250"))),
            Refusal(
                fields: ["price=12.5"], model: "inventory.Item",
                error: .wrongValue("12.5", field: "price", expected: .minorUnits(suggestion: nil))),
            Refusal(
                fields: ["stockCount=007"], model: "inventory.Item",
                error: .wrongValue("007", field: "stockCount", expected: .integer(bits: 64))),
            Refusal(
                fields: ["stockCount=9223372036854775808"], model: "inventory.Item",
                error: .wrongValue("9223372036854775808", field: "stockCount", expected: .integer(bits: 64))),
            Refusal(
                fields: ["hidden=yes"], model: "inventory.Item",
                error: .wrongValue("yes", field: "hidden", expected: .boolean)),
            Refusal(
                fields: ["priceType=FIXD"], model: "inventory.Item",
                error: .wrongValue(
                    "FIXD", field: "priceType",
                    expected: .oneOf(["FIXED", "VARIABLE", "PER_UNIT"], suggestions: ["FIXED"]))),
            Refusal(
                fields: ["employee=X"], model: "order.Order",
                error: .wrongValue("X", field: "employee", expected: .object)),
            Refusal(
                fields: ["taxRates=X"], model: "inventory.Item",
                error: .wrongValue("X", field: "taxRates", expected: .list)),
            Refusal(
                fields: ["price.x=1"], model: "inventory.Item",
                error: .wrongValue("price.x", field: "price", expected: .single(type: "int64"))),
            Refusal(
                fields: ["clientCreatedTime=soon"], model: "order.Order",
                error: .wrongValue("soon", field: "clientCreatedTime", expected: .time)),
        ])
    func refused(row: Refusal) {
        #expect(throws: row.error) { try json(row.fields, model: row.model) }
    }

    @Test("unchecked, types of unknown fields are guessed, and strings stay strings")
    func unchecked() throws {
        let fields = ["pirce=1", "price=12.50", "code=007", "employee=X"]
        #expect(
            try json(fields, model: "inventory.Item", isChecked: false)
                == #"{"pirce":1,"price":12.50,"code":"007","employee":"X"}"#)
    }

    @Test("a value from a file is the file without its last line break")
    func fromFile() throws {
        let field = try FieldArgument(parsing: "note=@note.txt", isRaw: false)
        #expect(field.file == "note.txt")
        let held = field.holding("one\ntwo\r\n")
        #expect(
            try FieldBody.json(of: [held], model: "order.Order", isChecked: true, times: times)
                == #"{"note":"one\ntwo"}"#)
        let price = try FieldArgument(parsing: "price=@-", isRaw: false).holding("450\n")
        #expect(
            try FieldBody.json(of: [price], model: "inventory.Item", isChecked: true, times: times)
                == #"{"price":450}"#)
        #expect(try FieldArgument(parsing: "note=@x", isRaw: true).file == nil)
    }
}
