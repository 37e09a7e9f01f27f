import CloverTestSupport
import Testing

/// The reader that all tests judge results with.
@Suite("the tests' reader of JSON")
struct JSONValueTests {
    @Test(
        "each kind of value",
        arguments: [
            ("null", .null), (" true\n", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
            ("-12", .integer(-12)),
            ("1.0", .integer(1)), ("1e2", .integer(100)), ("9223372036854775807", .integer(.max)),
            ("0.25", .number(0.25)),
            ("-2.5E-1", .number(-0.25)), ("18446744073709551616", .number(18_446_744_073_709_551_616)),
            (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u0041\u00e9\ud83d\ude00é""#, .string("Aé😀é")), ("[]", .array([])), ("{}", .object([:])),
            (
                #"{"a":[1,{"b":null}] , "c":""}"#,
                .object(["a": .array([.integer(1), .object(["b": .null])]), "c": .string("")])
            ),
            (#"{"a":1,"a":2}"#, .object(["a": .integer(1)])),
        ] as [(String, JSONValue)])
    func values(text: String, expected: JSONValue) throws { #expect(try JSONValue(text) == expected) }

    @Test(
        "what is not JSON is refused",
        arguments: [
            "", " ", "nul", "True", "01", "-", "1.", ".5", "1e", "+1", "1e400", "1 2", "\"", "\"\n\"", #""\x""#,
            #""\u12""#,
            #""\ud83d""#, #""\ude00""#, "[1,]", "[1", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "{}x", "'a'",
            String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
        ])
    func refused(text: String) { #expect(throws: CommandError.self) { try JSONValue(text) } }
}
