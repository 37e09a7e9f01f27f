import CloverAPI
import CloverHTTP
import CloverJSON
import Testing

@Suite("Sensitive fields by their names")
struct SensitiveNamesTests {
    private static func masked(_ record: String, isFound: Bool = true) throws -> String {
        var batch = RecordBatch()
        Array(record.utf8).withUnsafeBytes { batch.append($0) }
        let masker = RecordMasker(nil, isEnvelope: false)
        let result = String(decoding: try masker.masked(batch).bytes, as: UTF8.self)
        #expect(masker.report.records == (isFound ? 1 : 0), "\(record)")
        return result
    }

    private static let fields = ModelCatalogue.names.flatMap { ModelCatalogue.model(named: $0)?.fields ?? [] }

    @Test("every one of the catalogue is masked where no model is known, in all its spellings")
    func catalogue() throws {
        let names = Set(Self.fields.filter(\.isSensitive).map(\.name))
        #expect(names.count > 40)
        for name in names where name != "number" {
            let snake = name.reduce("") { $0 + ($1.isUppercase ? "_" : "") + $1.lowercased() }
            for spelling in [
                name, name.uppercased(), snake, name.prefix(1).uppercased() + name.dropFirst(), "\(name)_",
            ] {
                #expect(
                    try Self.masked("{\"a\":{\"\(spelling)\" : \"SECRET\"}}")
                        == "{\"a\":{\"\(spelling)\" : \"[masked]\"}}\n")
            }
        }
    }

    /// Names of fields that are no secrets by their model, and are masked by their name where the model is not known.
    private static let decided: Set<String> = [
        // Booleans, which stay.
        "hasTin", "supportsMultiPayToken",
        // A `taxId` is a secret in other models.
        "merchantTaxId", "merchant_tax_id",
        // A card's expiry.
        "exp_month", "exp_year",
    ]

    @Test("no everyday field of the catalogue is masked where no model is known")
    func everyday() throws {
        let sensitive = Set(Self.fields.filter(\.isSensitive).map(\.name))
        for name in Set(Self.fields.map(\.name)).subtracting(sensitive).subtracting(Self.decided) {
            let record = "{\"\(name)\":\"x\"}"
            #expect(try Self.masked(record, isFound: false) == record + "\n")
        }
    }

    @Test(
        "a name is found anywhere among values with colons and quotation marks",
        arguments: ["", " ", "\t\r\n "])
    func places(space: String) throws {
        for offset in 0..<70 {
            let filler = String(repeating: ":", count: offset / 2) + String(repeating: "\\\"", count: offset % 2)
            for rest in ["", ",\"z\":\"\(filler)\""] {
                let record = "{\"a\":\"\(filler)\",\"pin\"\(space):\"S\"\(rest)}"
                #expect(
                    try Self.masked(record) == "{\"a\":\"\(filler)\",\"pin\"\(space):\"[masked]\"\(rest)}\n")
            }
        }
    }

    @Test(
        "other spellings and names than the catalogue's",
        arguments: [
            "accessToken", "access_token", "password", "PIN", "Pin", "routingNumber", "routing_number", "cvv", "apiKey",
            "refresh_token", "clientSecret", "user-password", "newPin",
        ])
    func others(_ name: String) throws {
        #expect(try Self.masked("{\"\(name)\":\"S\"}") == "{\"\(name)\":\"[masked]\"}\n")
        #expect(try Self.masked("{\"\(name)\":123}") == "{\"\(name)\":\"[masked]\"}\n")
        let harmless = "{\"\(name)\":true,\"x\":{\"\(name)\":null,\"y\":[{\"\(name)\":\"\"}]}}"
        #expect(try Self.masked(harmless, isFound: false) == harmless + "\n")
    }

    @Test("a number that is a card's is masked; an order's is not")
    func cardNumbers() throws {
        for number in ["\"4242 4242 4242 4242\"", "4242424242424242", "\"4111-1111-1111-1111\""] {
            #expect(try Self.masked("{\"card\":{\"number\":\(number)}}") == "{\"card\":{\"number\":\"[masked]\"}}\n")
        }
        for number in ["\"A-17\"", "4242", "\"4242424242424243\"", "\"\"", "null", "17.50"] {
            let record = "{\"number\":\(number)}"
            #expect(try Self.masked(record, isFound: false) == record + "\n")
        }
    }

    @Test("the run's own secrets are masked under any name and in the middle of text, and JSON stays JSON")
    func ownSecrets() throws {
        let rows = [
            (#"{"x":"0f8fad5b-d9cb-469f"}"#, #"{"x":"[masked]"}"#),
            (
                #"{"note":"Bearer 0f8fad5b-d9cb-469f!","0f8fad5b-d9cb-469f":1}"#,
                #"{"note":"Bearer [masked]!","[masked]":1}"#
            ),
            (#"{"pin":"0f8fad5b-d9cb-469f","n":[1]}"#, #"{"pin":"[masked]","n":[1]}"#),
            (#"{"n":51234567.5,"s":"1234567"}"#, #"{"n":59999999.5,"s":"9999999"}"#),
            (#"{"x":"0f8fad5b","pin":"1"}"#, #"{"x":"0f8fad5b","pin":"[masked]"}"#),
        ]
        for (record, expected) in rows {
            for showsFields in [false, true] {
                let secrets = SecretMask(hiding: [Secret("0f8fad5b-d9cb-469f"), Secret("1234567")])
                let masker = RecordMasker(nil, isEnvelope: false, secrets: secrets, showsFields: showsFields)
                var batch = RecordBatch()
                for text in ["{}", record] { Array(text.utf8).withUnsafeBytes { batch.append($0) } }
                let shown = String(decoding: try masker.masked(batch).bytes, as: UTF8.self)
                let isPin = expected.contains("0f8fad5b")
                #expect(shown == "{}\n" + (isPin && showsFields ? record : expected) + "\n")
            }
        }
    }
}
