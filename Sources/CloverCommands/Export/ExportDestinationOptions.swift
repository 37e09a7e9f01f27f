import ArgumentParser
import CloverCore

/// Where an export goes, and what it does when it is not alone there.
struct ExportDestinationOptions: ParsableArguments {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Write files in this directory, which is made when it is missing.", valueName: "directory"),
        completion: .directory)
    var directory: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Name files so, from the directory on (default: {resource}/{window}.{extension}, with --append \
            {resource}.{extension}). {date} is the last date in the file, which has up to 89 days without \
            --window 1d or --day.
            """, valueName: "template"))
    var name: String?

    @Flag(
        name: .customLong("append"),
        help: "Add to the file that has the name: the same form, nothing twice, and no part of a record after a kill."
    )
    var appends = false

    @Option(
        name: .customLong("if-running"),
        help: ArgumentHelp("When another export to the same place runs.", valueName: "what"))
    var ifRunning: ExportRequest.IfRunning = .fail

    @Flag(
        name: .customLong("export-missing"),
        help: "Export files anew that an earlier run published and that are missing. Without it they are named (79).")
    var exportsMissing = false

    @Flag(
        name: .customLong("accept-missing"),
        help: "Forget published files that are missing, because you have moved them away.")
    var acceptsMissing = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Wait for a random part of so long first: 60, 5m.", valueName: "duration"))
    var jitter: String?

    @Flag(
        name: .customLong("summary"),
        help: """
            Write one JSON line at the end: what was exported, and at what cost. "waited" is the sum of what each request \
            waited, and several wait at once; "newest" is of what the service gave in this run.
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
