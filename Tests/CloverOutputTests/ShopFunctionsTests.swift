import CloverCalendar
import CloverOutput
import Foundation
import Testing

@Suite("jq: money, day, hour and iso of a shop")
struct ShopFunctionsTests {
    private static func run(
        _ program: String, on records: [String], zone: String = "America/New_York", currency: String = "USD"
    ) async throws -> [String] {
        var run = FilterRun()
        run.shop = ShopFunctions(zone: try TimeZoneRules(named: zone), currency: try Currency(code: currency))
        let result = try await run.run(program, on: records)
        #expect(result.failures.isEmpty)
        return result.text.split(separator: "\n").map(String.init)
    }

    @Test(
        "amounts have the currency's decimals",
        arguments: [
            ("USD", ["\"12.34\"", "\"0.05\"", "\"-0.05\"", "\"0.00\"", "\"-1234.56\"", "null"]),
            ("JPY", ["\"1234\"", "\"5\"", "\"-5\"", "\"0\"", "\"-123456\"", "null"]),
            ("KWD", ["\"1.234\"", "\"0.005\"", "\"-0.005\"", "\"0.000\"", "\"-123.456\"", "null"]),
        ])
    func money(_ currency: String, _ expected: [String]) async throws {
        let amounts = ["1234", "5", "-5", "0", "-123456", "null"]
        #expect(try await Self.run("money", on: amounts, currency: currency) == expected)
    }

