import ArgumentParser
import CloverCore

/// Which records to export.
struct ExportRangeOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Export changes since then: last for the last run (the default), a date or time, or -7d. The next run continues from here if this leaves no gap.",
            valueName: "time"))
    var since: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Export changes before then (default: the start of the run, which is also the latest).", valueName: "time"))
    var until: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Export one business day of the merchant, by creation time, or by change time for lists that are not filtered by creation time: yesterday, a date, or today up to now.",
            valueName: "day"))
    var day: String?

    @Option(
        name: .customLong("day-start"),
        help: ArgumentHelp("Time at which a business day begins (default: 00:00).", valueName: "time"))
    var dayStart: String?

    @Flag(name: .long, help: "Export everything, even if it was exported before.")
    var full = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Ask again for this much time before the last run's end; unchanged records are not exported again, within the last run's overlap (default: 5m).",
            valueName: "duration"))
    var overlap: String?

    @Option(
        name: .customLong("window"), parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum time span of a file (default and maximum: 89d; with {date} in the name, days are dates).",
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
            guard seconds >= 60 else { throw ValidationError("--window takes at least a minute, not \(window)") }
            guard seconds <= Self.longestWindow else {
                throw ValidationError(
                    "--window takes at most 89d, not \(window): the service returns at most 90 days of orders and payments"
                )
            }
            request.windowLength = seconds
        }
    }
}
