import ArgumentParser
import CloverCore

/// An export as a part of a Singer pipeline.
struct ExportSingerOptions: ParsableArguments {
    @Flag(
        name: .customLong("singer"),
        help: """
            Write Singer's SCHEMA, RECORD and STATE messages to standard output, for one of its targets. Records are the \
            service's, whole: without --with, --jq, --fields and all that names or forms files.
            """)
    var isOn = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Begin with this state, the last line that the target wrote (only with --singer).", valueName: "file"),
        completion: .file())
    var state: String?

    func validate() throws {
        if state != nil, !isOn { throw ValidationError("--state needs --singer") }
    }
}
