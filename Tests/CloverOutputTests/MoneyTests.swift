import CloverJSON
import CloverOutput
import CloverTestSupport
import Testing

@Suite("Money")
struct MoneyTests {
    private func layout(_ format: RecordFormat, _ money: MoneyStyle, fields: String = "total") throws -> RecordLayout {
        let currency = try FieldPath(parsing: "currency")
        var layout = RecordLayout(
            format: format,
            columns: try FieldPath.list(parsing: fields).map {
                RecordColumn($0, kind: $0.text == "total" ? .money(currency: currency) : .plain)
            })
        layout.money = money
        layout.hasHeader = false
        return layout
    }

    @Test("is sent on in minor units unless another style is chosen")
    func minor() async throws {
        #expect(try await FormatRun.text(layout(.csv, .minor), [#"{"total":1250,"currency":"JPY"}"#]) == "1250\r\n")
    }

    @Test(
        "in major units has the decimals of the record's currency",
        arguments: [
            (#"{"total":7421,"currency":"USD"}"#, "74.21"), (#"{"currency":"JPY","total":7421}"#, "7421"),
            (#"{"total":7421,"currency":"KWD"}"#, "7.421"), (#"{"total":7421,"currency":"CLF"}"#, "0.7421"),
            (#"{"total":7421,"currency":"usd"}"#, "74.21"), (#"{"total":7421}"#, "74.21"),
            (#"{"total":7421,"currency":null}"#, "74.21"), (#"{"total":7421,"currency":"XBT"}"#, "7421"),
            (#"{"total":7421,"currency":""}"#, "74.21"), (#"{"total":7421,"currency":12}"#, "74.21"),
            (#"{"total":-5}"#, "-0.05"), (#"{"total":0}"#, "0.00"), (#"{"total":100}"#, "1.00"),
            (#"{"total":null}"#, "\"\""), (#"{"total":"12"}"#, "12"), (#"{"total":12.5}"#, "12.5"),
            (#"{"total":1e3}"#, "1e3"),
            (#"{"total":123456789012345678901234567890}"#, "1234567890123456789012345678.90"),
        ])
    func major(record: String, text: String) async throws {
        #expect(try await FormatRun.text(layout(.csv, .major(.usDollar)), [record]) == "\(text)\r\n")
    }

    @Test(
        "a rate is shown in percent in a table only",
        arguments: [
            ("887500", 5, "8.875%"), ("450000", 5, "4.5%"), ("0", 5, "0%"), ("10000000", 5, "100%"),
            ("-50000", 5, "-0.5%"),
            ("7", 5, "0.00007%"), ("8.25", 0, "8.25%"), ("10", 0, "10%"), ("1.5", 5, "1.5"),
        ])
    func percent(rate: String, decimals: Int, text: String) async throws {
        let columns = [RecordColumn(try FieldPath(parsing: "rate"), kind: .percent(decimals: decimals))]
        for (format, expected) in [(RecordFormat.table, text + "\n"), (.csv, rate + "\r\n")] {
            var layout = RecordLayout(format: format, columns: columns)
            layout.hasHeader = false
            #expect(try await FormatRun.text(layout, [#"{"rate":\#(rate)}"#]) == expected)
        }
    }

    @Test("stays a number in JSON, and other columns stay as they are")
    func json() async throws {
        let text = try await FormatRun.text(
            layout(.ndjson, .major(.usDollar), fields: "total,tip"), [#"{"tip":100,"total":-7}"#])
        #expect(text == "{\"total\":-0.07,\"tip\":100}\n")
        let signed = try await FormatRun.text(layout(.ndjson, .signed(.usDollar)), [#"{"total":-7}"#])
        #expect(signed == "{\"total\":\"-$0.07\"}\n")
    }

    @Test(
        "for a person has a sign or a code",
        arguments: [
            ("USD", "$74.21"), ("EUR", "€74.21"), ("CAD", "CA$74.21"), ("SEK", "74.21 SEK"), ("JPY", "7421 JPY"),
        ])
    func signed(code: String, text: String) async throws {
        let style = MoneyStyle.signed(try Currency(code: code))
        #expect(try await FormatRun.text(layout(.csv, style), [#"{"total":7421}"#]) == "\(text)\r\n")
        #expect(try await FormatRun.text(layout(.csv, style), [#"{"total":-7421}"#]) == "-\(text)\r\n")
    }

    @Test(
        "an amount in an unknown currency stays in minor units, with the printable part of the code",
        arguments: [
            (#""XBT""#, "7421 XBT"), (#""x\u0042t""#, "7421 xBt"), (#""\u0045UR""#, "€74.21"),
            (#""A\u001b[31mB""#, "7421 AB…"), (#""\u001b\u202e""#, "7421 ?"),
            (#""ABCDEFGHIJ""#, "7421 ABCDEFGH…"), ("null", "$74.21"), (#""""#, "$74.21"),
        ])
    func foreign(code: String, text: String) async throws {
        let record = #"{"total":7421,"currency":\#(code)}"#
        #expect(try await FormatRun.text(layout(.csv, .signed(.usDollar)), [record]) == "\(text)\r\n")
    }

    @Test("is exact, whatever the amount and the currency")
    func comparedWithDecimal() async throws {
        var sample = SampleJSON(seed: 3)
        let ranges: [ClosedRange<Int64>] = [-1200...1200, -99_999_999...99_999_999, -Int64.max / 2...Int64.max / 2]
        let codes = [("JPY", 0), ("USD", 2), ("TND", 3), ("UYW", 4)]
        var input = ""
        var output = ""
        for (code, decimals) in codes {
            let amounts = (0..<3000).map { sample.integer(ranges[$0 % 3]) }
            output += try await FormatRun.text(
                layout(.tsv, .major(try Currency(code: code))), amounts.map { #"{"total":\#($0)}"# })
            input += amounts.map { "\($0) \(decimals)\n" }.joined()
        }
        let expected = try RealProgram("python3").run(["-c", PythonReference.amounts], input: Array(input.utf8))
        #expect(FieldTests.firstDifference(output, String(decoding: expected, as: UTF8.self)) == nil)
    }

    @Test("has only currencies that exist")
    func currencies() throws {
        #expect(throws: RecordFormatError.unknownCurrency("XXY")) { try Currency(code: "XXY") }
        #expect(throws: RecordFormatError.unknownCurrency("")) { try Currency(code: "") }
        #expect(try Currency(code: "eur").decimals == 2)
        #expect(try Currency(code: "ISK").decimals == 0)
    }
}
