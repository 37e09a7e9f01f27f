import CloverAPI
import CloverCalendar
import CloverJSON
import CloverOutput
import Testing

@Suite("Filters")
struct FilterExpressionTests {
    private static let times = TimeExpression.Context(now: 1_700_000_000_000, zone: .utc)

    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var encoded: String
        var testDescription: String { text }
    }

    @Test(
        "a filter is sent percent-encoded, byte for byte",
        arguments: [
            Row(text: "total>1000", encoded: "total%3E1000"),
            Row(text: "total >= 1000", encoded: "total%3E%3D1000"),
            Row(text: "total<1000", encoded: "total%3C1000"),
            Row(text: "total<=1000", encoded: "total%3C%3D1000"),
            Row(text: "state=open", encoded: "state%3Dopen"),
            Row(text: "state!=open", encoded: "state%21%3Dopen"),
            Row(text: "id in (A1,B2)", encoded: "id%20in%20%28%27A1%27%2C%27B2%27%29"),
            Row(text: "id IN ('A1', 'B2')", encoded: "id%20in%20%28%27A1%27%2C%27B2%27%29"),
            Row(
                text: "createdTime in (now,1700000000001)",
                encoded: "createdTime%20in%20%28%271700000000000%27%2C%271700000000001%27%29"),
            Row(text: "note is not null", encoded: "note%20IS%20NOT%20NULL"),
            Row(text: "name=Cof*", encoded: "name%3DCof%2A"),
            Row(text: "phoneNumber=+44 20", encoded: "phoneNumber%3D%2B44%2020"),
            Row(text: "name=Zoë & Søn", encoded: "name%3DZo%C3%AB%20%26%20S%C3%B8n"),
            Row(text: "name=a=b", encoded: "name%3Da%3Db"),
            Row(text: "note!=<b>x</b>", encoded: "note%21%3D%3Cb%3Ex%3C%2Fb%3E"),
            Row(text: "note=<b>", encoded: "note%3D%3Cb%3E"),
            Row(text: "employee.id=X", encoded: "employee.id%3DX"),
            Row(text: "index>5", encoded: "index%3E5"),
            Row(text: "createdTime>=1700000000000", encoded: "createdTime%3E%3D1700000000000"),
            Row(text: "createdTime>-1h", encoded: "createdTime%3E1699996400000"),
            Row(text: "order.modifiedTime<now", encoded: "order.modifiedTime%3C1700000000000"),
            Row(text: "in_time>=2023-11-14T22:13:20Z", encoded: "in_time%3E%3D1700000000000"),
            Row(text: "has_in_time=true", encoded: "has_in_time%3Dtrue"),
        ])
    func encodes(row: Row) throws {
        let filter = try FilterExpression(parsing: row.text, times: Self.times)
        #expect(filter.encoded == row.encoded)
    }

    @Test(
        "a period stands for all of its days, also over a change of the clocks",
        arguments: [
            ("createdTime>=2026-03", ["createdTime>=1772341200000"]),
            ("createdTime>2026-03", ["createdTime>=1775016000000"]),
            ("createdTime<2026-03", ["createdTime<1772341200000"]),
            ("createdTime<=2026-03", ["createdTime<1775016000000"]),
            ("createdTime = last-month", ["createdTime>=1772341200000", "createdTime<1775016000000"]),
            ("createdTime=2026-03-08..2026-03-08", ["createdTime>=1772946000000", "createdTime<1773028800000"]),
            ("createdTime=2026-03-08", ["createdTime>=1772946000000", "createdTime<1773028800000"]),
            ("createdTime<=2026-03-08", ["createdTime<1773028800000"]),
            ("createdTime>=2026-03-08", ["createdTime>=1772946000000"]),
            ("createdTime in (2026-03-08)", ["createdTime>=1772946000000", "createdTime<1773028800000"]),
            ("createdTime in (last-month)", ["createdTime>=1772341200000", "createdTime<1775016000000"]),
            // Days that adjoin are one range, in any order.
            (
                "createdTime in ('2026-03-02', 2026-03-01)",
                ["createdTime>=1772341200000", "createdTime<1772514000000"]
            ),
            ("createdTime in (1772946000000,0)", ["createdTime in ('1772946000000','0')"]),
            ("createdTime in (now)", ["createdTime in ('1775822400000')"]),
        ])
    func comparesWithPeriods(text: String, expected: [String]) throws {
        let zone = try TimeZoneRules.named("America/New_York")
        // 2026-04-10T12:00:00Z
        let times = TimeExpression.Context(now: 1_775_822_400_000, zone: zone)
        #expect(try FilterExpression.parse(text, times: times).map { $0.field + $0.condition } == expected)
    }

    @Test(
        "periods are refused where conditions that all hold cannot say it",
        arguments: [
            "createdTime!=last-month", "createdTime in (2026-03-01,2026-03-03)", "createdTime in (yesterday,-7d)",
            "createdTime in (2026-03-01, 1772946000000)",
        ])
    func refusesPeriods(text: String) {
        #expect(throws: QueryError.self) { try FilterExpression.parse(text, times: Self.times) }
    }

    struct BadRow: Sendable, CustomTestStringConvertible {
        var text: String
        var fault: QueryError.FilterFault
        var testDescription: String { text }
    }

    @Test(
        "a malformed filter is refused with its reason",
        arguments: [
            BadRow(text: "", fault: .noField), BadRow(text: ">5", fault: .noField),
            BadRow(text: "total", fault: .noOperator), BadRow(text: "total ~ 5", fault: .noOperator),
            BadRow(text: "total==5", fault: .noOperator), BadRow(text: "total=>5", fault: .noOperator),
            BadRow(text: "total<>5", fault: .noOperator), BadRow(text: "total=<5", fault: .noOperator),
            BadRow(text: "total<=<b", fault: .noOperator),
            BadRow(text: "total>", fault: .noValue), BadRow(text: "total=  ", fault: .noValue),
            BadRow(text: "id in A,B", fault: .listSyntax), BadRow(text: "id in ()", fault: .emptyList),
            BadRow(text: "id in (A,,B)", fault: .emptyList), BadRow(text: "id in (A'B)", fault: .quoteInList),
            BadRow(text: "1d=5", fault: .noField),
        ])
    func refuses(row: BadRow) {
        #expect(throws: QueryError.malformedFilter(row.text, reason: row.fault)) {
            try FilterExpression(parsing: row.text, times: Self.times)
        }
    }

    @Test(
        "a malformed time is refused with its filter",
        arguments: ["soon", "20261", "1700000000", "2026-13-01", "-7x", "-d", "2026-2-1"])
    func refusesTimes(time: String) {
        #expect(throws: QueryError.malformedTime(time, filter: "createdTime>\(time)")) {
            try FilterExpression(parsing: "createdTime>\(time)", times: Self.times)
        }
    }
}
