import ArgumentParser
import CloverCore

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
            "State to start from: the last line that the target wrote (only with --singer).", valueName: "file"),
        completion: .file())
    var state: String?

    func validate() throws {
        if state != nil, !isOn { throw ValidationError("--state needs --singer") }
    }
}
