import CloverAPI
import CloverHTTP
import Testing

@Suite("Paths of writes")
struct WritePathTests {
    private func path(
        _ text: String, _ method: Endpoint.Method = .post, isChecked: Bool = true, merchantID: String = "M1"
    ) throws -> ResourcePath {
        try ResourcePath(
            parsing: text, identifier: nil, merchantID: merchantID, isChecked: isChecked, method: method)
    }

    @Test("names in braces are filled in and encoded, and the path stays its operation's")
    func fills() throws {
        let template = try path("orders/{id}/line_items/{lineItem.id}")
        #expect(template.placeholders == ["id", "lineItem.id"])
        #expect(template.endpoint?.operation == (try path("orders/A/line_items/B")).endpoint?.operation)
        let filled = try template.filled { name throws(RequestLine.Fault) in name == "id" ? "A/1" : "B 2" }
        #expect(filled.encoded == "/v3/merchants/M1/orders/A%2F1/line_items/B%202")
        #expect(filled.placeholders.isEmpty)
        #expect(filled.display == "orders/A/1/line_items/B 2")
    }

    @Test("an unknown merchant is not a name that a line can fill")
    func unknownMerchant() throws {
        #expect(try path("items/{id}", merchantID: "{mId}").placeholders == ["id"])
    }

    @Test(
        "paths about money are known",
        arguments: [
            "orders/A/payments", "payments/A", "authorizations", "orders/A/payments/B/refund", "payments/A/voids",
        ])
    func money(text: String) throws {
        #expect(try path(text, isChecked: false).movesMoney)
    }

    @Test("other paths do not move money", arguments: ["orders", "items/A", "tenders", "orders/A/line_items"])
    func noMoney(text: String) throws {
        #expect(try !path(text).movesMoney)
    }

    @Test("a path that ends without an id is a collection")
    func collections() throws {
        for text in ["items", "categories", "orders/A/line_items"] { #expect(try path(text, .delete).isCollection) }
        for text in ["items/A", "orders/A/line_items/B", "orders/A/service_charge/C"] {
            #expect(try !path(text, .delete).isCollection)
        }
        #expect(try path("/v2/merchant/M1/things", .delete).isCollection)
        #expect(try !path("/v2/merchant/M1/things/5X", .delete).isCollection)
    }

    @Test("the outcome of a write is shown by the record, or else by its collection")
    func readable() throws {
        #expect(try path("items/A").readable(isGone: false)?.path == "items/A")
        #expect(try path("items/A").readable(isGone: true)?.path == "items")
        #expect(try path("bulk_items").readable(isGone: false)?.path == "merchant")
        #expect(try path("/v2/x/y").readable(isGone: false) == nil)
    }
}
