import CloverAPI
import CloverCore
import CloverJSON
import CloverOutput
import Testing

@Suite("Default columns of csv and tsv")
struct DefaultColumnsTests {
    private func columns(_ model: String, expand: [String] = [], named: Bool = false) throws -> [String] {
        try RecordSchema.of(model: model, expand: expand).columns(named: named).map(\.path.text)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let model: String
        let ids: [String]
        var testDescription: String { model }
    }

    @Test(
        "have the ids of what a record names",
        arguments: [
            Case(model: "payments.Payment", ids: ["order.id", "device.id", "tender.id", "employee.id"]),
            Case(model: "order.Order", ids: ["employee.id", "orderType.id", "device.id"]),
            Case(model: "order.LineItem", ids: ["orderRef.id", "item.id"]),
            Case(
                model: "payments.Refund",
                ids: ["orderRef.id", "device.id", "payment.id", "employee.id", "overrideMerchantTender.id"]),
        ])
    func ids(_ test: Case) throws {
        let found = try columns(test.model)
        for id in test.ids { #expect(found.contains(id), "\(id)") }
        #expect(Set(found).count == found.count)
        #expect(!found.contains { $0.hasSuffix(".name") || $0.hasSuffix(".label") })
    }

    @Test("have the fields of an expanded object in place of its id")
    func expansion() throws {
        let plain = try columns("payments.Payment")
        let expanded = try columns("payments.Payment", expand: ["tender"])
        let place = try #require(plain.firstIndex(of: "tender.id"))
        #expect(
            Array(expanded[place...].prefix(4)) == ["tender.id", "tender.editable", "tender.labelKey", "tender.label"])
        #expect(expanded.filter { !$0.hasPrefix("tender.") } == plain.filter { $0 != "tender.id" })
        let deep = try columns("payments.Refund", expand: ["payment.tender"])
        #expect(deep.contains("payment.amount") && deep.contains("payment.tender.label"))
        let schema = try RecordSchema.of(model: "payments.Refund", expand: ["payment"])
        #expect(schema.columns.first { $0.path.text == "payment.amount" }?.kind == .money(currency: nil))
    }

    @Test("name the expansions that have none: lists, also inside an expanded object")
    func columnless() throws {
        #expect(
            try RecordSchema.of(model: "order.Order", expand: ["lineItems.discounts", "employee"]).columnless == [
                "lineItems"
            ])
        #expect(
            try RecordSchema.of(model: "payments.Payment", expand: ["order", "order.lineItems"]).columnless == [
                "order.lineItems"
            ])
        #expect(try RecordSchema.of(model: "payments.Payment").columnless == [])
    }

    @Test("have each name after its id on request, unless an expansion has it already")
    func names() throws {
        let named = try columns("payments.Payment", named: true)
        for (id, name) in [("tender.id", "tender.label"), ("employee.id", "employee.name")] {
            let place = try #require(named.firstIndex(of: id))
            #expect(named[place + 1] == name)
        }
        let expanded = try columns("payments.Payment", expand: ["tender"], named: true)
        #expect(expanded.filter { $0 == "tender.label" }.count == 1)
    }

    /// They are in files that exist.
    @Test("of exports that began with version 0.1.0 never change")
    func original() {
        func original(_ model: String) -> String {
            RecordSchema.originalColumns(ofModel: model).map(\.path.text).joined(separator: ",")
        }
        #expect(
            original("order.Order")
                == """
                id,currency,total,title,note,taxRemoved,isVat,state,manualTransaction,groupLineItems,testMode,payType,\
                createdTime,clientCreatedTime,modifiedTime,deletedTimestamp,customerId,customerUuid,orderTypeId,\
                externalReferenceId,unpaidBalance,paymentState,onlineOrder
                """)
        #expect(
            original("payments.Payment")
                == """
                id,order.id,amount,tipAmount,taxAmount,cashbackAmount,cashTendered,externalPaymentId,employee.id,\
                createdTime,clientCreatedTime,modifiedTime,offline,result,note,voidReason,externalReferenceId,\
                gatewayProcessingTime
                """)
        #expect(RecordSchema.originalColumns(ofModel: "no.Model").isEmpty)
    }
}
