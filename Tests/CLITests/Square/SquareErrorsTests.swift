import CloverTestSupport
import Testing

@Suite("charge square errors")
struct SquareErrorsTests {
    @Test("both tables, number by number", arguments: ["pos-3.5.4", "register-2.1"])
    func tables(sdk: String) async throws {
        let result = try await Sandbox.run { try await $0.square("errors", "--sdk", sdk) }
        expectSuccess(result)
        let rows = try JSONValue.lines(result.lines)
        #expect(
            rows.allSatisfy { $0.keys == ["accepted", "domain", "meaning", "name", "number", "remedy", "wire"] })
        func numbers(_ domain: String) -> [Int] {
            rows.filter { $0["domain"]?.string == domain }.compactMap { $0["number"]?.integer }
        }
        #expect(numbers("SCCErrorDomain") == Array(0...11))
        #expect(numbers("SCCAPIErrorDomain") == Array(0...21))
        #expect(rows.count == 34)
        let mismatch = try #require(rows.first { $0["number"]?.integer == 5 && $0["wire"] != .null })
        let isRegister = sdk == "register-2.1"
        #expect(mismatch["wire"]?.string == (isRegister ? "user_id_mismatch" : "location_id_mismatch"))
        #expect(
            mismatch["name"]?.string
                == "SCCAPIErrorCode\(isRegister ? "MerchantIDMismatch" : "LocationIDMismatch")")
        #expect(mismatch["accepted"]?.elements?.count == 2)
    }

    @Test("a terminal shows every sentence whole, and JSON when asked for")
    func terminal() async throws {
        try await Sandbox.run { sandbox in
            let rows = try JSONValue.lines(try await sandbox.square("errors").lines)
            for columns in [60, 120] {
                let page = try await sandbox.cloverOnTerminal("charge square errors", columns: columns).terminalText
                #expect(page.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(page)")
                let words = page.replacing(/\s+/, with: " ")
                #expect(words.contains(" 1 SCCAPIErrorCodePaymentCanceled payment_canceled "), "\(page)")
                for row in rows {
                    let meaning = try #require(row["meaning"]?.string)
                    let remedy = try #require(row["remedy"]?.string)
                    #expect(words.contains("\(meaning) do: \(remedy)"), "\(page)")
                }
            }
            let json = try await sandbox.cloverOnTerminal("charge square errors --json", columns: 120)
            #expect(json.terminalText.hasPrefix(#"{"domain":"SCCErrorDomain""#))
        }
    }
}
