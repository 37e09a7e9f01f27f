import CloverExport
import CloverTestSupport
import Foundation
import Testing

@Suite("Schedules")
struct ScheduleTests {
    struct TimeCase: CustomTestStringConvertible {
        let testDescription: String
        let time: ScheduleTime
        let cron: String
        let calendar: String
    }

    @Test(
        "a time in the syntax of cron and systemd",
        arguments: [
            TimeCase(
                testDescription: "a minute", time: .every(minutes: 1), cron: "* * * * *", calendar: "*-*-* *:*:00"),
            TimeCase(
                testDescription: "a quarter", time: .every(minutes: 15), cron: "*/15 * * * *",
                calendar: "*-*-* *:0/15:00"),
            TimeCase(
                testDescription: "an hour", time: .every(minutes: 60), cron: "0 * * * *", calendar: "*-*-* *:00:00"),
            TimeCase(
                testDescription: "six hours", time: .every(minutes: 360), cron: "0 */6 * * *",
                calendar: "*-*-* 0/6:00:00"),
            TimeCase(
                testDescription: "a day", time: .every(minutes: 1440), cron: "0 0 * * *",
                calendar: "*-*-* 00:00:00"),
            TimeCase(
                testDescription: "a week", time: .every(minutes: 10_080), cron: "0 0 * * 0",
                calendar: "Sun *-*-* 00:00:00"),
            TimeCase(
                testDescription: "a time of day", time: .daily(hour: 2, minute: 5), cron: "5 2 * * *",
                calendar: "*-*-* 02:05:00"),
        ])
    func times(_ row: TimeCase) async throws {
        #expect(try row.time.cronFields == row.cron)
        #expect(row.time.timerSettings.split(separator: "\n").first == "OnCalendar=\(row.calendar)")
        // Ask systemd how it interprets the time.
        let analyze = CommandRunner(executable: "/usr/bin/systemd-analyze", environment: ["PATH": "/usr/bin:/bin"])
        let result = try await analyze.run(["calendar", "--iterations=2", row.calendar])
        #expect(result.status == 0, "\(result)")
    }

    @Test(
        "intervals that divide hours or days are accepted",
        arguments: [1, 2, 5, 15, 30, 60, 120, 480, 1440, 10_080])
    func intervals(minutes: Int) throws {
        #expect(try ScheduleTime(everySeconds: Double(minutes) * 60) == .every(minutes: minutes))
    }

    @Test("other intervals are for systemd only", arguments: [7, 45, 90, 300, 1500, 2880])
    func periods(minutes: Int) async throws {
        let time = try ScheduleTime(everySeconds: Double(minutes) * 60)
        #expect(time == .after(minutes: minutes))
        #expect(throws: ScheduleError.notInCron(minutes: minutes)) { try time.cronFields }
        let program = try program(["/bin/true"])
        #expect(throws: ScheduleError.notInCron(minutes: minutes)) { try CronLine.text(program, at: time) }
        let directory = try TemporaryDirectory()
        let units = SystemdUnits(program, at: time)
        let timer = directory.path + "/clover-export.timer"
        try Data(units.service.utf8).write(to: URL(fileURLWithPath: directory.path + "/clover-export.service"))
        try Data(units.timer.utf8).write(to: URL(fileURLWithPath: timer))
        #expect(units.timer.contains("\nOnUnitActiveSec=\(minutes)min\n"))
        #expect(!units.timer.contains("OnCalendar"))
        let analyze = CommandRunner(executable: "/usr/bin/systemd-analyze", environment: ["PATH": "/usr/bin:/bin"])
        let verified = try await analyze.run(["verify", "--man=no", timer])
        #expect(verified.status == 0, "\(verified)")
        #expect(verified.errorText.isEmpty, "\(verified)")
    }

    @Test("an interval below a minute or above a week is refused", arguments: [0, 30, 59, 61, 604_860] as [Double])
    func badIntervals(seconds: Double) {
        #expect(throws: ScheduleError.interval(seconds: seconds)) { try ScheduleTime(everySeconds: seconds) }
    }

    @Test("a time of day is parsed", arguments: [("00:00", 0, 0), ("2:30", 2, 30), ("23:59", 23, 59)])
    func timeOfDay(text: String, hour: Int, minute: Int) throws {
        #expect(try ScheduleTime(at: text) == .daily(hour: hour, minute: minute))
    }

    @Test(
        "a malformed time of day is refused",
        arguments: ["", "2", "24:00", "02:60", "02:5", "-1:00", "02:30:00", "2:30 ", "٢:٣٠"])
    func badTimeOfDay(text: String) {
        #expect(throws: ScheduleError.timeOfDay(text)) { try ScheduleTime(at: text) }
    }

