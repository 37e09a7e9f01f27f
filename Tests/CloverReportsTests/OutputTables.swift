import CloverReports

/// Tables made by hand for the tests of charts, pages and workbooks.
enum OutputTables {
    static let hostile = [
        "<script>alert(1)</script>", "=1+1", "Cr\u{E8}me br\u{FB}l\u{E9}e \u{1F36E}",
        "\u{5E7}\u{5E4}\u{5D4} \u{202E}abc",
        "A very long name of an item that is hard to read to its end, and that no column has room for",
        "\"quoted\" & 'single'", "two\nlines\u{1B}[31m",
    ]

    static func table(
        _ title: String, _ columns: [ReportTable.Column], _ rows: [[ReportTable.Value]],
        total: [ReportTable.Value]? = nil,
        currency: String = "USD", notes: [String] = []
    ) -> ReportTable {
        ReportTable(
            title: title, period: "2026-10-01 to 2026-10-14", clock: "America/New_York, days from 04:00",
            zone: "America/New_York", currency: currency, notes: notes, columns: columns, rows: rows, total: total)
    }

    /// Fourteen days from 2026-10-01; the last one lost money.
    static let days: ReportTable = {
        let first: Int64 = 20_727
        let gross: [Int64] = [
            120_000, 95_050, 150_000, 210_075, 180_000, 60_000, 0, 133_333, 99_999, 142_000, 230_000, 260_001, 70_000,
            5_000,
        ]
        let net = gross.enumerated().map { $1 - ($0 == 13 ? 25_000 : $1 / 10) }
        return table(
            "Sales",
            [
                .init("day", "DAY", .date), .init("orders", "ORDERS", .count), .init("grossSales", "GROSS", .money),
                .init("netSales", "NET", .money),
            ],
            gross.indices.map {
                [.integer(first + Int64($0)), .integer(gross[$0] / 2500), .integer(gross[$0]), .integer(net[$0])]
            },
            total: [
                .none, .integer(gross.reduce(0) { $0 + $1 / 2500 }), .integer(gross.reduce(0, +)),
                .integer(net.reduce(0, +)),
            ], notes: ["A sale counts on the day of its first payment; Clover has not published a rule."])
    }()

    /// Items with names that must not harm, in a currency with three decimals.
    static let items: ReportTable = table(
        "Items",
        [
            .init("id", "ID", .identifier), .init("name", "ITEM", .text), .init("quantity", "QUANTITY", .quantity),
            .init("share", "SHARE", .percent), .init("netSales", "NET", .money), .init("lastSold", "LAST SOLD", .time),
        ],
        hostile.enumerated().map { place, name in
            [
                .text("ITEM\(place)"), .text(name), .integer(Int64(1500 * (7 - place))), .integer(125_000),
                .integer(Int64(1_234_567 / (place + 1))), .integer(1_790_000_000_123 + Int64(place) * 60_000),
            ]
        },
        total: [.none, .none, .integer(42_000), .none, .integer(3_201_124), .none], currency: "KWD")

    /// Sales with all their columns.
    static let wide: ReportTable = {
        let headings = [
            "GROSS", "DISCOUNTS", "REFUNDS", "MANUAL REFUNDS", "INCL TAX", "NET", "TAX", "SERVICE", "TIPS",
            "NON-REVENUE",
            "COLLECTED", "UNPAID",
        ]
        let columns = headings.map { heading in
            ReportTable.Column(heading.lowercased().replacing(" ", with: ""), heading, .money)
        }
        return table(
            "Sales by day", [.init("day", "DAY", .date), .init("orders", "ORDERS", .count)] + columns,
            (0..<3).map { day in
                [.integer(20_727 + day), .integer(300)] + (1...12).map { .integer(1_234_567 / Int64($0)) }
            })
    }()

    /// Sales of two shops' weeks, by weekday and hour.
    static let hours: ReportTable = table(
        "Hours",
        [
            .init("weekday", "WEEKDAY", .text), .init("hour", "HOUR", .count), .init("orders", "ORDERS", .count),
            .init("grossSales", "GROSS", .money),
        ],
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].enumerated().flatMap {
            day, name in
            (7...22).compactMap { hour -> [ReportTable.Value]? in
                let busy = Int64(max(0, 6 - abs(hour - 12)) + max(0, 5 - abs(hour - 19))) * Int64(day + 2)
                guard busy > 0 else { return nil }
                return [.text(name), .integer(Int64(hour)), .integer(busy), .integer(busy * 1_250)]
            }
        }, total: [.none, .none, .integer(900), .integer(1_125_000)])
}
