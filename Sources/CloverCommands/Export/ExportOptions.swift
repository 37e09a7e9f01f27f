import ArgumentParser
import CloverCore
import CloverExport
import CloverSystem

/// The destination of an export, and how to deal with another export there.
struct ExportDestinationOptions: ParsableArguments {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            """
            Directory to write files to, created if it does not exist; an object store, as s3://bucket/prefix; or a \
            database to write tables to: sqlite:shop.db, postgresql://host/shop.
            """, valueName: "directory|s3|database"),
        completion: .directory)
    var directory: String?

    @Option(
        name: .customLong("endpoint-url"),
        help: ArgumentHelp(
            "Service of s3:// other than Amazon's, such as MinIO (default: AWS_ENDPOINT_URL).", valueName: "url"))
    var endpoint: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Path of each file in the directory (default: {resource}/{window}.{extension}, with --append \
            {resource}.{extension}). {date} is the last date in the file, which covers up to 89 days without \
            --window 1d or --day.
            """, valueName: "template"))
    var name: String?

    @Flag(
        name: .customLong("append"),
        help: "Append to an existing file in the same format, without duplicates, and without cut records after a kill."
    )
    var appends = false

    @Option(
        name: .customLong("if-running"),
        help: ArgumentHelp("What to do if another export to the same directory is running.", valueName: "what"))
    var ifRunning: ExportRequest.IfRunning = .fail

    @Flag(
        name: .customLong("export-missing"),
        help: "Export missing published files again; without this, they are reported (status 79).")
    var exportsMissing = false

    @Flag(
        name: .customLong("accept-missing"),
        help: "Forget missing published files, or rows of a database, because you have removed them.")
    var acceptsMissing = false

    @Flag(
        name: .customLong("mark-deleted"),
        help: """
            With --full, to a database: set deleted_at of rows whose records Clover no longer has. Each one that the lists \
            lack costs a request that proves it. No row is deleted.
            """)
    var marksDeleted = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Maximum random delay before the run: 60, 5m.", valueName: "duration"))
    var jitter: String?

    @Flag(
        name: .customLong("summary"),
        help: """
            Write one JSON line at the end: what was exported, and at what cost. "waited" adds up the waits of all \
            requests, which overlap; "newest" is the newest record that this run received.
            """)
    var writesSummary = false

    /// The destination; an object store with its endpoint.
    func address(in environment: CommandEnvironment) throws -> String? {
        try directory.map { text in
            try ObjectAddress.located(text, endpoint: endpoint, of: "--to", in: environment)?.name ?? text
        }
    }

    func validate() throws {
        if directory == "" { throw ValidationError("--to takes a directory") }
        if directory == "-" {
            throw ValidationError(
                "--to takes no '-': without --to, the records of one resource go to standard output; the directory of that "
                    + "name is './-'")
        }
        try DatabaseAddress.check(directory, of: "--to")
        if endpoint != nil, !(directory.map(ObjectAddress.isMeant) ?? false) {
            throw ValidationError("--endpoint-url needs --to s3://BUCKET")
        }
        if let endpoint, let directory {
            _ = try ObjectAddress.parsed("\(directory)?endpoint-url=\(endpoint)", of: "--endpoint-url")
        }
        if exportsMissing, acceptsMissing {
            throw ValidationError("--export-missing and --accept-missing exclude each other")
        }
    }
}

extension ExportRequest.IfRunning: ExpressibleByArgument {}
extension ExportRange.Way: ExpressibleByArgument {}
extension Compression: ExpressibleByArgument {}

/// Which records to export.
struct ExportRangeOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Export changes since then: last for the last run (the default), a date or time, a period such as 2026-11 or last-month for its beginning, or -7d. The next run continues from here if this leaves no gap.",
            valueName: "time"))
    var since: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Export changes before then (default: the start of the run, which is also the latest). A period is its beginning: until 2026-01 is all of December.",
            valueName: "time"))
    var until: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Export business days of the merchant, one file for each, by creation time, or by change time for lists that are not filtered by creation time: yesterday, last-week, 2026-10, a date, a range, or today up to now.",
            valueName: "period"))
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

    @Option(
        name: .customLong("via"),
        help: ArgumentHelp(
            "How to get the history of orders and payments: page by page (lists, the default) or from Clover's Export API (export-api), which selects by creation time and runs at hours that Clover permits; later runs get changes page by page. With --since, records created before then and changed since are left out.",
            valueName: "lists|export-api"))
    var way: ExportRange.Way = .lists

    private static let longestWindow = 89 * 86_400.0

    func validate() throws {
        let ranges = [("--since", since != nil), ("--day", day != nil), ("--full", full)].filter(\.1)
        if ranges.count > 1 { throw ValidationError("\(ranges[0].0) and \(ranges[1].0) exclude each other") }
        if day != nil, until != nil { throw ValidationError("--day and --until exclude each other") }
        if dayStart != nil, day == nil { throw ValidationError("--day-start needs --day") }
    }

    /// The range with its texts as typed.
    func range() throws -> ExportRange {
        var range = ExportRange()
        if full {
            range.selection = .full
        } else if let day {
            range.selection = .day(day)
        } else if let since, since.lowercased() != "last" {
            range.selection = .since(since)
        }
        range.isSinceLast = since != nil
        range.way = way
        range.until = until
        range.dayStart = dayStart ?? range.dayStart
        if let overlap {
            range.overlap = LongDuration.isZero(overlap) ? 0 : try LongDuration.seconds(overlap)
        }
        if let window {
            let seconds = try LongDuration.seconds(window)
            guard seconds >= 60 else { throw ValidationError("--window takes at least a minute, not \(window)") }
            guard seconds <= Self.longestWindow else {
                throw ValidationError(
                    "--window takes at most 89d, not \(window): the service returns at most 90 days of orders and payments"
                )
            }
            range.windowSeconds = seconds
        }
        return range
    }
}

/// The contents of the files, apart from the format of the records.
struct ExportContentOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Nested objects to include, separated by commas.", valueName: "names"),
        completion: .asked)
    var expand: [String] = []

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Lists of each record to export completely, as resources of their own: line_items,payments for orders, shifts for employees.",
            valueName: "names"), completion: .asked)
    var parts: [String] = []

    @Flag(
        name: .customLong("for-reports"),
        help: """
            Export to a database what 'clover report --from' reads: with no resource named, all lists of reports, each with \
            the nested objects that reports need.
            """)
    var isForReports = false

    @Flag(
        name: .customLong("names"),
        help: """
            Add the names of employees, tenders, order types, items and categories to the records that have only their \
            ids.
            """)
    var showsNames = false

    @Flag(
        name: .customLong("strict"),
        help: """
            Stop at a record on which the jq program fails (65), instead of writing it to DIRECTORY/failed with its \
            error (82).
            """)
    var isStrict = false

    @Option(name: .customLong("compress"), help: ArgumentHelp("Compression of the files.", valueName: "format"))
    var compression: Compression?

    @Option(
        name: .customLong("time-zone"),
        help: ArgumentHelp(
            "Time zone for --day, {date}, and dates in --since and --until, whatever --zone is.", valueName: "zone",
            visibility: .hidden))
    var timeZone: String?
}

struct ExportMerchantOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Sign-ins to export, separated by commas, or all that have a name; files are named \
            {merchant}/{resource}/..., and a PostgreSQL database has a schema for each merchant. If one cannot be used, \
            only that one fails (82).
            """,
            valueName: "names"), completion: .asked)
    var profiles: String?

    @Flag(
        name: .customLong("tag-merchant"),
        help: "Add the merchant to each record: \"merchant\":{\"id\":\"M\"}; a jq program gets it, and must keep it.")
    var tagsMerchant = false

    var isGiven: Bool { profiles != nil }

    func validate() throws { try Self.check(profiles) }

    /// Profiles to export; empty without the option, nil for all.
    var names: [String]? { Self.names(profiles) }

    static func check(_ profiles: String?) throws(ValidationError) {
        guard let profiles else { return }
        let names = profiles.split(separator: ",", omittingEmptySubsequences: false)
        if names.contains("") { throw ValidationError("--profiles takes names separated by commas, or all") }
        if Set(names).count < names.count { throw ValidationError("--profiles names a sign-in twice") }
    }

    static func names(_ profiles: String?) -> [String]? {
        guard let profiles else { return [] }
        return profiles == "all" ? nil : profiles.split(separator: ",").map(String.init)
    }
}

/// An export as a tap in a Singer pipeline.
struct ExportSingerOptions: ParsableArguments {
    @Flag(
        name: .customLong("singer"),
        help: """
            Write Singer's SCHEMA, RECORD and STATE messages to standard output, for a Singer target. Records are \
            unchanged: --with, --jq, --fields, and options that name or format files, do not apply.
            """)
    var isOn = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            current: keep one row per record in {resource}/current.ndjson, beside the change files, in this and all later \
            runs. With --singer: file with the state to start from, the last line that the target wrote.
            """, valueName: "current|file"),
        completion: .file())
    var state: String?

    /// Whether `--state current` is given.
    var keepsCurrent: Bool { !isOn && state == "current" }

    func validate() throws {
        guard let state, !isOn, !keepsCurrent else { return }
        throw ValidationError("--state takes current, or a file with --singer, not \(state)")
    }
}
