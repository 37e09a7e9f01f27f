import CloverTestSupport
import Testing

@Suite("charge square request: amounts")
struct SquareAmountTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        /// What each SDK takes it for; nil where it is refused.
        let newest: Int?
        let register: Int?
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., newest: Int?, register: Int?) {
            self.arguments = arguments
            self.newest = newest
            self.register = register
        }

        init(refused arguments: String...) {
            self.arguments = arguments
            (newest, register) = (nil, nil)
        }
    }

    static let rows = [
        Row("--amount", "12.50", "--currency", "USD", newest: 1250, register: 1250),
        Row(refused: "--amount", "-5.00", "--currency", "USD"),
        Row("--amount", "-0", "--currency", "USD", newest: nil, register: 0),
        Row("--amount", "-0.00", "--currency", "USD", newest: nil, register: 0),
        Row("--amount", "0", "--currency", "USD", newest: nil, register: 0),
        Row("--amount", "0.00", "--currency", "USD", newest: nil, register: 0),
        Row("--amount", "-0", "--currency", "JPY", newest: nil, register: 0),
        Row("--amount", "5", "--currency", "JPY", newest: 5, register: 5),
        Row(refused: "--amount", "1.0", "--currency", "JPY"),
        Row(refused: "--amount", "1e2", "--currency", "USD"),
        Row(refused: "--amount", "1.000", "--currency", "USD"),
        Row(refused: "--amount", "", "--currency", "USD"),
        Row(refused: "--amount", "1,00", "--currency", "USD"),
        Row(refused: "--amount", "--5.00", "--currency", "USD"),
        Row(refused: "--amount", "99999999999999999999.00", "--currency", "USD"),
        Row("--minor", "1", "--currency", "USD", newest: 1, register: 1),
        Row("--minor", "-0", "--currency", "USD", newest: nil, register: 0),
        Row(refused: "--minor", "-5", "--currency", "USD"),
        Row(refused: "--minor", "1.0", "--currency", "USD"),
        Row(refused: "--minor", "1e2", "--currency", "USD"),
        Row(refused: "--minor", "", "--currency", "USD"),
        Row(refused: "--minor", "9223372036854775808", "--currency", "USD"),
    ]

    @Test("money refuses no amount, the request does: code 5, with domain, number and name", arguments: rows)
    func flags(_ row: Row) async throws {
        try await Sandbox.run { sandbox in
            for (sdk, amount) in [("pos-3.5.4", row.newest), ("register-2.1", row.register)] {
                let result = try await sandbox.squareRequest(["--no-journal", "--json", "--sdk", sdk] + row.arguments)
                if let amount {
                    #expect(result.status == 0, "\(sdk): \(result)")
                    let money = try JSONValue(result.outputText)["data"]?["amount_money"]
                    #expect(money?["amount"]?.integer == amount, "\(sdk): \(result)")
                } else {
                    #expect(result.status == 64 && result.output.isEmpty, "\(sdk): \(result)")
                    let error = try #require(try JSONValue(result.errorText)["error"])
                    #expect(error["domain"]?.string == "SCCErrorDomain" && error["number"]?.integer == 5, "\(result)")
                    #expect(error["name"]?.string == "SCCErrorCodeInvalidRequestAmount", "\(result)")
                    #expect(error["code"] == error["name"] && error["status"]?.integer == 64)
                }
            }
        }
    }

    @Test("an amount that can be meant in two ways is refused as what it is", arguments: ["12", "1.0", "-5", "-1.0"])
    func ambiguous(_ text: String) async throws {
        let result = try await Sandbox.run {
            try await $0.squareRequest(["--json", "--amount", text, "--currency", "USD"])
        }
        #expect(result.status == 64 && result.output.isEmpty, "\(result)")
        let error = try #require(try JSONValue(result.errorText)["error"])
        #expect(error["code"]?.string == "ambiguous_amount" && error["number"] == nil, "\(result)")
    }

    @Test("the application id is checked before an invalid amount, and the currency before both")
    func order() async throws {
        try await Sandbox.run { sandbox in
            for (currency, number) in [("USD", 3), ("", 1)] {
                let result = try await sandbox.square(
                    "request", "--json", "--amount", "1e2", "--currency", currency)
                #expect(try JSONValue(result.errorText)["error"]?["number"]?.integer == number, "\(result)")
            }
        }
    }

    @Test("in a batch a whole number is accepted in any spelling, and an unusual one is reported")
    func batch() async throws {
        try await Sandbox.run { sandbox in
            let rows: [(amount: String, newest: Int?, register: Int?)] = [
                ("1250", 1250, 1250), ("1.0", 1, 1), ("1e2", 100, 100), ("-0", nil, 0), ("-5.00", nil, nil),
                ("-5", nil, nil), ("0", nil, 0), ("12.5", nil, nil), ("\"1250\"", nil, nil), ("1e400", nil, nil),
            ]
            let lines = rows.map {
                #"{"clientId":"a","amount":\#($0.amount),"currency":"USD","callbackUrl":"x://y"}"# + "\n"
            }
            for (sdk, wanted) in [("pos-3.5.4", rows.map(\.newest)), ("register-2.1", rows.map(\.register))] {
                let result = try await sandbox.square(
                    "request", "--sdk", sdk, "--input", "-", input: .text(lines.joined()))
                #expect(result.status == 82, "\(result)")
                #expect(result.errorText.contains("line 2: amount 1.0 is read as 1 in the smallest unit"), "\(result)")
                let answers = try JSONValue.lines(result.lines)
                #expect(answers.map { $0["data"]?["amount_money"]?["amount"]?.integer } == wanted)
                for (answer, amount) in zip(answers, wanted) where amount == nil {
                    #expect(answer["error"]?["number"]?.integer == 5, "\(answer)")
                    #expect(answer["error"]?["name"]?.string == "SCCErrorCodeInvalidRequestAmount")
                }
            }
        }
    }
}
