import ArgumentParser
import CloverCore
import CloverRecords

/// jq's options, as far as they make sense record by record.
struct JQOptionGroup: ParsableArguments {
    @OptionGroup
    var program: ProgramOptions

    @Flag(name: [.short, .long], help: "As --raw-output, and without a line break after each result.")
    var joinOutput = false

    @Flag(name: [.customShort("c"), .long], help: "Accepted as in jq: results are always one line each.")
    var compactOutput = false

    @Flag(name: .long, help: "Collect all records into one array first; memory grows with it.")
    var slurp = false

    @Flag(
        name: [.customShort("e"), .long],
        help: "End with 1 when the last result is false or null, with 4 when there is none, as jq does.")
    var exitStatus = false

    /// The program as the core takes it; nil without one.
    var choice: GetRequest.ProgramChoice? {
        guard var choice = program.choice(impliedBy: impliedBy) else { return nil }
        choice.rawOutput = program.rawOutput || joinOutput
        choice.joinOutput = joinOutput
        return choice
    }

    /// The option that means a program although none was given.
    private var impliedBy: String? {
        program.impliedBy ?? (joinOutput ? "--join-output" : exitStatus ? "--exit-status" : nil)
    }

    /// The exit status of a run that came to its end; a program that ended it by itself has its say.
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
