import CloverCalendar
import CloverJSON
import CloverOutput
import CloverTestSupport
import Foundation
import Testing

@Suite("Times")
struct TimeTests {
    private func layout(_ times: TimeStyle, unit: TimeUnit = .milliseconds) throws -> RecordLayout {
        var layout = RecordLayout(
            format: .tsv, columns: [RecordColumn(try FieldPath(parsing: "at"), kind: .time(unit))])
        layout.times = times
        layout.hasHeader = false
        return layout
    }

    private func text(_ value: String, _ times: TimeStyle, unit: TimeUnit = .milliseconds) async throws
        -> String
    {
        String(try await FormatRun.text(layout(times, unit: unit), [#"{"at":\#(value)}"#]).dropLast())
    }

    @Test("are sent on as they are unless another style is chosen")
    func asSent() async throws {
        #expect(try await text("1795245243120", .asSent) == "1795245243120")
    }

    @Test(
        "in ISO 8601",
        arguments: [
            ("0", "1970-01-01T00:00:00.000Z"), ("1795245243120", "2026-11-21T07:14:03.120Z"),
            ("-1", "1969-12-31T23:59:59.999Z"), ("951782400000", "2000-02-29T00:00:00.000Z"),
            ("-62167219200000", "0000-01-01T00:00:00.000Z"), ("253402300799999", "9999-12-31T23:59:59.999Z"),
            // A year that takes more than four digits, no integers, no number.
            ("253402300800000", "253402300800000"), ("-62167219200001", "-62167219200001"),
            ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
            ("99999999999999999999", "99999999999999999999"), ("1.5", "1.5"), ("1e3", "1e3"),
            (#""1795245243120""#, "1795245243120"), ("true", "true"), ("null", ""),
        ])
    func iso(value: String, expected: String) async throws {
        #expect(try await text(value, .iso(.utc)) == expected)
    }

    @Test("in seconds, and for a person")
    func styles() async throws {
        #expect(try await text("1795245243", .iso(.utc), unit: .seconds) == "2026-11-21T07:14:03.000Z")
        let zone = try TimeZoneRules(named: "America/New_York")
        #expect(try await text("1795245243120", .iso(zone)) == "2026-11-21T02:14:03.120-05:00")
        #expect(try await text("1795245243120", .short(zone)) == "2026-11-21 02:14")
        #expect(try await text("1795245243120", .short(.utc)) == "2026-11-21 07:14")
    }

    @Test("that are written out already are read to the millisecond, and anything else stays as it is")
    func writtenOut() async throws {
        let zone = try TimeZoneRules(named: "America/New_York")
        let instants = [
            "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2000-02-29T12:34:56.789Z",
            "2100-03-01T00:00:00.000Z", "2024-12-31T23:59:59.001Z", "0000-01-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z",
        ]
        for instant in instants {
            #expect(try await text(#""\#(instant)""#, .iso(.utc), unit: .text) == instant)
            #expect(try await text(#""\#(instant)""#, .asSent, unit: .text) == instant)
        }
        let summer = #""2026-07-01T03:59:59.120Z""#
        #expect(try await text(summer, .iso(zone), unit: .text) == "2026-06-30T23:59:59.120-04:00")
        #expect(try await text(summer, .short(zone), unit: .text) == "2026-06-30 23:59")
        for other in ["2026-07-01", "2026-13-01T00:00:00.000Z", "2026-07-01T00:00:00.000+", "soon", ""] {
            #expect(try await text(#""\#(other)""#, .iso(zone), unit: .text) == other)
        }
    }

    @Test("our own times are shown in local time, with seconds if needed")
    func clocks() throws {
        let zone = try TimeZoneRules(named: "America/New_York")
        #expect(zone.text(milliseconds: 1_795_245_243_999) == "2026-11-21 02:14")
        #expect(zone.text(milliseconds: 1_795_245_243_999, hasSeconds: true) == "2026-11-21 02:14:03")
        #expect(TimeZoneRules.utc.text(milliseconds: -1, hasSeconds: true) == "1969-12-31 23:59:59")
        #expect(zone.text(milliseconds: .max) == "?")
    }

    @Test("are a string in JSON")
    func json() async throws {
        var layout = try layout(.iso(.utc))
        layout.format = .ndjson
        #expect(try await FormatRun.text(layout, [#"{"at":0}"#]) == "{\"at\":\"1970-01-01T00:00:00.000Z\"}\n")
    }

    /// The text of each instant, which must be of one zone after the other.
    private func texts(_ instants: [(zone: String, milliseconds: Int64)]) async throws -> String {
        var result = ""
        var start = 0
        while start < instants.count {
            let name = instants[start].zone
            let end = instants[start...].firstIndex { $0.zone != name } ?? instants.endIndex
            let style = TimeStyle.iso(try TimeZoneRules(named: name))
            result += try await FormatRun.text(
                layout(style), instants[start..<end].map { #"{"at":\#($0.milliseconds)}"# })
            start = end
        }
        return result
    }

    private func expectSameAsPython(_ instants: [(zone: String, milliseconds: Int64)]) async throws {
        let input = instants.map { "\($0.zone) \($0.milliseconds)\n" }.joined()
        let expected = try RealProgram("python3").run(["-c", PythonReference.instants], input: Array(input.utf8))
        let difference = FieldTests.firstDifference(
            try await texts(instants), String(decoding: expected, as: UTF8.self))
        #expect(difference == nil)
    }

    @Test("in every zone of the database are what Python's zoneinfo gives")
    func everyZone() async throws {
        let names = try RealProgram("python3").run(["-c", PythonReference.zones], input: [])
        var sample = SampleJSON(seed: 21)
        let instants = String(decoding: names, as: UTF8.self).split(separator: "\n").flatMap { name in
            // From 1896 to 2223.
            (0..<60).map { _ in (String(name), sample.integer(-2_320_000_000_000...8_000_000_000_000)) }
        }
        #expect(instants.count > 10_000)
        // GMT and its other names are written as UTC is.
        try await expectSameAsPython(instants.filter { name, _ in !Self.isUTC(name) })
    }

    private static func isUTC(_ name: String) -> Bool {
        ["UTC", "UCT", "GMT", "Zulu", "Universal", "Greenwich", "GMT0", "GMT+0", "GMT-0"].contains(
            name.replacing("Etc/", with: ""))
    }

    @Test(
        "match Python's zoneinfo around each clock change",
        arguments: [
            "America/New_York", "Europe/Berlin", "Europe/Dublin", "Australia/Lord_Howe", "America/St_Johns",
            "Africa/Casablanca", "America/Nuuk", "Pacific/Apia", "Antarctica/Troll", "Asia/Kathmandu",
            "Africa/Monrovia",
        ])
    func changes(name: String) async throws {
        let lines = try RealProgram("python3").run(["-c", PythonReference.changes, name], input: [])
        let instants = String(decoding: lines, as: UTF8.self).split(separator: "\n").flatMap { line in
            let change = Int64(line.split(separator: " ")[1]) ?? 0
            return [-3_600_000, -1, 0, 1, 3_600_000].map { (name, change + $0) }
        }
        #expect(!instants.isEmpty)
        try await expectSameAsPython(instants)
    }

    @Test(
        "unknown zones are refused by name",
        arguments: [
            "", "Europe/Atlantis", "../../../etc/passwd", "/etc/localtime", "Europe", "Europe/", "zone.tab",
            "tzdata.zi", "leapseconds", "Europe/Berlin\u{0}",
        ])
    func unknownZones(name: String) {
        #expect(throws: TimeZoneError.unknown(name)) { try TimeZoneRules(named: name) }
    }

    @Test("damaged zone files are refused, wherever they end")
    func damagedFiles() throws {
        let original = try Data(contentsOf: URL(filePath: TimeZoneRules.databasePath + "/Europe/Berlin"))
        let folder = FileManager.default.temporaryDirectory.appending(path: "clover-zones-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Damaged")
        try original.write(to: file)
        let whole = try TimeZoneRules(named: "Damaged", database: folder.path)
        #expect(whole.offset(at: 1_795_245_243) == 3600)
        for count in [0, 3, 43, 44, 100, 500, original.count - 40, original.count - 1] {
            try original.prefix(count).write(to: file)
            #expect(throws: TimeZoneError.unknown("Damaged")) {
                try TimeZoneRules(named: "Damaged", database: folder.path)
            }
        }
    }

    @Test(
        "the local zone follows TZ",
        arguments: [
            ("America/New_York", -18000), (":Europe/Berlin", 3600), ("/usr/share/zoneinfo/Asia/Tokyo", 32400),
            ("EST5EDT,M3.2.0,M11.1.0", -18000), ("<+0330>-3:30", 12600), ("", 0), ("UTC", 0),
            ("AEST-10AEDT", 39600), ("AEST-10AEDT,J300,J60", 39600), ("AEST-10AEDT,299,59/3:30", 39600),
        ])
    func local(variable: String, offset: Int) {
        // 2026-11-21; the rules without dates are those of the United States, where summer time is over.
        let expected = variable == "AEST-10AEDT" ? 36000 : offset
        #expect(TimeZoneRules.local(variable: variable)?.offset(at: 1_795_245_243) == expected)
    }

    @Test("without TZ the local zone is the system's, and UTC without either")
    func systemZone() {
        let berlin = TimeZoneRules.databasePath + "/Europe/Berlin"
        #expect(TimeZoneRules.local(variable: nil, systemFile: berlin)?.offset(at: 1_795_245_243) == 3600)
        #expect(TimeZoneRules.local(variable: nil, systemFile: "/nonexistent") == .utc)
    }

    @Test("the system's zone has the name of the zone that its file is a link to, else the path of the file")
    func systemZoneName() throws {
        let directory = try TemporaryDirectory()
        let berlin = TimeZoneRules.databasePath + "/Europe/Berlin"
        let link = directory["link"]
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: berlin)
        #expect(TimeZoneRules.local(variable: nil, systemFile: link)?.name == "Europe/Berlin")
        #expect(TimeZoneRules.local(variable: ":" + link)?.name == "Europe/Berlin")

        let copy = directory["copy"]
        try FileManager.default.copyItem(atPath: berlin, toPath: copy)
        #expect(TimeZoneRules.local(variable: nil, systemFile: copy)?.name == copy)
    }

    @Test("an unknown TZ is not treated as UTC", arguments: ["XYZ", "Mars/Phobos", "/nonexistent/zone"])
    func noZone(variable: String) {
        #expect(TimeZoneRules.local(variable: variable) == nil)
    }

    @Test("summer time that lasts all year never ends")
    func allYear() throws {
        let zone = try #require(TimeZoneRules.local(variable: "XXX3EDT4,0/0,J365/23"))
        for day in 0..<800 { #expect(zone.offset(at: 1_700_000_000 + day * 86_400) == -14400) }
        #expect(zone.offset(at: 1_767_236_399) == -14400)
        #expect(zone.offset(at: 1_767_236_400) == -14400)
    }
}