    // MARK: Words

    private static let words = [
        "orders", "/srv/my exports/100%", "it's", "\"quoted\"", "a\\b", "a\\\\b", "\\%d", "$HOME `id` $(id)", "*", "",
        "{resource}/{date}.ndjson", "; rm", "#x", "été", "a\tb", "100%%", "\\", "~", "-", ".[] | \"\\(.id)\"", "\\'%",
    ]

    private func program(_ words: [String], variables: [(name: String, value: String)] = []) throws -> ScheduledProgram
    {
        try ScheduledProgram(
            words: words, variables: variables, title: "Export orders", writesIn: ["/srv/x"], user: "daemon")
    }

    /// What cron passes to the shell: `\%` becomes `%`; an unescaped `%` would end the command. Debian's cron also reduces
    /// two backslashes to one, ISC's does not.
    private func cron(_ line: String, makesOneOfTwo: Bool) throws -> String {
        var result = ""
        var isEscaped = false
        for character in line {
            if isEscaped {
                if character == "%" || makesOneOfTwo && character == "\\" { result.removeLast() }
                isEscaped = false
            } else {
                try #require(character != "%", "an unescaped % in \(line)")
                isEscaped = character == "\\"
            }
            result.append(character)
        }
        return result
    }

    @Test("cron runs the program with the given arguments", arguments: [false, true])
    func cronWords(makesOneOfTwo: Bool) async throws {
        let script = #"printf '%s\n' "$CLOVER_X"; for word; do printf '%s\n' "$word"; done"#
        let program = try program(
            ["/bin/sh", "-c", script, "sh"] + Self.words, variables: [("CLOVER_X", "50% of 'it'")])
        let lines = try CronLine.text(program, at: .daily(hour: 2, minute: 30)).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0] == "# Export orders, every day at 02:30")
        #expect(lines[1].hasPrefix("30 2 * * * PATH="))
        let command = try cron(
            String(lines[1].dropFirst("30 2 * * * ".count)), makesOneOfTwo: makesOneOfTwo)
        let shell = CommandRunner(executable: "/bin/sh", environment: ["PATH": "/usr/bin:/bin"])
        let result = try await shell.run(["-c", command])
        #expect(result.status == 0)
        #expect(
            String(decoding: result.output, as: UTF8.self) == (["50% of 'it'"] + Self.words).map { $0 + "\n" }.joined())
    }

    @Test("words with control characters are refused", arguments: ["a\nb", "a\rb", "a\0b"])
    func unwritable(word: String) {
        #expect(throws: ScheduleError.unwritable(word)) { try program(["/bin/x", word]) }
        #expect(throws: ScheduleError.unwritable(word)) { try program(["/bin/x"], variables: [("X", word)]) }
    }

    @Test("systemd accepts the units and rates them as safe")
    func units() async throws {
        let directory = try TemporaryDirectory()
        let program = try program(["/bin/true"] + Self.words, variables: [("CLOVER_STATE_DIR", "/srv/a b/100%")])
        let units = SystemdUnits(program, at: .every(minutes: 15))
        let service = directory.path + "/clover-export.service"
        let timer = directory.path + "/clover-export.timer"
        try Data(units.service.utf8).write(to: URL(fileURLWithPath: service))
        try Data(units.timer.utf8).write(to: URL(fileURLWithPath: timer))
        let analyze = CommandRunner(executable: "/usr/bin/systemd-analyze", environment: ["PATH": "/usr/bin:/bin"])
        let verified = try await analyze.run(["verify", "--man=no", service, timer])
        #expect(verified.status == 0, "\(verified)")
        #expect(verified.errorText.isEmpty, "\(verified)")
        let measured = try await analyze.run(["security", "--offline=true", "--threshold=25", service])
        #expect(measured.status == 0, "\(measured)")
    }

    @Test(
        "a word of ExecStart follows systemd.syntax(7), systemd.unit(5) and systemd.service(5)",
        arguments: [
            ("orders", "orders"), ("100%", "100%%"), ("$HOME", "$$HOME"), ("a b", "\"a b\""),
            ("say \"x\"", "\"say \\\"x\\\"\""), ("a\\b", "\"a\\\\b\""), ("it's", "\"it's\""), ("", "\"\""),
            (";", "\";\""),
        ])
    func systemdWords(word: String, written: String) throws {
        let units = SystemdUnits(try program(["/bin/true", word]), at: .every(minutes: 15))
        #expect(units.service.contains("\nExecStart=/bin/true \(written)\n"))
    }
}
