import CloverAPI
import CloverCalendar
import CloverExport
import Testing

@Suite("a merchant's business day")
struct BusinessDayTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var zone: String
        var day: String
        var start = "00:00"
        var from: Int64
        var hours: Int64
        var testDescription: String { "\(day) \(start) in \(zone)" }
    }

    @Test(
        "has 23, 24 or 25 hours, depending on clock changes",
        arguments: [
            Row(zone: "UTC", day: "2026-11-20", from: 1_795_132_800, hours: 24),
            Row(zone: "America/New_York", day: "2026-11-20", from: 1_795_150_800, hours: 24),
            // Clocks go from 2:00 to 3:00.
            Row(zone: "America/New_York", day: "2026-03-08", from: 1_772_946_000, hours: 23),
            // Clocks go from 2:00 back to 1:00.
            Row(zone: "America/New_York", day: "2026-11-01", from: 1_793_505_600, hours: 25),
            // A day that begins at four contains the change of the night that belongs to it.
            Row(zone: "America/New_York", day: "2026-03-07", start: "04:00", from: 1_772_874_000, hours: 23),
            Row(zone: "America/New_York", day: "2026-03-08", start: "04:00", from: 1_772_956_800, hours: 24),
            Row(zone: "America/New_York", day: "2026-10-31", start: "04:00", from: 1_793_433_600, hours: 25),
            Row(zone: "Europe/Berlin", day: "2026-03-29", from: 1_774_738_800, hours: 23),
            // There is no 2:30 on that day: it begins when clocks skip to 3:00.
            Row(zone: "America/New_York", day: "2026-03-08", start: "02:30", from: 1_772_953_200, hours: 23),
            // 1:30 comes twice: the day begins at the first.
            Row(zone: "America/New_York", day: "2026-11-01", start: "01:30", from: 1_793_511_000, hours: 25),
            // Clocks that skip midnight.
            Row(zone: "America/Santiago", day: "2026-09-06", from: 1_788_667_200, hours: 23),
        ])
    func bounds(_ row: Row) throws {
        let zone = try TimeZoneRules(named: row.zone)
        let day = try BusinessDays(parsing: row.day, start: row.start, now: 0, zone: zone)
        #expect(day.all.map(\.date) == [row.day])
        let bounds = day.bounds(in: zone)
        #expect(bounds.from == row.from * 1000)
        // A start that does not exist on one of the days is moved, and the day is as much shorter.
        if row.start != "02:30" { #expect(bounds.to - bounds.from == row.hours * 3_600_000) }
    }

    @Test("days of a whole year join without gaps")
    func year() throws {
        for name in ["America/New_York", "Europe/Berlin", "America/Santiago", "Australia/Lord_Howe"] {
            let zone = try TimeZoneRules(named: name)
            var end: Int64?
            for number in 0..<366 {
                let noon = (1_767_268_800 + Int64(number) * 86_400) * 1000
                let bounds = try BusinessDays(parsing: "today", start: "02:30", now: noon, zone: zone).bounds(in: zone)
                if let end { #expect(bounds.from == end) }
                #expect(bounds.from < bounds.to)
                end = bounds.to
            }
        }
    }

    @Test("before its start time, \"today\" is the previous date")
    func today() throws {
        let zone = try TimeZoneRules(named: "America/New_York")
        // 3:59 and 4:00 on the 21st.
        let before: Int64 = 1_795_251_540_000
        #expect(
            try BusinessDays(parsing: "today", start: "04:00", now: before, zone: zone).all.map(\.date) == [
                "2026-11-20"
            ])
        #expect(
            try BusinessDays(parsing: "yesterday", start: "04:00", now: before, zone: zone).all.map(\.date) == [
                "2026-11-19"
            ])
        #expect(
            try BusinessDays(parsing: "today", start: "04:00", now: before + 60_000, zone: zone).all.map(\.date) == [
                "2026-11-21"
            ])
    }

    @Test(
        "a malformed day or time of day is refused", arguments: ["", "2026-02-30", "2026-1-1", "tomorrow", "20261120"])
    func malformed(_ text: String) throws {
        #expect(throws: ExportError.malformedDay(text)) {
            try BusinessDays(parsing: text, start: "00:00", now: 0, zone: .utc)
        }
        for start in ["24:00", "4", "04:60", "04:0", "-1:00"] {
            #expect(throws: ExportError.malformedDayStart(start)) {
                try BusinessDays(parsing: "today", start: start, now: 0, zone: .utc)
            }
        }
    }

    @Test("a period is the days that have begun, and joins without gaps")
    func periods() throws {
        let zone = try TimeZoneRules(named: "America/New_York")
        // Saturday 2026-11-21, 04:00.
        func days(_ text: String) throws -> [String] {
            try BusinessDays(parsing: text, start: "04:00", now: 1_795_251_600_000, zone: zone).all.map(\.date)
        }
        #expect(try days("last-week") == (9...15).map { $0 < 10 ? "2026-11-0\($0)" : "2026-11-\($0)" })
        #expect(try days("this-week") == (16...21).map { "2026-11-\($0)" })
        #expect(try days("2026-11").count == 21 && days("2026-10").count == 31)
        #expect(try days("2026-11-19..yesterday") == ["2026-11-19", "2026-11-20"])
        #expect(try days("2026-11-22") == ["2026-11-22"])
        #expect(throws: ExportError.malformedDay("2026-11-20..2026-11-19")) { try days("2026-11-20..2026-11-19") }
        let month = try BusinessDays(parsing: "2026-11", start: "02:30", now: 1_800_000_000_000, zone: zone)
        let bounds = month.all.map { $0.bounds(in: zone) }
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0.to == $1.from })
        #expect(month.bounds(in: zone).from == bounds.first?.from && month.bounds(in: zone).to == bounds.last?.to)
    }
}
