import CloverTestSupport
import Synchronization
import Testing

/// Shops with different currencies and time zones.
extension ReportTests {
    /// Signs in at a shop in Tokyo, which takes yen, and at one in New York, which takes dollars.
    private static func twoShops(_ body: (Sandbox) async throws -> Void) async throws {
        try await Shop.run { sandbox, shop, server in
            shop.zones.withLock { $0 = ["M1": "Asia/Tokyo"] }
            shop.currencies.withLock { $0 = ["M1": "JPY"] }
            for (merchant, name) in [("M1", "tokyo"), ("M2", "york")] {
                try await signIn(merchant, name, at: server, in: sandbox)
            }
            try await body(sandbox)
        }
    }

    private static func signIn(
        _ merchant: String, _ name: String, at server: LoopbackServer, in sandbox: Sandbox
    ) async throws {
        let result = try await sandbox.clover(
            "auth", "login", "--with-token", "--merchant", merchant, "--environment", server.url, "--profile", name,
            input: .text("\(merchant)-token\n"))
        try #require(result.ending == .exited(0), "\(result)")
    }

    private static let both = ["--period", "2026-10-05..2026-10-07", "--profiles", "tokyo,york"]

    @Test("in jq programs, each row of several shops has the currency and the time zone of its shop")
    func shopsInPrograms() async throws {
        try await Self.twoShops { sandbox in
            let sales = try await sandbox.clover(
                ["report", "sales"] + Self.both + ["--jq", "[.shop, (.grossSales|money), .zone, .currency]"])
            #expect(sales.ending == .exited(0), "\(sales)")
            #expect(
                sales.lines == [
                    #"["tokyo","1000","Asia/Tokyo","JPY"]"#, #"["york","10.00","America/New_York","USD"]"#,
                ], "\(sales)")
            let refunds = try await sandbox.clover(
                ["report", "refunds"] + Self.both + ["--jq", "[(.time|iso), (.time|day), (.amount|money)]"])
            #expect(refunds.ending == .exited(0), "\(refunds)")
            #expect(
                refunds.lines == [
                    #"["2026-10-07T01:00:00.000+09:00","2026-10-07","583"]"#,
                    #"["2026-10-06T12:00:00.000-04:00","2026-10-06","5.83"]"#,
                ], "\(refunds)")
            // All rows in one array have no shop.
            expectFailure(
                try await sandbox.clover(
                    ["report", "sales"] + Self.both + ["--slurp", "--jq", "map(.grossSales|money)"]),
                status: 64, saying: "different time zones or currencies", output: "")
            let count = try await sandbox.clover(["report", "sales"] + Self.both + ["--slurp", "--jq", "length"])
            #expect(count.ending == .exited(0) && count.lines == ["2"], "\(count)")
            let orders = try await sandbox.clover(
                "get", "orders", "--profiles", "tokyo,york", "--jq", "[(.total|money), (1791216000000|day)]")
            #expect(orders.ending == .exited(0), "\(orders)")
            #expect(orders.lines == [#"["1015","2026-10-06"]"#, #"["10.15","2026-10-05"]"#], "\(orders)")
        }
    }

    @Test("in tables and CSV, the times of several shops are each in its own time zone, which is named")
    func timesOfShops() async throws {
        try await Self.twoShops { sandbox in
            let table = try sandbox.startOnTerminal(["report", "refunds"] + Self.both, columns: 200)
            #expect(try await table.result().ending == .exited(0))
            for part in ["2026-10-07 01:00", "2026-10-06 12:00", "tokyo: times and days are in Asia/Tokyo"] {
                #expect(table.screen.text.contains(part), "\(part): \(table.screen.text)")
            }
            let times = ["report", "refunds", "--format", "csv", "--fields", "shop,time"] + Self.both
            let own = try await sandbox.clover(times + ["--zone", "merchant"])
            #expect(
                own.outputText
                    == "shop,time\r\ntokyo,2026-10-07T01:00:00.000+09:00\r\nyork,2026-10-06T12:00:00.000-04:00\r\n",
                "\(own)")
            let one = try await sandbox.clover(times + ["--zone", "UTC"])
            #expect(one.outputText.contains("tokyo,2026-10-06T16:00:00.000"), "\(one)")
            #expect(one.outputText.contains("york,2026-10-06T16:00:00.000"), "\(one)")
        }
    }

    @Test("the times of a report are in the time zone of its days in columns, and UTC in JSON and in programs")
    func timesInPipes() async throws {
        try await Shop.run { sandbox, _, _ in
            let refunds = ["report", "refunds", "--period", "2026-10-05..2026-10-06"]
            let inUTC = "2026-10-06T16:00:00.000Z"
            for (options, time) in [([], "2026-10-06T12:00:00.000-04:00"), (["--zone", "UTC"], inUTC)] {
                let lines = try await sandbox.clover(refunds + (options.isEmpty ? [] : options + ["--fields", "time"]))
                #expect(lines.ending == .exited(0) && lines.outputText.contains(#""time":"\#(inUTC)""#), "\(lines)")
                let csv = try await sandbox.clover(refunds + options + ["--format", "csv"])
                #expect(csv.ending == .exited(0) && csv.outputText.contains("\r\n\(time),"), "\(csv)")
                let program = try await sandbox.clover(refunds + options + ["--jq", ".time"])
                #expect(program.ending == .exited(0) && program.lines == [#""\#(inUTC)""#], "\(program)")
            }
        }
    }

    @Test("'yesterday' is each shop's own, and its rows say which day that is")
    func periodsOfShops() async throws {
        try await Shop.run { sandbox, shop, server in
            // Never the same date: their clocks are 25 hours apart.
            shop.zones.withLock { $0 = ["M1": "Pacific/Kiritimati", "M2": "Pacific/Pago_Pago"] }
            for (merchant, name) in [("M1", "east"), ("M2", "west")] {
                try await Self.signIn(merchant, name, at: server, in: sandbox)
            }
            let result = try await sandbox.clover(
                "report", "sales", "--profiles", "east,west", "--jq", "[.period, .zone]|join(\" \")", "-r")
            #expect(result.ending == .exited(0), "\(result)")
            try #require(result.lines.count == 2)
            #expect(result.lines[0].hasSuffix(" Pacific/Kiritimati") && result.lines[1].hasSuffix(" Pacific/Pago_Pago"))
            #expect(result.lines[0].prefix(10) > result.lines[1].prefix(10), "\(result)")
        }
    }

    @Test("of several shops, each one without sales has a notice")
    func emptyShops() async throws {
        try await Self.twoShops { sandbox in
            // The sale of noon on October 5 in New York is of October 6 in Tokyo.
            for (period, empty) in [("2026-10-06", ["york"]), ("2025-01", ["tokyo", "york"]), ("2026-10", [])] {
                let result = try await sandbox.clover(
                    "report", "sales", "--profiles", "tokyo,york", "--without", "refunds", "--period", period, "--jq",
                    ".orders")
                #expect(result.ending == .exited(0), "\(result)")
                let notices = result.errorText.split(separator: "\n").filter { $0.contains("no sales in this period") }
                #expect(
                    notices.map(String.init)
                        == empty.map { "clover: \($0): no sales in this period; refunds were left out" }, "\(result)")
            }
        }
    }

    @Test("jq programs of clover's own lists and of exports have the functions of the shop")
    func programsElsewhere() async throws {
        try await Self.twoShops { sandbox in
            let program = ["--jq", "[(1234|money), (1791216000000|iso)]"]
            let yen = #"["1234","2026-10-06T01:00:00.000+09:00"]"#
            for command in [["auth", "list"], ["whoami"], ["export", "employees", "--to", sandbox.directory["out"]]] {
                let result = try await sandbox.clover(command + program + ["--profile", "tokyo"])
                let files = try sandbox.directory.files(below: "out").map { try sandbox.directory.read($0) }
                let text = result.outputText + files.map { String(decoding: $0, as: UTF8.self) }.joined()
                #expect(result.ending == .exited(0) && text.contains(yen), "\(command) \(result) \(text)")
            }
        }
    }
}