    @Test("what is not whole, such as an average, is rounded to the smallest unit, or to a millisecond")
    func parts() async throws {
        let amounts = ["1.5", "1234.4999", "-0.4", "-0.5", "1e15", "9007199254740991"]
        #expect(
            try await Self.run("money", on: amounts)
                == ["0.02", "12.34", "0.00", "-0.01", "10000000000000.00", "90071992547409.91"].map { "\"\($0)\"" })
        let times = try await Self.run("iso", on: ["1769893828009.5"], zone: "UTC")
        #expect(times == [#""2026-01-31T21:10:28.009+00:00""#])
    }

    @Test(
        "days, hours and times are those of the zone, over every change of clocks and before 1970",
        arguments: ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "UTC"])
    func times(_ name: String) async throws {
        let zone = try TimeZoneRules(named: name)
        var random = SystemRandomNumberGenerator()
        var times = (0..<400).map { _ in Int64.random(in: -2_000_000_000_000...4_000_000_000_000, using: &random) }
        // Around each change of an offset in 2026.
        for hour in 0..<8760 {
            let second = 1_767_225_600 + hour * 3600
            if zone.offset(at: second) != zone.offset(at: second - 3600) {
                times += [-1, 0, 1, 3_599_999].map { Int64(second) * 1000 + $0 }
            }
        }
        let lines = try await Self.run("[day, hour, iso]", on: times.map(String.init), zone: name)
        // Older offsets may have seconds, which the text does not have.
        let later = zip(times, lines).filter { $0.0 >= 0 }
        let again = try await Self.run(
            "iso as $text | [($text | day), ($text | hour), ($text | iso)]", on: later.map { String($0.0) }, zone: name)
        #expect(again == later.map(\.1), "the same of a time that is text")
        try #require(lines.count == times.count)
        for (time, line) in zip(times, lines) {
            let second = Int((Double(time) / 1000).rounded(.down))
            let offset = zone.offset(at: second)
            let local = CivilTime(secondsSince1970: second + offset)
            func two(_ number: Int) -> String { String(format: "%02d", number) }
            let day = String(format: "%04d-%02d-%02d", local.year, local.month, local.day)
            let hour = local.secondOfDay / 3600
            let minute = two(local.secondOfDay / 60 % 60) + ":" + two(local.secondOfDay % 60)
            let part = String(format: "%03d", Int(time - Int64(second) * 1000))
            let shift = (offset < 0 ? "-" : "+") + two(abs(offset) / 3600) + ":" + two(abs(offset) / 60 % 60)
            #expect(line == #"["\#(day)",\#(hour),"\#(day)T\#(two(hour)):\#(minute).\#(part)\#(shift)"]"#, "\(time)")
        }
    }

    @Test("a program's own functions and fields of these names are its own, and errors show its own text")
    func own() async throws {
        #expect(
            try await Self.run("def day: 7; {day: day, money: .money}", on: [#"{"money":1}"#]) == [
                #"{"day":7,"money":1}"#
            ])
        #expect(try await Self.run("$ARGS.named", on: ["1"]) == ["{}"])
        let error = await #expect(throws: JQError.self) { _ = try await Self.run("day | nothing", on: ["1"]) }
        #expect(error.map { "\($0)".contains("nothing/0") && !"\($0)".contains("__") } == true)
    }

    private static func failures(
        _ program: String, on record: String, zone: TimeZoneRules?, currency: Currency?
    ) async throws -> [String] {
        var run = FilterRun()
        run.shop = ShopFunctions(zone: zone, currency: currency)
        return try await run.run(program, on: [record]).failures.map(\.message)
    }

    @Test("what is unknown is an error of the record, and never another shop's")
    func unknown() async throws {
        let dollar = try Currency(code: "USD")
        let failures = try await Self.failures("day", on: "1", zone: nil, currency: dollar)
        #expect(failures == ["the shop's time zone is not known; --zone names one"])
        #expect(try await Self.failures("money", on: "1", zone: .utc, currency: nil).count == 1)
        let foreign = #"{"a":1,"currency":"XQX"}"#
        #expect(try await Self.failures(".a|money", on: foreign, zone: .utc, currency: dollar).count == 1)
        #expect(try await Self.failures("day, (null|money)", on: "1", zone: .utc, currency: nil).isEmpty)
    }

    @Test("the array of --slurp has its records' decimals; records of several currencies are an error of money only")
    func slurped() async throws {
        func run(_ codes: [String?], _ program: String = "map(.a | money)", shop: String? = "USD") async throws
            -> FilterRun.Result
        {
            var run = FilterRun()
            run.options = JQOptions(slurp: true)
            run.shop = ShopFunctions(zone: .utc, currency: try shop.map { try Currency(code: $0) })
            let records = codes.map { #"{"a":1234"# + ($0.map { #","currency":"\#($0)"}"# } ?? "}") }
            return try await run.run(program, on: records)
        }
        #expect(try await run(["JPY", "jpy"]).text == "[\"1234\",\"1234\"]\n")
        #expect(try await run(["USD", nil, "EUR"]).text == "[\"12.34\",\"12.34\",\"12.34\"]\n")
        #expect(try await run(["JPY"], shop: nil).text == "[\"1234\"]\n")
        #expect(try await run([]).text == "[]\n")
        #expect(try await run([], "length | money").text == "\"0.00\"\n")
        for codes in [["JPY", "USD"], ["JPY", nil], ["XQX"], ["XQX", "USD"]] {
            let result = try await run(codes)
            #expect(result.text.isEmpty && result.failures.count == 1, "\(codes)")
        }
        #expect(try await run(["JPY", nil]).failures[0].message.contains("leave --slurp out"))
        #expect(try await run(["JPY", "USD"], "map(.a) | add").text == "2468\n")
    }

    @Test("a record's own currency and time zone take precedence, also those of a change's record")
    func ofRecord() async throws {
        var run = FilterRun()
        run.shop = ShopFunctions(
            zone: .utc, currency: try Currency(code: "USD"), zones: [try TimeZoneRules(named: "Asia/Tokyo")],
            differByRecord: true)
        let records = [
            #"{"a":1234,"currency":"JPY","zone":"Asia/Tokyo"}"#, #"{"a":1234,"currency":"usd","zone":"Mars"}"#,
            #"{"a":1234,"record":{"currency":"KWD"}}"#, #"{"a":1234,"currency":""}"#, #"{"a":1234,"currency":7}"#,
        ]
        let result = try await run.run("[(.a|money), (0|hour)]", on: records)
        #expect(result.failures.isEmpty)
        #expect(
            result.text.split(separator: "\n") == [
                #"["1234",9]"#, #"["12.34",0]"#, #"["1.234",0]"#, #"["12.34",0]"#, #"["12.34",0]"#,
            ])
        let shop = try #require(run.shop)
        #expect(try JQProgram(source: "map(.a|money)", options: JQOptions(slurp: true), shop: shop).readsSeveralShops)
        #expect(try JQProgram(source: "[., input] | map(.a|money)", shop: shop).readsSeveralShops)
        #expect(try !JQProgram(source: ".a|money", shop: shop).readsSeveralShops)
    }
}
