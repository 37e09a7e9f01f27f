import CloverAPI
import CloverCore
import CloverJSON
import CloverOutput
import Testing

@Suite("Names for references")
struct ReferenceNamerTests {
    private static let names: [NamedList: [String: String]] = [
        .employees: ["E1": "Ann", "E2": "Ann", "E3": "Zoë \"Z\"\u{1}"], .tenders: ["T": "Cash"],
        .orderTypes: ["O": "Take out"], .items: ["I": "Tea"], .categories: ["C": "Drinks"],
    ]

    private func named(
        _ records: [String], model: String, lists: Set<NamedList> = Set(NamedList.allCases)
    ) -> (lines: [String], asked: Set<NamedList>) {
        var namer = ReferenceNamer()
        var batch = RecordBatch()
        for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
        let references = namer.references(in: batch, model: model, lists)
        for (list, names) in Self.names { namer.set(names, of: list) }
        let result = namer.named(batch, references)
        return (
            result.records.map { String(decoding: result.bytes[$0.range], as: UTF8.self) },
            Set(references.joined().map(\.list))
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var model = "payments.Payment"
        let record: String
        /// Nil for an unchanged record.
        var result: String?
        var asked: Set<NamedList> = []
        var testDescription: String { name }
    }

    @Test(
        "are added to objects that have only an id, and nothing else changes",
        arguments: [
            Case(
                name: "an employee and a tender",
                record: #"{"id":"P","tender":{ "id": "T" },"employee":{"id":"E1"},"amount":1.50}"#,
                result:
                    #"{"id":"P","tender":{ "id": "T" ,"label":"Cash"},"employee":{"id":"E1","name":"Ann"},"amount":1.50}"#,
                asked: [.tenders, .employees]),
            Case(
                name: "another one of the same name", record: #"{"employee":{"id":"E2"}}"#,
                result: #"{"employee":{"id":"E2","name":"Ann"}}"#, asked: [.employees]),
            Case(
                name: "a name that needs escapes", record: #"{"employee":{"href":"h","id":"E3"}}"#,
                result: #"{"employee":{"href":"h","id":"E3","name":"Zoë \"Z\"\u0001"}}"#, asked: [.employees]),
            Case(
                name: "an employee who was deleted", record: #"{"employee":{"id":"GONE"}}"#, asked: [.employees]),
            Case(name: "a name that is there", record: #"{"employee":{"id":"E1","name":"Bea"}}"#),
            Case(name: "a name before the id", record: #"{"tender":{"label":null,"id":"T"}}"#),
            Case(name: "no object", record: #"{"employee":"E1","tender":null,"order":{"id":"E1"}}"#),
            Case(name: "an id that is no text", record: #"{"employee":{"id":7}}"#),
            Case(
                name: "lists inside the record", model: "order.Order",
                record:
                    #"{"id":"A","orderType":{"id":"O"},"lineItems":{"elements":[{"id":"L","item":{"id":"I"}}]},"payments":{"elements":[{"tender":{"id":"T"}}]}}"#,
                result:
                    #"{"id":"A","orderType":{"id":"O","label":"Take out"},"lineItems":{"elements":[{"id":"L","item":{"id":"I","name":"Tea"}}]},"payments":{"elements":[{"tender":{"id":"T","label":"Cash"}}]}}"#,
                asked: [.orderTypes, .items, .tenders]),
            Case(
                name: "entries of a list, not the record itself", model: "inventory.Item",
                record: #"{"id":"I","categories":{"elements":[{"id":"C"},{"id":"X"}]}}"#,
                result: #"{"id":"I","categories":{"elements":[{"id":"C","name":"Drinks"},{"id":"X"}]}}"#,
                asked: [.categories]),
            Case(
                name: "who removed a line item", model: "order.VoidedLineItem",
                record: #"{"removedBy":{"id":"E1"},"device":{"id":"E1"}}"#,
                result: #"{"removedBy":{"id":"E1","name":"Ann"},"device":{"id":"E1"}}"#, asked: [.employees]),
            Case(name: "an unknown model", model: "no.Model", record: #"{"employee":{"id":"E1"}}"#),
            Case(name: "no JSON", record: #"{"employee":{"id":"E1"}"#),
        ])
    func records(_ test: Case) {
        let (lines, asked) = named([test.record, #"{"id":"B"}"#], model: test.model)
        #expect(lines == [test.result ?? test.record, #"{"id":"B"}"#])
        #expect(asked == test.asked)
    }

    @Test("only of the lists that are shown")
    func shown() {
        let record = #"{"tender":{"id":"T"},"employee":{"id":"E1"}}"#
        #expect(
            named([record], model: "payments.Payment", lists: [.tenders]).lines == [
                #"{"tender":{"id":"T","label":"Cash"},"employee":{"id":"E1"}}"#
            ])
    }

    @Test("are shown by columns of a name, or of an object with one")
    func columns() throws {
        func lists(_ paths: String..., names: [String: String] = [:]) throws -> Set<NamedList> {
            NamedList.shown(
                in: try paths.map { text in
                    RecordColumn(
                        try FieldPath(parsing: text), namePath: try names[text].map { try FieldPath(parsing: $0) })
                }, ofModel: "order.Order")
        }
        #expect(try lists("id", "total", "employee.id", "device.name") == [])
        #expect(try lists("employee.name", "orderType") == [.employees, .orderTypes])
        #expect(try lists("employee.id", names: ["employee.id": "employee.name"]) == [.employees])
        #expect(try lists("payments.elements.0.tender.label", "payments.elements.0.tender.id") == [.tenders])
        #expect(try lists("tender.label", "employee.label") == [])
    }
}
