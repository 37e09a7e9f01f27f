import CloverAPI
import Testing

@Suite("Catalogue of models")
struct ModelCatalogueTests {
    @Test("the catalogue has every model, field and enum")
    func counts() {
        let models = ModelCatalogue.names.compactMap { ModelCatalogue.model(named: $0) }
        #expect(models.count == 503)
        #expect(models.map(\.fields.count).reduce(0, +) == 3488)
        let enumerations = ModelCatalogue.enumerationNames.compactMap { ModelCatalogue.enumeration(named: $0) }
        #expect(enumerations.count == 146)
        // What only the newest description knows comes on top.
        #expect(enumerations.map(\.cases.count).reduce(0, +) >= 1195)
    }

    @Test("every model and enum that a field names is there, and no name is twice in one model")
    func references() {
        for name in ModelCatalogue.names {
            guard let model = ModelCatalogue.model(named: name) else { continue }
            #expect(Set(model.fields.map(\.name)).count == model.fields.count, "\(name)")
            for field in model.fields {
                if let nested = field.type.nestedModel {
                    #expect(ModelCatalogue.model(named: nested) != nil, "\(name).\(field.name)")
                }
                if let enumeration = field.type.enumeration {
                    #expect(ModelCatalogue.enumeration(named: enumeration) != nil, "\(name).\(field.name)")
                }
            }
        }
    }

    @Test("every model of an operation is there, but for three that no source describes")
    func operations() {
        let named = EndpointCatalogue.operations.flatMap { [$0.model, $0.body].compactMap { $0 } }
            .map { $0.hasPrefix("elements<") ? String($0.dropFirst(9).dropLast()) : $0 }
        let missing = Set(named).filter { ModelCatalogue.model(named: $0) == nil }
        #expect(missing == ["docs:TaxRule", "docs:OrderCheckoutRequest", "docs:CategorySortOrderArray"])
    }

    @Test("field descriptions are complete")
    func fields() throws {
        let order = try #require(ModelCatalogue.model(named: "order.Order"))
        #expect(order.api == .rest)
        #expect(order.sources == [.sdk03, .sdk10])
        let total = try #require(order.field(named: "total"))
        #expect(total.type == .integer(bits: 64))
        #expect(total.unit == .minor)
        #expect(total.isNullable)
        #expect(total.sources == [.sdk03, .sdk10, .openapi])
        #expect(order.field(named: "createdTime")?.unit == .milliseconds)
        #expect(order.field(named: "lineItems")?.type == .list(.model("order.LineItem")))
        #expect(order.field(named: "lineItems")?.type.name == "elements<order.LineItem>")
        #expect(order.field(named: "payType")?.type == .enumeration("order.PayType"))
        #expect(order.field(named: "paymentState")?.cases.first == "OPEN")
        let rate = try #require(ModelCatalogue.model(named: "inventory.TaxRate")?.field(named: "rate"))
        #expect(rate.unit == .percent)
        #expect(rate.scale == 100_000)
        let payment = try #require(ModelCatalogue.model(named: "payments.Payment"))
        #expect(payment.field(named: "order")?.isReference == true)
        #expect(payment.field(named: "order")?.type == .model("order.Order"))
        #expect(payment.field(named: "amount")?.unit == .minor)
        #expect(ModelCatalogue.model(named: "employees.Employee")?.field(named: "pin")?.isSensitive == true)
        #expect(ModelCatalogue.model(named: "inventory.Item")?.field(named: "stockCount")?.isDeprecated == true)
        #expect(ModelCatalogue.model(named: "ecomm.Charge")?.field(named: "created")?.unit == .milliseconds)
        #expect(ModelCatalogue.model(named: "ecomm.Charge")?.api == .ecommerce)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var name: String
        var testDescription: String { text }
    }

    @Test(
        "a model is found by its name, a part of it, or a path",
        arguments: [
            Row(text: "order.Order", name: "order.Order"), Row(text: "Order", name: "order.Order"),
            Row(text: "ORDER.order", name: "order.Order"), Row(text: "orders", name: "order.Order"),
            Row(text: "PayType", name: "order.PayType"), Row(text: "merchant-tenders", name: "base.Tender"),
            Row(text: "orders/X/line_items", name: "order.LineItem"), Row(text: "tender", name: "base.Tender"),
        ])
    func finds(row: Row) throws {
        switch try ModelCatalogue.entry(row.text) {
        case .model(let model): #expect(model.name == row.name)
        case .enumeration(let enumeration): #expect(enumeration.name == row.name)
        }
    }

    @Test("unknown or ambiguous names are refused with suggestions")
    func refuses() {
        #expect(throws: QueryError.unknownModel("Ordr", suggestions: ["order.Order", "ecomm.Order"])) {
            try ModelCatalogue.entry("Ordr")
        }
        #expect(throws: QueryError.unknownModel("xyzzy", suggestions: [])) { try ModelCatalogue.entry("xyzzy") }
        let error = #expect(throws: QueryError.self) { try ModelCatalogue.entry("Address") }
        #expect(
            error
                == .unknownModel("Address", suggestions: ["base.Address", "customers.Address", "ecomm.Address"]))
    }

    @Test("where a model is met")
    func uses() {
        let answers = ModelUse.answers(with: "order.LineItem").map(EndpointCatalogue.displayPath)
        #expect(answers.contains("orders/{orderId}/line_items"))
        #expect(ModelUse.bodies(of: "inventory.TagItem").map(EndpointCatalogue.displayPath) == ["tag_items"])
        let expansions = ModelUse.expansions(to: "order.LineItem").map { "\($0.path) \($0.name)" }
        #expect(expansions.contains("orders lineItems"))
        #expect(expansions.contains("merchant orders.lineItems"))
        #expect(ModelUse.expansionPaths(of: "lineItems", in: "order.Order").contains("orders/{orderId}"))
        #expect(ModelUse.expansionPaths(of: "total", in: "order.Order").isEmpty)
    }

    @Test("a schema holds every model that a record may hold, each once")
    func closure() throws {
        let names = ModelCatalogue.closure(of: "order.Order").map(\.name)
        #expect(names.first == "order.Order")
        #expect(Set(names).count == names.count)
        #expect(names.contains("payments.CardTransaction"))
        let schema = try #require(JSONSchema(model: "order.Order"))
        for name in names { #expect(schema.text.contains("\"\(name)\":{\"type\":\"object\"")) }
        #expect(JSONSchema(model: "no.Such") == nil)
    }
}
