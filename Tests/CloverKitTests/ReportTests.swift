import CloverKit
import CloverTestSupport
import FoundationEssentials
import Testing

@Suite("reports of CloverKit")
struct ReportTests {
    struct Wanted: Sendable, CustomTestStringConvertible {
        let name: Report.Name
        var grouping: Report.Grouping?
        var testDescription: String { name.rawValue + (grouping.map { " by \($0.rawValue)" } ?? "") }
    }

    @Test("each report has the rows and amounts that the program prints")
    func program() async throws {
        let emulator = try await EmulatorProcess(["--orders", "300", "--seed", "150", "--no-limits"])
        let directory = try TemporaryDirectory()
        let shop = try Self.shop(emulator.url, emulator.merchantID, emulator.accessToken, directory)
        let program = CommandRunner(
            executable: try CommandRunner.builtProgram("clover"),
            environment: [
                "PATH": "/usr/bin:/bin", "CLOVER_STATE_DIR": directory["state"],
                "CLOVER_CONFIG_DIR": directory["config"],
                "CLOVER_ENVIRONMENT": emulator.url, "CLOVER_ACCESS_TOKEN": emulator.accessToken,
                "CLOVER_MERCHANT_ID": emulator.merchantID,
            ])
        let wanted =
            Report.Name.allCases.map { Wanted(name: $0) } + [
                Wanted(name: .sales, grouping: .month), Wanted(name: .tips, grouping: .tender),
                Wanted(name: .taxes, grouping: .month),
            ]
        for test in wanted {
            let report = try await shop.report(test.name, period: "last-quarter..yesterday", by: test.grouping)
            let by = test.grouping.map { ["--by", $0.rawValue] } ?? []
            let result = try await program.run(
                ["report", test.name.rawValue, "--period", "last-quarter..yesterday", "--json"] + by)
            #expect(result.status == 0, "\(test): \(result)")
            let lines = try result.lines.map { try Coding.value(Array($0.utf8)) }
            #expect(!report.rows.isEmpty && lines.count >= report.rows.count, "\(test)")
            for (row, line) in zip(report.rows, lines) {
                for column in report.columns {
                    switch try #require(row[column.name]) {
                    case .money(let amount): #expect(line[column.name] == .integer(amount.minorUnits), "\(test)")
                    case .count(let count): #expect(line[column.name] == .integer(count), "\(test)")
                    case .text(let text): #expect(line[column.name] == .string(text), "\(test)")
                    case .day(let day): #expect(line[column.name] == .string(day), "\(test)")
                    case .empty: #expect(line[column.name].map { $0 == .null } ?? true, "\(test)")
                    case .thousandths, .millionths, .time: continue
                    }
                }
            }
        }
    }

    @Test("the article has the columns of each report")
    func columns() async throws {
        let emulator = try await EmulatorProcess(["--orders", "10", "--no-limits"])
        let directory = try TemporaryDirectory()
        let shop = try Self.shop(emulator.url, emulator.merchantID, emulator.accessToken, directory)
        var rows: [String] = []
        for name in Report.Name.allCases {
            for grouping in [nil] + Report.Grouping.allCases {
                do {
                    let report = try await shop.report(name, period: .yesterday, by: grouping)
                    let columns = report.columns.map { "`\($0.name)`" }.joined(separator: ", ")
                    rows.append("| `\(name.rawValue)` | \(grouping.map { "`\($0.rawValue)`" } ?? "") | \(columns) |")
                } catch let error as CloverError where error.kind == .request {
                    // The report is not divided in this way.
                    continue
                }
            }
        }
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CloverKit/CloverKit.docc/ReportColumns.md")
        let text = String(decoding: try Data(contentsOf: article), as: UTF8.self)
        let written = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(written.sorted() == rows.sorted())
    }

    @Test("a sale has the sums that were worked out by hand, on the day of the shop's zone")
    func sale() async throws {
        let service = try Service(Self.sale)
        let report = try await service.shop.report(.sales, period: "2025-10-05", timeZone: "America/New_York")
        #expect(
            report.firstDay == "2025-10-05" && report.lastDay == "2025-10-05" && report.timeZone == "America/New_York")
        #expect(report.currency == "USD" && report.rows.count == 1)
        let row = try #require(report.rows.first)
        #expect(row.money("netSales") == 940 && row.money("tax") == 75 && row.money("tips") == 150)
        #expect(row.money("amountCollected") == 1165 && row["orders"] == .count(1) && row.money("orders") == nil)
        // 23:30 in New York is the next day in Berlin.
        let later = try await service.shop.report(.sales, period: "2025-10-05", timeZone: "Europe/Berlin")
        #expect(later.rows.first?.money("netSales") == 0)
    }

    @Test("an order that comes without line items is asked for them, and named if they cannot be read")
    func lineless() async throws {
        var lists = Self.sale
        let list = /"lineItems":\{"elements":(\[.*?\}\]\}\}\])\},/
        let lines = try #require(lists["orders"]?[0].firstMatch(of: list))
        lists["line_items"] = [String(lines.1.dropFirst().dropLast())]
        lists["orders"] = lists["orders"]?.map { $0.replacing(list, with: "") }
        let service = try Service(lists)
        let report = try await service.shop.report(.sales, period: "2025-10-05", timeZone: "America/New_York")
        #expect(report.rows.first?.money("netSales") == 940 && report.rows.first?.money("discounts") == 60)
        lists["line_items"] = nil
        let refusing = try Service(lists)
        let error = await #expect(throws: Report.Unproved.self) {
            _ = try await refusing.shop.report(.sales, period: "2025-10-05", timeZone: "America/New_York")
        }
        #expect(error?.findings.map(\.kind) == ["line_items_missing"])
    }

    @Test("records that contradict each other are no report, but an error that has the numbers")
    func unproved() async throws {
        var lists = Self.sale
        lists["payments"]?.append(#"{"id":"P2","createdTime":\#(Self.time),"result":"SUCCESS"}"#)
        let service = try Service(lists)
        let error = await #expect(throws: Report.Unproved.self) {
            _ = try await service.shop.report(.sales, period: "2025-10-05", timeZone: "America/New_York")
        }
        #expect(error?.findings.map(\.kind) == ["unreadable_record"])
        #expect(error?.findings.first?.identifiers == ["payment": "P2"])
        #expect(error?.nextStep.contains("clover reconcile") == true)
        #expect(error?.report.rows.first?.money("netSales") == 940)
    }

    @Test("a list that cannot be read is no report", arguments: ["payments", "refunds", "credits", "orders"])
    func missing(_ list: String) async throws {
        var lists = Self.sale
        lists[list] = nil
        let service = try Service(lists)
        let error = await #expect(throws: CloverError.self) {
            _ = try await service.shop.report(.sales, period: "2025-10-05", timeZone: "America/New_York")
        }
        #expect(error?.kind == .forbidden)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var name = Report.Name.sales
        var period = Report.Period.yesterday
        var grouping: Report.Grouping?
        var zone: String?
    }

    @Test(
        "what makes no sense is refused before anything is sent",
        arguments: [
            Refused(testDescription: "a month that does not exist", period: "2025-13"),
            Refused(testDescription: "a year that has not begun", period: "2990"),
            Refused(testDescription: "an end before the start", period: "2025-10-05..2025-10-01"),
            Refused(testDescription: "an end before the start, whatever day it is", period: "today..yesterday"),
            Refused(testDescription: "a text, with a zone", period: "soon", zone: "Asia/Tokyo"),
            Refused(testDescription: "a grouping of another report", grouping: .tender),
            Refused(testDescription: "a report that has no groups", name: .items, grouping: .day),
            Refused(testDescription: "a zone that does not exist", zone: "Nowhere/Land"),
        ])
    func refused(_ test: Refused) async throws {
        let service = try Service(Self.sale)
        let error = await #expect(throws: CloverError.self) {
            _ = try await service.shop.report(
                test.name, period: test.period, by: test.grouping, timeZone: test.zone)
        }
        #expect(error?.kind == .request)
        #expect(service.server.requests.isEmpty)
    }

    // MARK: A shop with one sale

    /// 2025-10-05 23:30 in New York.
    private static let time: Int64 = 1_759_721_400_000

    /// A coffee of 400 and a cake of 600 with 10 % off (60), tax 8 % of 940 = 75.2 -> 75, tip 150.
    private static let sale: [String: [String]] = {
        let paid =
            #"{"id":"P1","order":{"id":"O1"},"amount":1015,"tipAmount":150,"taxAmount":75,"createdTime":\#(time),"#
            + #""employee":{"id":"E1"},"tender":{"id":"T1","label":"Cash"},"result":"SUCCESS"}"#
        let order =
            #"{"id":"O1","total":1015,"createdTime":\#(time),"employee":{"id":"E1"},"lineItems":{"elements":["#
            + #"{"id":"L1","name":"Coffee","price":400},{"id":"L2","name":"Cake","price":600,"#
            + #""discounts":{"elements":[{"name":"Happy hour","percentage":10}]}}]},"payments":{"elements":[\#(paid)]}}"#
        return ["payments": [paid], "refunds": [], "credits": [], "orders": [order]]
    }()

    /// A service that has these lists, and refuses others.
    private struct Service: Sendable {
        let shop: Shop
        let server: LoopbackServer
        let directory: TemporaryDirectory

        init(_ lists: [String: [String]]) throws {
            server = try LoopbackServer { request, _ in
                let name = String(request.path.split(separator: "/").last ?? "")
                if name == "properties" { return LoopbackResponse(#"{"timezone":"UTC","defaultCurrency":"USD"}"#) }
                guard let records = lists[name] else {
                    return LoopbackResponse(status: "403 Forbidden", #"{"message":"no permission"}"#)
                }
                return .page(request.values(of: "offset").isEmpty ? records : [])
            }
            directory = try TemporaryDirectory()
            shop = try ReportTests.shop(server.url, "M", "T", directory)
        }
    }

    private static func shop(
        _ url: String, _ merchant: String, _ token: String, _ directory: TemporaryDirectory
    ) throws -> Shop {
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        return try Shop(token: token, merchantID: merchant, environment: url, options: options)
    }
}
