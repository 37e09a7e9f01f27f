import CloverAPI
import Testing

@Suite("Records and their models")
struct RecordValidatorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var record: String
        var problems: [String]
        var testDescription: String { record }

        init(_ record: String, _ problems: String...) {
            self.record = record
            self.problems = problems
        }
    }

    @Test(
        "a mismatch is reported with its JSON pointer",
        arguments: [
            Row("{}"), Row(" {\"id\" : \"A\" , \"total\":5}\n"),
            Row("{\"total\":\"5\"}", "/total is string, not int64"),
            Row("{\"total\":5.5}", "/total is number, not int64"),
            Row("{\"total\":5.0}"), Row("{\"total\":5e2}"), Row("{\"total\":5e-1}", "/total is number, not int64"),
            Row("{\"total\":null}"), Row("{\"id\":null}", "/id is null, not string"),
            Row("{\"unheardOf\":[{\"a\":{\"b\":[1,2]}}]}"),
            Row("{\"testMode\":0}", "/testMode is integer, not boolean"),
            Row("{\"payType\":\"FULL\"}"),
            Row("{\"payType\":\"HALF\"}", "/payType is 'HALF', which is not in order.PayType"),
            Row("{\"payType\":\"F\\u0055LL\"}"),
            Row("{\"p\\u0061yType\":7}", "/payType is integer, not enum<order.PayType>"),
            Row("{\"paymentState\":\"NEW\"}", "/paymentState is 'NEW', which is not in the catalogue"),
            Row(
                "{\"lineItems\":{\"elements\":[{\"price\":1},{\"price\":true}],\"href\":\"x\"}}",
                "/lineItems/elements/1/price is boolean, not int64"),
            Row("{\"lineItems\":[{\"price\":1},{\"price\":[]}]}", "/lineItems/1/price is array, not int64"),
            Row("{\"lineItems\":{\"href\":\"x\"}}"),
            Row("{\"lineItems\":7}", "/lineItems is integer, not elements<order.LineItem>"),
            Row("{\"lineItems\":{\"elements\":null}}", "/lineItems/elements is null, not array<order.LineItem>"),
            Row(
                "{\"employee\":{\"id\":\"E\",\"roles\":{\"elements\":[{\"name\":3}]}}}",
                "/employee/roles/elements/0/name is integer, not string"),
            Row(
                "{\"payments\":{\"elements\":[{\"cardTransaction\":{\"extra\":{\"a/b~c\":7}}}]}}",
                "/payments/elements/0/cardTransaction/extra/a~1b~0c is integer, not string"),
            Row("{\"total\":true,\"note\":7}", "/total is boolean, not int64", "/note is integer, not string"),
            Row("[]", "the record is array, not order.Order"), Row("", "the record is not JSON at byte 0"),
            Row("{\"id\":\"A\"", "the record is not JSON at byte 9"),
            Row("{\"id\":\"A\",}", "the record is not JSON at byte 10"),
            Row("{\"id\":01}", "/id is not JSON at byte 6"), Row("{} x", "the record is not JSON at byte 3"),
            Row("{\"note\":\"a\u{1}\"}", "/note is not JSON at byte 10"),
            Row("{\"note\":\"\\x\"}", "/note is not JSON at byte 10"),
        ])
    func problems(row: Row) throws {
        let validator = try #require(RecordValidator(model: "order.Order"))
        #expect(validator.problems(in: Array(row.record.utf8)).map(\.description) == row.problems)
    }

    @Test("every model can be validated against, and an empty object strays from none")
    func everyModel() throws {
        for name in ModelCatalogue.names {
            let validator = try #require(RecordValidator(model: name))
            #expect(validator.problems(in: Array("{}".utf8)).isEmpty, "\(name)")
        }
        #expect(RecordValidator(model: "docs:TaxRule") == nil)
    }

    @Test("with null fields, any field may be null, and the record itself may not")
    func nullFields() throws {
        let record = #"{"total":null,"employee":{"name":null},"lineItems":{"elements":[{"price":null}]}}"#
        let strict = try #require(RecordValidator(model: "order.Order"))
        #expect(!strict.problems(in: Array(record.utf8)).isEmpty)
        let lenient = try #require(RecordValidator(model: "order.Order", acceptsNull: true))
        #expect(lenient.problems(in: Array(record.utf8)) == [])
        #expect(lenient.problems(in: Array("null".utf8)).count == 1)
        #expect(lenient.problems(in: Array(#"{"total":"x"}"#.utf8)).count == 1)
    }

    @Test("no more problems are collected than are wanted, and deep nesting ends in one")
    func limits() throws {
        let validator = try #require(RecordValidator(model: "order.Order"))
        let lines = Array(repeating: "{\"price\":\"x\"}", count: 50).joined(separator: ",")
        let record = Array("{\"lineItems\":{\"elements\":[\(lines)]}}".utf8)
        #expect(validator.problems(in: record).count == 20)
        #expect(validator.problems(in: record, limit: 3).count == 3)
        let deep = Array(("{\"x\":" + String(repeating: "[", count: 100_000)).utf8)
        #expect(validator.problems(in: deep).count == 1)
    }
}
