import CloverTestSupport
import Foundation
import Testing

@Suite("get: what is sent")
struct QueryTests {
    struct Filter: Sendable, CustomTestStringConvertible {
        let typed: String
        let sent: String
        var path = "orders"
        var testDescription: String { typed }
    }

    static let filters = [
        Filter(typed: "state=open", sent: "state%3Dopen"),
        Filter(typed: "state!=open", sent: "state%21%3Dopen"),
        Filter(typed: "total>1000", sent: "total%3E1000"),
        Filter(typed: "total>=1000", sent: "total%3E%3D1000"),
        Filter(typed: "total<1000", sent: "total%3C1000"),
        Filter(typed: "total<=1000", sent: "total%3C%3D1000"),
        Filter(typed: "total >= 1000", sent: "total%3E%3D1000"),
        Filter(
            typed: "id in ('AAAAAAAAAAAA1','AAAAAAAAAAAA2')",
            sent: "id%20in%20%28%27AAAAAAAAAAAA1%27%2C%27AAAAAAAAAAAA2%27%29"),
        Filter(
            typed: "id in (AAAAAAAAAAAA1,AAAAAAAAAAAA2)",
            sent: "id%20in%20%28%27AAAAAAAAAAAA1%27%2C%27AAAAAAAAAAAA2%27%29"),
        Filter(typed: "note is not null", sent: "note%20IS%20NOT%20NULL"),
        Filter(typed: "note IS NOT NULL", sent: "note%20IS%20NOT%20NULL"),
        Filter(typed: "name=Cof*", sent: "name%3DCof%2A", path: "items"),
        Filter(typed: "employee.name=Zoë & Søn", sent: "employee.name%3DZo%C3%AB%20%26%20S%C3%B8n"),
        Filter(
            typed: "phoneNumber=+1 (555) 010-9999", sent: "phoneNumber%3D%2B1%20%28555%29%20010-9999",
            path: "customers"),
        Filter(typed: "note=a=b", sent: "note%3Da%3Db"),
        Filter(typed: "note=100%", sent: "note%3D100%25"),
        Filter(typed: "note=/?#[]@;:,$", sent: "note%3D%2F%3F%23%5B%5D%40%3B%3A%2C%24"),
        Filter(typed: "note=~-._", sent: "note%3D~-._"),
        Filter(typed: "note=🍀", sent: "note%3D%F0%9F%8D%80"),
    ]

