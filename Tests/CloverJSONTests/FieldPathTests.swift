import CloverJSON
import Testing

@Suite("Field paths")
struct FieldPathTests {
    @Test("are names with dots between them")
    func names() throws {
        #expect(try FieldPath(parsing: "id").names == ["id"])
        #expect(try FieldPath(parsing: "lineItems.elements.0.name").names == ["lineItems", "elements", "0", "name"])
        #expect(try FieldPath(parsing: "a b.é").text == "a b.é")
    }

    @Test(
        "are refused with their text when a name is empty, when they hold control characters, and when they are endless",
        arguments: [
            "", ".", "id.", ".id", "a..b", "a\tb", "a\u{7F}", Array(repeating: "a", count: 33).joined(separator: "."),
        ])
    func malformed(text: String) {
        #expect(throws: FieldPathError.malformed(text)) { try FieldPath(parsing: text) }
    }

    @Test("are parsed from a comma-separated list with optional spaces")
    func lists() throws {
        #expect(try FieldPath.list(parsing: " id, total ,employee.id").map(\.text) == ["id", "total", "employee.id"])
    }

    @Test("of a list are refused by name when one is empty or comes twice")
    func malformedLists() {
        #expect(throws: FieldPathError.malformed("")) { try FieldPath.list(parsing: "id,,total") }
        #expect(throws: FieldPathError.malformed("")) { try FieldPath.list(parsing: "") }
        #expect(throws: FieldPathError.repeated("id")) { try FieldPath.list(parsing: "id,total, id") }
    }

    @Test(
        "have headings in words",
        arguments: [
            ("id", "id"), ("createdTime", "created time"), ("employee.id", "employee id"),
            ("lineItems.elements.length", "line items length"), ("elements", "elements"),
            ("deleted_time", "deleted time"),
            ("isVAT", "is vat"), ("line1", "line1"),
        ])
    func headings(path: String, heading: String) throws {
        #expect(try FieldPath(parsing: path).heading == heading)
    }
}
