import CloverEmulator
import Testing

@Suite("Filters")
struct FilterExpressionTests {
    @Test(
        "Expressions are read with every operator",
        arguments: [
            ("state=open", "state", FilterOperator.equal, ["open"]),
            ("state!=open", "state", .notEqual, ["open"]),
            ("total>1000", "total", .greater, ["1000"]),
            ("total>=1000", "total", .greaterOrEqual, ["1000"]),
            ("total<5", "total", .less, ["5"]),
            ("total<=5", "total", .lessOrEqual, ["5"]),
            ("employee.id=A=B", "employee.id", .equal, ["A=B"]),
            ("name=", "name", .equal, [""]),
            ("in_time>3", "in_time", .greater, ["3"]),
            ("id in ('A','B')", "id", .oneOf, ["A", "B"]),
            ("id IN ( 'A' , \"B\",C )", "id", .oneOf, ["A", "B", "C"]),
            ("name in ('O''Brien')", "name", .oneOf, ["O'Brien"]),
            ("note IS NOT NULL", "note", .isNotNull, []),
            ("note is not null", "note", .isNotNull, []),
        ])
    func grammar(text: String, field: String, comparison: FilterOperator, values: [String]) {
        #expect(FilterExpression(text) == FilterExpression(field: field, comparison: comparison, values: values))
    }

    @Test(
        "Malformed expressions are refused",
        arguments: [
            "", "state", "=open", "state~open", "id in", "id in ()", "id in ('A'", "id in ('A','B') x", "note IS NULL",
        ])
    func malformed(_ text: String) {
        #expect(FilterExpression(text) == nil)
    }

    private func matches(_ text: String, _ kind: FilterField.Kind, _ value: FieldValue) throws -> Bool {
        let expression = try #require(FilterExpression(text))
        return try Condition(expression, fields: [FilterField("f", kind)]).matches(value)
    }

    @Test(
        "Numbers are compared as numbers",
        arguments: [
            ("f=10", 10, true), ("f=10", 9, false), ("f!=10", 9, true), ("f>9", 10, true), ("f>10", 10, false),
            ("f>=10", 10, true), ("f<10", 9, true), ("f<10", 10, false), ("f<=10", 10, true), ("f in (1,10)", 10, true),
            ("f in (1,2)", 10, false), ("f IS NOT NULL", 10, true), ("f>-5", -4, true),
        ])
    func integers(text: String, value: Int, expected: Bool) throws {
        #expect(try matches(text, .integer, .integer(value)) == expected)
    }

    @Test("Text is compared exactly, states without case, names with a trailing star")
    func texts() throws {
        #expect(try matches("f=Open", .caseless, .text("OPEN")))
        #expect(try !matches("f=Open", .text, .text("OPEN")))
        #expect(try matches("f=Caf*", .name, .text("Café")))
        #expect(try !matches("f=Caf*", .name, .text("Decaf")))
        #expect(try matches("f!=Caf*", .name, .text("Decaf")))
        #expect(try !matches("f=Caf*", .text, .text("Café")))
        #expect(try matches("f=*", .name, .text("anything")))
        #expect(try matches("f=true", .boolean, .boolean(true)))
        #expect(try matches("f!=TRUE", .boolean, .boolean(false)))
    }

    @Test("An absent value satisfies nothing, one of many values is enough")
    func absentAndMany() throws {
        for text in ["f=1", "f!=1", "f>0", "f IS NOT NULL", "f in (1)"] {
            #expect(try !matches(text, .integer, .absent))
            #expect(try !matches(text, .integer, .many([])))
        }
        #expect(try matches("f=1", .integer, .many([.integer(3), .integer(1)])))
    }

    @Test("Unknown fields and values of the wrong kind are bad requests")
    func badRequests() throws {
        let fields = [FilterField("total", .integer), FilterField("testMode", .boolean)]
        for text in ["nope=1", "total=abc", "total in (1,x)", "testMode=maybe"] {
            let expression = try #require(FilterExpression(text))
            #expect(throws: APIError.self) { try Condition(expression, fields: fields) }
        }
    }

    @Test("Queries are split at the first equals sign and percent-decoded; plus stays plus")
    func queries() {
        let query = QueryString("filter=a%3D1&filter=b=2&x&phone=+1%202&bad=%zz&u=%C3%A9")
        #expect(query.values("filter") == ["a=1", "b=2"])
        #expect(query.values("x") == [""])
        #expect(query.values("phone") == ["+1 2"])
        #expect(query.values("bad") == ["%zz"])
        #expect(query.values("u") == ["é"])
    }

    @Test("Parses sort terms with a direction and ignores malformed ones")
    func sortTerms() {
        #expect(
            SortTerm.list("total DESC,createdTime, id asc,x y z,q sideways,") == [
                SortTerm(field: "total", isDescending: true), SortTerm(field: "createdTime", isDescending: false),
                SortTerm(field: "id", isDescending: false),
            ])
    }

    @Test("Expand goes two levels deep")
    func expand() {
        var tree = ExpandTree()
        tree.add("lineItems.discounts,payments, employee,a.b.c,")
        #expect(tree.names == ["employee", "lineItems", "payments"])
        #expect(tree.inside("lineItems").contains("discounts"))
        #expect(tree.inside("payments").isEmpty)
    }
}
