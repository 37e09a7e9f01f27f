import ArgumentParser
import CloverCore

/// The destination of an export, and how to deal with another export there.
struct ExportDestinationOptions: ParsableArguments {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Directory to write files to; created if it does not exist.", valueName: "directory"),
        completion: .directory)
    var directory: String?

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
        help: "Forget missing published files, because you have moved them away.")
    var acceptsMissing = false

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

    func validate() throws {
        if directory == "" { throw ValidationError("--to takes a directory") }
        try OutputPath.check(directory, of: "--to")
        if exportsMissing, acceptsMissing {
            throw ValidationError("--export-missing and --accept-missing exclude each other")
        }
    }

    func apply(to request: inout ExportRequest) throws {
        request.directory = directory
        request.nameTemplate = name
        request.appends = appends
        request.ifRunning = ifRunning
        request.missingFiles = exportsMissing ? .export : acceptsMissing ? .accept : .report
        request.jitter = try jitter.map { try DurationExpression.seconds($0) }
        request.writesSummary = writesSummary
    }
}

extension ExportRequest.IfRunning: ExpressibleByArgument {}
