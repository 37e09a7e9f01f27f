/// A line of crontab(5), which cron reads first and sh(1) then.
package enum CronLine {
    /// Where programs are found: cron's own has little in it.
    private static let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// The line with a comment above it.
    ///
    /// - Throws: `ScheduleError.notInCron` for a time that cron has no fields for.
    package static func text(_ program: ScheduledProgram, at time: ScheduleTime) throws(ScheduleError) -> String {
        let variables = ([("PATH", path)] + program.variables).map { "\($0.0)=\(word($0.1))" }
        let command = (variables + program.words.map(word)).joined(separator: " ")
        return "# \(program.title), \(time.words)\n\(try time.cronFields) \(command)\n"
    }

    /// A word as both take it. In a line of crontab(5) a percent sign begins the command's input unless there is a backslash
    /// before it, and some crons make one of two backslashes: the shell's quotes come between them.
    static func word(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        if isPlain { return text }
        var result = "'"
        var last: Character?
        for character in text {
            if last == "\\", character == "\\" || character == "%" { result += "''" }
            switch character {
            case "%": result += "\\%"
            case "'": result += "'\"'\"'"
            default: result.append(character)
            }
            last = character
        }
        // A backslash at the end would be before the quote, which no cron minds.
        return result + "'"
    }

    /// A word as sh(1) takes it.
    package static func shellWord(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=,+@".utf8)
}
