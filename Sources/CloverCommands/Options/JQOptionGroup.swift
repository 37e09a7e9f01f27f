import ArgumentParser
import CloverCore
import CloverRecords

/// jq's options that apply to single records.
struct JQOptionGroup: ParsableArguments {
    @OptionGroup
    var program: ProgramOptions

    @Flag(name: [.short, .long], help: "Like --raw-output, without a line break after each result.")
    var joinOutput = false

    @Flag(name: [.customShort("c"), .long], help: "Accepted as in jq: each result is always on one line.")
    var compactOutput = false

    @Flag(name: .long, help: "Collect all records into one array first; memory use grows with their number.")
    var slurp = false

    @Flag(
        name: [.customShort("e"), .long],
        help: "Exit with 1 if the last result is false or null, and with 4 if there is none, as jq does.")
    var exitStatus = false

    /// The program for the core; nil if there is none.
    var choice: GetRequest.ProgramChoice? {
        guard var choice = program.choice(impliedBy: impliedBy) else { return nil }
        choice.rawOutput = program.rawOutput || joinOutput
        choice.joinOutput = joinOutput
        return choice
    }

    /// The option that implies a program, if none was given.
    private var impliedBy: String? {
        program.impliedBy ?? (joinOutput ? "--join-output" : exitStatus ? "--exit-status" : nil)
    }

    /// The exit status of a run that finished; a program that called halt determines it itself.
    func ending(of report: FilterReport, in environment: CommandEnvironment) -> Int32 {
        if let halt = report.halt {
            environment.diagnostics.pass(halt.message)
            return halt.status
        }
        return exitStatus ? Self.exitStatus(of: report.lastResult) : 0
    }

    /// jq's own statuses for `-e` (jq(1), --exit-status).
    private static func exitStatus(of result: FilterReport.LastResult) -> Int32 {
        switch result {
        case .truthy: 0
        case .falsy: 1
        case .none: 4
        }
    }
}
