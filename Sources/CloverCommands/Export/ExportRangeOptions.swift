import ArgumentParser
import CloverCore

/// Which records are exported.
struct ExportRangeOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "What changed since then: last for the last run (the default), a date or time, or -7d. The next run goes on from here when nothing is left out between the two.",
            valueName: "time"))
    var since: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "What changed before then (default: the start of the run, and never later).", valueName: "time"))
    var until: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What was made on a business day of the merchant's, or changed on it where the list is not filtered by when it was made: yesterday, a date, or today as far as it has come.",
            valueName: "day"))
    var day: String?

    @Option(
        name: .customLong("day-start"),
        help: ArgumentHelp("The time at which a business day begins (default: 00:00).", valueName: "time"))
    var dayStart: String?

    @Flag(name: .long, help: "Everything, whatever was exported before.")
    var full = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Ask again for so long before the last run's end; what did not change is not exported again, as far as the last run's overlap goes (default: 5m).",
            valueName: "duration"))
    var overlap: String?

    @Option(
        name: .customLong("window"), parsing: .unconditional,
        help: ArgumentHelp(
            "Make a file for each so long at most (default: 89d, the most; days with {date} in the name are dates).",
            valueName: "duration"))
    var window: String?

    private static let longestWindow = 89 * 86_400.0

    func validate() throws {
        let ranges = [("--since", since != nil), ("--day", day != nil), ("--full", full)].filter(\.1)
        if ranges.count > 1 { throw ValidationError("\(ranges[0].0) and \(ranges[1].0) exclude each other") }
        if day != nil, until != nil { throw ValidationError("--day and --until exclude each other") }
        if dayStart != nil, day == nil { throw ValidationError("--day-start needs --day") }
    }

    func apply(to request: inout ExportRequest) throws {
        if full {
            request.range = .full
        } else if let day {
            request.range = .day(day)
        } else if let since, since.lowercased() != "last" {
            request.range = .since(since)
        }
        request.until = until
        request.dayStart = dayStart ?? request.dayStart
        if let overlap {
            request.overlap = LongDuration.isZero(overlap) ? 0 : try LongDuration.seconds(overlap)
        }
        if let window {
            let seconds = try LongDuration.seconds(window)
            guard seconds >= 60 else { throw ValidationError("--window takes a minute at least, not \(window)") }
            guard seconds <= Self.longestWindow else {
                throw ValidationError(
                    "--window takes 89d at most, not \(window): the service answers for 90 days of orders and payments")
            }
            request.windowLength = seconds
        }
    }
}