    @Test("every operator and every character is percent-encoded exactly", arguments: filters)
    func filterIsEncoded(_ filter: Filter) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", filter.path, "--no-complete", "--filter", filter.typed))
            let request = try #require(server.requests.first)
            #expect(request.path == "/v3/merchants/\(Sandbox.merchantID)/\(filter.path)")
            #expect(request.values(of: "filter") == [filter.sent])
        }
    }

    struct Time: Sendable, CustomTestStringConvertible {
        let zone: String
        let typed: String
        let milliseconds: Int
        var testDescription: String { "\(typed) in \(zone)" }
    }

    static let times = [
        Time(zone: "UTC", typed: "1700000000000", milliseconds: 1_700_000_000_000),
        Time(zone: "UTC", typed: "2023-11-14T22:13:20Z", milliseconds: 1_700_000_000_000),
        Time(zone: "UTC", typed: "2023-11-14T22:13:20.5Z", milliseconds: 1_700_000_000_500),
        Time(zone: "UTC", typed: "2023-11-15T00:13:20+02:00", milliseconds: 1_700_000_000_000),
        Time(zone: "America/New_York", typed: "2023-11-14T22:13:20Z", milliseconds: 1_700_000_000_000),
        Time(zone: "America/New_York", typed: "2023-11-14T17:13:20", milliseconds: 1_700_000_000_000),
        Time(zone: "America/New_York", typed: "2023-07-01", milliseconds: 1_688_184_000_000),
        Time(zone: "UTC", typed: "2023-07-01", milliseconds: 1_688_169_600_000),
        Time(zone: "Asia/Kolkata", typed: "2024-02-29", milliseconds: 1_709_145_000_000),
    ]

    /// A service whose merchant is in a zone.
    private static func answer(zone: String, _ request: LoopbackRequest) -> LoopbackResponse {
        request.path.hasSuffix("/properties") ? LoopbackResponse(#"{"timezone":"\#(zone)"}"#) : .page([])
    }

    @Test("times become milliseconds, by the merchant's clocks where they name no offset", arguments: times)
    func timeIsConverted(_ time: Time) async throws {
        try await Sandbox.run(server: { request, _ in Self.answer(zone: time.zone, request) }) { sandbox, server in
            // The machine's own clocks do not matter.
            let zoned = sandbox.with(["TZ": "Pacific/Kiritimati"])
            expectSuccess(
                try await zoned.clover(
                    "get", "orders", "--no-complete", "--filter", "createdTime>=\(time.typed)"))
            #expect(server.requests.last?.values(of: "filter") == ["createdTime%3E%3D\(time.milliseconds)"])
            let wantsZone = !time.typed.contains("Z") && !time.typed.contains("+") && time.typed.contains("-")
            #expect(server.requests.count == (wantsZone ? 2 : 1))
        }
    }

    @Test(
        "today and yesterday are midnights of the merchant's zone",
        arguments: ["UTC", "Asia/Kolkata", "America/New_York"])
    func midnights(_ zone: String) async throws {
        try await Sandbox.run(server: { request, _ in Self.answer(zone: zone, request) }) { sandbox, server in
            // The day may change between the two questions: then date(1) is asked before and after.
            func midnight(_ day: String) async throws -> String {
                try await sandbox.with(["TZ": zone]).shell("date -d '\(day) 00:00' +%s000").lines.joined()
            }
            for day in ["today", "yesterday"] {
                let before = try await midnight(day)
                expectSuccess(
                    try await sandbox.clover(
                        "get", "orders", "--no-complete", "--filter", "createdTime<\(day)"))
                let after = try await midnight(day)
                let sent = try #require(server.requests.last?.values(of: "filter").first)
                #expect([before, after].map { "createdTime%3C\($0)" }.contains(sent), "\(day) in \(zone): \(sent)")
            }
        }
    }

    @Test(
        "--period reads the merchant's days, whole ones, by the time of the list",
        arguments: [
            ("2026-01-01", "1767243600000", "1767330000000"), ("2026-01", "1767243600000", "1769922000000"),
            ("2026-01-01..2026-01-02", "1767243600000", "1767416400000"),
            // Clocks go forward on March 8.
            ("2026-03-08", "1772946000000", "1773028800000"),
        ])
    func period(_ period: String, _ from: String, _ to: String) async throws {
        try await Sandbox.run(server: { request, _ in
            Self.answer(zone: "America/New_York", request)
        }) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", "payments", "--no-complete", "--period", period))
            #expect(server.requests.last?.values(of: "filter") == ["createdTime%3E%3D\(from)", "createdTime%3C\(to)"])
            // The service does not filter refunds by time; the tool does.
            expectSuccess(try await sandbox.clover("get", "refunds", "--period", period))
            let count = server.requests.count
            for (list, text, words) in [
                ("payments", "foo", "'foo' is not a period"), ("payments", "2026-02..2026-01", "ends before it begins"),
                ("payments", "2999", "the period '2999' has not begun"),
                ("items", period, "items has no time of creation"),
            ] {
                expectFailure(try await sandbox.clover("get", list, "--period", text), status: 64, saying: words)
            }
            #expect(server.requests.count == count, "nothing is sent")
        }
    }

    @Test("a merchant's zone and currency are kept for a day, for each merchant, and --explain says so")
    func settingsAreKept() async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties")
                ? LoopbackResponse(#"{"timezone":"America/New_York","defaultCurrency":"USD"}"#) : .page([])
        }) { sandbox, server in
            let state = sandbox.directory["kept"]
            let sandbox = sandbox.with(["CLOVER_STATE_DIR": state])
            func asked() -> Int { server.requests.count { $0.path.hasSuffix("/properties") } }
            let get = ["get", "payments", "--period", "2026-01-01"]
            func source(_ run: Sandbox, _ options: String...) async throws -> String? {
                let result = try await run.clover(get + ["--explain"] + options)
                expectSuccess(result)
                return try JSONValue(result.outputText)["zoneSource"]?.string
            }
            #expect(try await source(sandbox) == "service")
            for _ in 0..<2 { expectSuccess(try await sandbox.clover(get)) }
            #expect(try await source(sandbox) == "cache")
            #expect(asked() == 1)
            #expect(try await source(sandbox, "--zone", "UTC") == "option")
            #expect(try await source(sandbox.with(["CLOVER_ZONE": "Asia/Tokyo"])) == "configuration")
            #expect(asked() == 1)
            expectSuccess(try await sandbox.with(["CLOVER_MERCHANT": "OTHER"]).clover(get))
            #expect(asked() == 2)
            // What is not as it was written, is from the future or older than a day is asked for anew.
            let folder = state + "/merchant-settings"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "lock" }
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            for text in [
                "", "x", "\(now) Asia/Tokyo", "\(now + 3_600_000) Asia/Tokyo JPY\n",
                "\(now - 86_400_001) Asia/Tokyo JPY\n",
            ] {
                for name in names { try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8) }
                let count = asked()
                #expect(try await source(sandbox) == "service", "\(text)")
                #expect(asked() == count + 1, "\(text)")
            }
        }
    }

    @Test("a date is the same in get, in a field and in an export, and the zone is asked for once")
    func datesAgree() async throws {
        try await Sandbox.run(server: { request, _ in
            Self.answer(zone: "America/New_York", request)
        }) { sandbox, server in
            let date = "1767243600000"  // 2026-01-01T05:00Z
            func zoneRequests() -> Int { server.requests.count { $0.path.hasSuffix("/properties") } }
            expectSuccess(
                try await sandbox.clover(
                    "get", "orders", "--filter", "createdTime>=2026-01-01", "--filter", "createdTime<2026-01-02",
                    "--format", "csv", "--fields", "id,createdTime", "--zone", "merchant"))
            #expect(server.requests.last?.values(of: "filter").contains("createdTime%3E%3D\(date)") == true)
            #expect(zoneRequests() == 1)
            let shown = try await sandbox.clover(
                "get", "orders", "--filter", "createdTime>=2026-01-01", "--filter", "createdTime<2026-01-02",
                "--dry-run")
            #expect(shown.outputText.contains(date), "\(shown)")
            let preview = try await sandbox.clover(
                "post", "orders", "--field", "clientCreatedTime=2026-01-01", "--dry-run")
            #expect(preview.outputText.contains(date), "\(preview)")
            expectSuccess(
                try await sandbox.clover(
                    "export", "orders", "--since", "2026-01-01", "--until", "2026-01-02"))
            let asked = server.requests.flatMap { $0.values(of: "filter") }
            #expect(asked.contains("modifiedTime%3E%3D\(date)"), "\(asked)")
            #expect(zoneRequests() == 4)
            // Another zone by name needs no question.
            expectSuccess(
                try await sandbox.clover(
                    "get", "orders", "--filter", "createdTime>=2026-01-01", "--format", "csv", "--fields",
                    "id,createdTime",
                    "--zone", "UTC"))
            #expect(server.requests.last?.values(of: "filter").contains("createdTime%3E%3D1767225600000") == true)
            for options in [[], ["--jq", ".id"]] as [[String]] {
                expectSuccess(
                    try await sandbox.clover(
                        ["get", "orders", "--filter", "createdTime>=2026-01-01", "--zone", "Asia/Tokyo"] + options))
                #expect(server.requests.last?.values(of: "filter").contains("createdTime%3E%3D1767193200000") == true)
            }
            #expect(zoneRequests() == 4)
        }
    }

    @Test(
        "a zone that does not exist is refused, and no date is then one of UTC",
        arguments: [
            (#"{"timezone":"Mars/Phobos"}"#, 76, "time zone for merchant"),
            ("{}", 78, "does not report the time zone"),
        ])
    func noZone(_ properties: String, _ status: Int32, _ words: String) async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/properties") ? LoopbackResponse(properties) : .page([])
        }) { sandbox, server in
            let filter = ["--filter", "createdTime>=today"]
            for arguments in [
                ["get", "orders"] + filter, ["get", "orders", "--dry-run"] + filter,
                ["export", "orders", "--since", "2026-01-01"], ["export", "orders", "--day", "2026-01-01"],
                ["post", "orders", "--field", "clientCreatedTime=2026-01-01"],
            ] {
                expectFailure(try await sandbox.clover(arguments), status: status, saying: words)
            }
            #expect(server.requests.allSatisfy { $0.path.hasSuffix("/properties") })
            let asked = server.requests.count
            // Of an option and of the configuration.
            expectFailure(
                try await sandbox.clover(
                    ["get", "orders", "--format", "csv", "--fields", "id", "--zone", "Mars/Phobos"] + filter),
                status: 64, saying: "unknown time zone 'Mars/Phobos'")
            expectFailure(
                try await sandbox.clover("export", "orders", "--day", "today", "--time-zone", "Mars/Phobos"),
                status: 64,
                saying: "unknown time zone 'Mars/Phobos'")
            let configured = sandbox.with(["CLOVER_ZONE": "Mars/Phobos"])
            expectFailure(
                try await configured.clover("get", "orders", "--format", "csv", "--fields", "id"), status: 64,
                saying: "Mars/Phobos")
            #expect(server.requests.count == asked)
        }
    }

    struct Age: Sendable, CustomTestStringConvertible {
        let typed: String
        let seconds: Int
        var testDescription: String { typed }
    }

    static let ages = [
        Age(typed: "-7d", seconds: 604_800), Age(typed: "-12h", seconds: 43_200), Age(typed: "-30m", seconds: 1800),
        Age(typed: "-2w", seconds: 1_209_600),
    ]

    @Test("a time ago counts back from now", arguments: ages)
    func timeAgo(_ age: Age) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let before = Int(try await sandbox.shell("date +%s%3N").lines.joined()) ?? 0
            expectSuccess(try await sandbox.clover("get", "orders", "--filter", "modifiedTime>\(age.typed)"))
            let after = Int(try await sandbox.shell("date +%s%3N").lines.joined()) ?? 0
            let sent = try #require(server.requests.first?.values(of: "filter").first)
            let value = try #require(Int(sent.dropFirst("modifiedTime%3E".count)))
            #expect((before - age.seconds * 1000...after - age.seconds * 1000).contains(value))
        }
    }

    @Test("expand, sort and further parameters are sent once each, in order")
    func otherParameters() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            expectSuccess(
                try await sandbox.clover(
                    "get", "orders", "--expand", "lineItems,payments", "--expand", "lineItems.discounts", "--sort",
                    "total:desc", "--sort", "createdTime", "--param", "x=a b&c", "--param", "y=1"))
            let request = try #require(server.requests.first)
            let expand = request.values(of: "expand").map { $0.replacing("%2C", with: ",") }
            #expect(expand == ["lineItems,payments,lineItems.discounts"])
            let sort = request.values(of: "orderBy").map { $0.replacing("%2C", with: ",") }
            #expect(sort == ["total%20DESC,createdTime%20ASC"] || sort == ["total%20DESC,createdTime"])
            #expect(request.values(of: "x") == ["a%20b%26c"])
            #expect(request.values(of: "y") == ["1"])
        }
    }

    @Test("the token travels in the Authorization header and nowhere else")
    func tokenInHeader() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "-v")
            #expect(result.status == 0)
            expectNoSecret(result)
            let request = try #require(server.requests.first)
            #expect(request.method == "GET")
            #expect(request.header("Authorization") == "Bearer \(Sandbox.token)")
            #expect(!request.target.contains(Sandbox.token))
            #expect(request.headers.filter { $0.value.contains(Sandbox.token) }.count == 1)
            #expect(request.header("User-Agent")?.contains("clover") == true)
        }
    }

    @Test("requests and decompresses compressed responses")
    func compression() async throws {
        let list = ServedList(records: Record.orders(40))
        let packed = try await CommandRunner(executable: "/bin/gzip", environment: [:]).run(
            ["-c"], input: .bytes(Array("{\"elements\":[\(list.records.joined(separator: ","))]}".utf8)))
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                headers: ["Content-Type: application/json", "Content-Encoding: gzip"], body: packed.output)
        }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders")
            expectSuccess(result)
            #expect(result.outputText == list.lines)
            #expect(server.requests.first?.header("Accept-Encoding")?.contains("gzip") == true)
        }
    }

    @Test("pages are asked for by limit and offset, 1000 at most, and not past what is wanted")
    func pages() async throws {
        let list = ServedList(records: Record.orders(2500))
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--limit", "2200", "--offset", "10")
            expectSuccess(result)
            #expect(result.lines == Array(list.records.dropFirst(10).prefix(2200)))
            let asked = server.requests.map {
                ($0.values(of: "offset").first ?? "0", $0.values(of: "limit").first ?? "")
            }
            // Pages overlap by one record.
            #expect(asked.map(\.0).sorted() == ["10", "1009", "2008"])
            #expect(asked.map(\.1).sorted() == ["1000", "1000", "202"])
        }
    }

    @Test("connections are used again")
    func connectionsAreReused() async throws {
        let list = ServedList(records: Record.orders(9000))
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--all")
            expectSuccess(result)
            #expect(result.outputText == list.lines)
            #expect(server.requests.count >= 10)
            #expect(server.connectionCount <= 5)
        }
    }
}
