import CloverAPI
import CloverJSON
import Testing

@Suite("Masking of sensitive fields")
struct RecordMaskerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let path: String
        let record: String
        let masked: String
        let fields: [String]
        var testDescription: String { "\(path): \(record)" }

        init(_ path: String, _ record: String, _ masked: String, _ fields: String...) {
            self.path = path
            self.record = record
            self.masked = masked
            self.fields = fields
        }
    }

    static let rows = [
        Row("employees", #"{"id":"E","pin":"1234"}"#, #"{"id":"E","pin":"[masked]"}"#, "employees.Employee.pin"),
        Row("employees", #"{"id":"E","pin":1234}"#, #"{"id":"E","pin":"[masked]"}"#, "employees.Employee.pin"),
        Row("employees", #"{"pin":"","x":1}"#, #"{"pin":"","x":1}"#),
        Row("employees", #"{"pin":null}"#, #"{"pin":null}"#),
        Row("employees", #"{"name":"pin","note":"\"pin\":\"1\""}"#, #"{"name":"pin","note":"\"pin\":\"1\""}"#),
        Row(
            "employees", #"{ "pin" : "12\"34" , "a" : 1.50e3 }"#, #"{ "pin" : "[masked]" , "a" : 1.50e3 }"#,
            "employees.Employee.pin"),
        Row("employees", #"{"pi\u006e":"1234"}"#, #"{"pi\u006e":"[masked]"}"#, "employees.Employee.pin"),
        Row(
            "employees", #"{"\u0070\u0069\u006E":"1"}"#, #"{"\u0070\u0069\u006E":"[masked]"}"#, "employees.Employee.pin"
        ),
        Row(
            "employees", #"{"pin":"1","pin":"2","unhashedPin":"3"}"#,
            #"{"pin":"[masked]","pin":"[masked]","unhashedPin":"[masked]"}"#, "employees.Employee.pin",
            "employees.Employee.unhashedPin"),
        Row(
            "properties", #"{"abaAccountNumber":"123456789","locale":"en"}"#,
            #"{"abaAccountNumber":"[masked]","locale":"en"}"#, "merchant.MerchantProperties.abaAccountNumber"),
        Row(
            "orders/X", #"{"payments":{"elements":[{"cardTransaction":{"token":"4111","last4":"1111"}}]}}"#,
            #"{"payments":{"elements":[{"cardTransaction":{"token":"[masked]","last4":"1111"}}]}}"#,
            "payments.CardTransaction.token"),
        Row(
            "orders/X", #"{"payments":[{"cardTransaction":{"token":"4111"}}]}"#,
            #"{"payments":[{"cardTransaction":{"token":"[masked]"}}]}"#, "payments.CardTransaction.token"),
        Row(
            "payments/X",
            #"{"cardTransaction":{"vaultedCard":{"token":"t","first6":"411111","n":[1,true,null,"",{"x":"y"}]}}}"#,
            #"{"cardTransaction":{"vaultedCard":{"token":"[masked]","first6":"[masked]","n":["[masked]",true,null,"",{"x":"[masked]"}]}}}"#,
            "payments.CardTransaction.vaultedCard"),
        Row(
            "payments/X", #"{"cardTransaction":{"cardholderName":"A B","last4":"1111"}}"#,
            #"{"cardTransaction":{"cardholderName":"[masked]","last4":"1111"}}"#,
            "payments.CardTransaction.cardholderName"),
        // The expiry, as in the vaulted card; a member of the same name elsewhere stays.
        Row(
            "payments/X", #"{"exp":"x","cardTransaction":{"extra":{"exp":"203011","common":"{\"a\":1}"}}}"#,
            #"{"exp":"x","cardTransaction":{"extra":{"exp":"[masked]","common":"{\"a\":1}"}}}"#,
            "payments.CardTransaction.extra.exp"),
        // A card's token as the source of a charge or customer; an ID that is no token stays.
        Row(
            "charges/X", #"{"source":{"id":"clv_1TSTS","brand":"VISA","first6":"424242"}}"#,
            #"{"source":{"id":"[masked]","brand":"VISA","first6":"424242"}}"#, "ecomm.Source.id"),
        // The holder and the expiry of its card, as those of a payment's card; the name of anything else stays.
        Row(
            "charges/X", #"{"name":"A","source":{"name":"A B","exp_month":"12","exp_year":2030,"last4":"4242"}}"#,
            #"{"name":"A","source":{"name":"[masked]","exp_month":"[masked]","exp_year":"[masked]","last4":"4242"}}"#,
            "ecomm.Source.exp_month", "ecomm.Source.exp_year", "ecomm.Source.name"),
        Row(
            "items", #"{"name":"A","sources":{"data":[{"name":"A B","exp_month":"12","brand":"VISA"}]}}"#,
            #"{"name":"A","sources":{"data":[{"name":"[masked]","exp_month":"[masked]","brand":"VISA"}]}}"#,
            "sources.data.exp_month", "sources.data.name"),
        Row(
            "charges/X", #"{"source":"clv_1","details":{"card":{"id":"clv_2","name":"A B","last4":"1"}}}"#,
            #"{"source":"[masked]","details":{"card":{"id":"[masked]","name":"[masked]","last4":"1"}}}"#,
            "card.id", "card.name", "ecomm.Source"),
        Row(
            "charges/X", #"{"source":{"number":"4242424242421111","tk":"T","expirationDate":"1231","pan":"1"}}"#,
            #"{"source":{"number":"[masked]","tk":"[masked]","expirationDate":"[masked]","pan":"[masked]"}}"#,
            "ecomm.Source.expirationDate", "ecomm.Source.number", "ecomm.Source.pan", "ecomm.Source.tk"),
        Row(
            "ecommerce/orders/X", #"{"charge":{"id":"C","source":{"name":"A B"}},"customer":{"name":"A B"}}"#,
            #"{"charge":{"id":"C","source":{"name":"[masked]"}},"customer":{"name":"A B"}}"#, "source.name"),
        Row(
            "ecommerce/refunds/X", #"{"card":{"name":"A B","id":"clv_1"},"metadata":{"name":"A"}}"#,
            #"{"card":{"name":"[masked]","id":"[masked]"},"metadata":{"name":"A"}}"#, "card.id", "card.name"),
        // A card on file; the customer's own name stays.
        Row(
            "customers/X",
            #"{"firstName":"A","cards":{"elements":[{"id":"K","firstName":"A","lastName":"B","expirationDate":"1231"}]}}"#,
            #"{"firstName":"A","cards":{"elements":[{"id":"K","firstName":"[masked]","lastName":"[masked]","expirationDate":"[masked]"}]}}"#,
            "customers.Card.expirationDate", "customers.Card.firstName", "customers.Card.lastName"),
        Row("items", #"{"exp_year":"2030","name":"A"}"#, #"{"exp_year":"[masked]","name":"A"}"#, "exp_year"),
        Row("charges/X", #"{"source":{"id":"ABC","object":"card"}}"#, #"{"source":{"id":"ABC","object":"card"}}"#),
        Row(
            "items", #"{"source":{"id":"clv_1TSTS","time":4242424242424242},"sources":{"data":["clv_1","K2"]}}"#,
            #"{"source":{"id":"[masked]","time":4242424242424242},"sources":{"data":["[masked]","K2"]}}"#, "source.id",
            "sources.data"),
        // In a place of which nothing is known, names decide; one that names anything does not.
        Row("employees", #"{"extra":{"ssn":"1","number":"2"}}"#, #"{"extra":{"ssn":"[masked]","number":"2"}}"#, "ssn"),
        Row(
            "employees", #"{"PIN":"1","extra":{"Pin":"2"}}"#, #"{"PIN":"[masked]","extra":{"Pin":"[masked]"}}"#, "PIN",
            "Pin"),
        Row("employee_cards", #"{"number":"4111"}"#, #"{"number":"[masked]"}"#, "employees.EmployeeCard.number"),
        Row(
            "gateway", #"{"keyInfo":{"a":"b","c":"d"}}"#, #"{"keyInfo":{"a":"[masked]","c":"[masked]"}}"#,
            "merchant.Gateway.keyInfo"),
    ]

    @Test("values are masked and no other byte changes", arguments: rows)
    func masking(_ row: Row) throws {
        let path = try ResourcePath(parsing: row.path, identifier: nil, merchantID: "M", isChecked: true)
        let masker = RecordMasker(path.endpoint, isEnvelope: false)
        let result = try masker.masked(Self.batch([row.record, "{}"]))
        #expect(String(decoding: result.bytes, as: UTF8.self) == row.masked + "\n{}\n")
        #expect(result.records.count == 2)
        #expect(masker.report.fields.sorted() == row.fields)
        #expect(masker.report.records == (row.fields.isEmpty ? 0 : 1))
    }

    @Test("records of an unknown path are masked by name")
    func unknownPath() throws {
        let masker = RecordMasker(nil, isEnvelope: true)
        let result = try masker.masked(Self.batch([#"{"elements":[{"deep":[{"token":"t"}]}]}"#]))
        #expect(
            String(decoding: result.bytes, as: UTF8.self) == #"{"elements":[{"deep":[{"token":"[masked]"}]}]}"# + "\n")
        #expect(masker.report.fields == ["token"])
    }

    @Test("an envelope is masked by the model of its elements")
    func envelope() throws {
        let path = try ResourcePath(parsing: "employee_cards", identifier: nil, merchantID: "M", isChecked: true)
        let masker = RecordMasker(path.endpoint, isEnvelope: true)
        let result = try masker.masked(Self.batch([#"{"elements":[{"number":"4"}],"href":"h"}"#]))
        #expect(
            String(decoding: result.bytes, as: UTF8.self) == #"{"elements":[{"number":"[masked]"}],"href":"h"}"# + "\n")
    }

    @Test(
        "an object that was not expanded is masked if it is returned anyway",
        arguments: [
            ("payments", #"{"id":"P","cardTransaction":{"token":"SECRET"},"employee":{"pin":"SECRET"}}"#),
            ("orders", #"{"id":"O","payments":{"elements":[{"cardTransaction":{"token":"SECRET"}}]}}"#),
            ("shifts", #"{"id":"S","employee":{"id":"E","pin":"SECRET"}}"#),
            ("customers", #"{"id":"C","cards":{"elements":[{"token":"SECRET"}]}}"#),
            ("items", #"{"id":"I","unknown":{"pin":"SECRET"}}"#),
        ])
    func unasked(path: String, record: String) throws {
        let path = try ResourcePath(parsing: path, identifier: nil, merchantID: "M", isChecked: true)
        let result = try RecordMasker(path.endpoint, isEnvelope: false).masked(Self.batch([record]))
        let masked = record.replacing("SECRET", with: "[masked]")
        #expect(String(decoding: result.bytes, as: UTF8.self) == masked + "\n")
    }

    @Test("an unparsable record that may hold sensitive fields is refused")
    func unreadable() throws {
        let path = try ResourcePath(parsing: "employees", identifier: nil, merchantID: "M", isChecked: true)
        let masker = RecordMasker(path.endpoint, isEnvelope: false)
        let error = #expect(throws: RecordMasker.Unreadable.self) {
            try masker.masked(Self.batch([#"{"id":"E","bad":tru,"pin":"1"}"#]))
        }
        #expect(error?.id == "E")
        #expect(error?.offset == 16)
        #expect(try masker.masked(Self.batch([#"{"bad":tru}"#])).records.count == 1)
    }

    @Test("every sensitive field of every model is masked where it stands")
    func everyField() throws {
        for name in ModelCatalogue.names {
            let fields = ModelCatalogue.model(named: name)?.fields.filter(\.isSensitive) ?? []
            guard let endpoint = ModelUse.answers(with: name).first else { continue }
            for field in fields {
                let masker = RecordMasker(endpoint, isEnvelope: false)
                let result = try masker.masked(Self.batch(["{\"\(field.name)\":\"SECRET\"}"]))
                #expect(!String(decoding: result.bytes, as: UTF8.self).contains("SECRET"), "\(name).\(field.name)")
                #expect(masker.report.fields == ["\(name).\(field.name)"])
            }
        }
    }

    private static func batch(_ records: [String]) -> RecordBatch {
        var batch = RecordBatch()
        for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
        return batch
    }
}
