import CloverAPI
import CloverCalendar
import Foundation
import Testing

@Suite("Times")
struct TimeExpressionTests {
    private static let now: Int64 = 1_700_000_000_000
    private static let context = TimeExpression.Context(now: now, zone: .utc)

    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var milliseconds: Int64?
        var testDescription: String { text }
    }

    @Test(
        "absolute and relative times",
        arguments: [
            Row(text: "0", milliseconds: 0), Row(text: "1700000000000", milliseconds: now),
            Row(text: "now", milliseconds: now), Row(text: "-45s", milliseconds: now - 45_000),
            Row(text: "-30m", milliseconds: now - 1_800_000), Row(text: "-12h", milliseconds: now - 43_200_000),
            Row(text: "-7d", milliseconds: now - 604_800_000), Row(text: "-2w", milliseconds: now - 1_209_600_000),
            Row(text: "2023-11-14T22:13:20Z", milliseconds: now),
            Row(text: "2023-11-14t22:13:20z", milliseconds: now),
            Row(text: "2023-11-14T22:13:20.5Z", milliseconds: now + 500),
            Row(text: "2023-11-14T22:13:20.123456Z", milliseconds: now + 123),
            Row(text: "2023-11-14T23:13:20+01:00", milliseconds: now),
            Row(text: "2023-11-14T17:13:20-0500", milliseconds: now),
            Row(text: "2023-11-15T00:13+02", milliseconds: now - 20_000),
            Row(text: "1970-01-01T00:00Z", milliseconds: 0),
            Row(text: "2024-02-29T00:00Z", milliseconds: 1_709_164_800_000),
            Row(text: "2000-03-01T00:00Z", milliseconds: 951_868_800_000),
            Row(text: "2023-02-29T00:00Z", milliseconds: nil), Row(text: "1900-01-01", milliseconds: nil),
            Row(text: "2023-11-14T24:00Z", milliseconds: nil), Row(text: "2023-11-14T22:60Z", milliseconds: nil),
            Row(text: "2023-11-14T22:13:20+25:00", milliseconds: nil), Row(text: "+7d", milliseconds: nil),
            Row(text: "", milliseconds: nil), Row(text: "-", milliseconds: nil),
            Row(text: "-999999999w", milliseconds: now - 999_999_999 * 604_800_000),
            // Where one instant is expected, a period is its beginning; a bare year could be a number of seconds.
            Row(text: "last-month", milliseconds: 1_696_118_400_000),
            Row(text: "2023-10", milliseconds: 1_696_118_400_000),
            Row(text: "this-week", milliseconds: 1_699_833_600_000), Row(text: "2023", milliseconds: nil),
            Row(text: "2023-10..2023-11", milliseconds: nil), Row(text: "2023-13", milliseconds: nil),
            Row(text: "99999999999999999999", milliseconds: nil), Row(text: "１２", milliseconds: nil),
        ])
    func parses(row: Row) {
        #expect(TimeExpression.milliseconds(row.text, in: Self.context) == row.milliseconds)
    }

    @Test("a range begins or ends at the beginning of a period, also of a year; two times are not one")
    func beginnings() {
        for (text, expected) in [
            ("2023", "2023-01-01"), ("2023-Q3", "2023-07-01"), ("2023-10", "2023-10-01"), ("last-year", "2022-01-01"),
            ("2023-10-05", "2023-10-05"), ("2023-10-05T00:00Z", "2023-10-05"),
        ] {
            let instant = TimeExpression.milliseconds(expected, in: Self.context)
            #expect(TimeExpression.beginning(text, in: Self.context) == instant && instant != nil, "\(text)")
        }
        for text in ["2023-10..2023-11", "12", "soon"] {
            #expect(TimeExpression.beginning(text, in: Self.context) == nil, "\(text)")
        }
    }

    @Test(
        "dates, day names and times without an offset go by the clocks of the zone, as Foundation's calendar has them",
        arguments: ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "America/Santiago"])
    func midnights(zone: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let times = TimeExpression.Context(now: Self.now, zone: try TimeZoneRules(named: zone))
        let reference = Date(timeIntervalSince1970: Double(Self.now) / 1000)
        for (word, days) in [("yesterday", -1), ("today", 0), ("tomorrow", 1)] {
            let day = try #require(calendar.date(byAdding: .day, value: days, to: reference))
            let midnight = Int64(calendar.startOfDay(for: day).timeIntervalSince1970 * 1000)
            #expect(TimeExpression.milliseconds(word, in: times) == midnight)
        }
        // Clocks of Santiago skip midnight of the second of these dates.
        for (month, day) in [(3, 29), (9, 6), (11, 1)] {
            let parts = DateComponents(year: 2026, month: month, day: day)
            let midnight = calendar.startOfDay(for: try #require(calendar.date(from: parts)))
            let expected = Int64(midnight.timeIntervalSince1970 * 1000)
            let text = "2026-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
            #expect(TimeExpression.milliseconds(text, in: times) == expected)
            #expect(TimeExpression.milliseconds(text + "T00:00", in: times) == expected)
            #expect(TimeExpression.milliseconds(text + "T12:30:01.5", in: times).map { $0 % 60_000 } == 1500)
        }
    }

    @Test(
        "a zone affects only dates, day names and times without an offset",
        arguments: [
            ("today", true), ("yesterday", true), ("2026-11-20", true), ("2026-11-20T08:00", true), ("now", false),
            ("-7d", false), ("1700000000000", false), ("2026-11-20T08:00Z", false), ("2026-11-20T08:00-05:00", false),
        ])
    func zoneMatters(text: String, matters: Bool) {
        #expect(
            TimeExpression.Context.needsZone(now: Self.now) { TimeExpression.milliseconds(text, in: $0) } == matters)
    }
}
