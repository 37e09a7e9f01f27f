import ArgumentParser
import CloverCore
import CloverRecords

/// jq's options, as far as they make sense record by record.
struct JQOptionGroup: ParsableArguments {
    @Option(
        name: .customLong("jq"), parsing: .unconditional,
        help: ArgumentHelp("Run this jq program on every record.", valueName: "filter"))
    var program: String?

    @Option(
        name: .customLong("from-file"),
        help: ArgumentHelp("Read the jq program from a file.", valueName: "file"), completion: .file())
    var programFile: String?

    @Flag(name: [.short, .long], help: "Print strings as they are, without quotes.")
    var rawOutput = false

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

    @Option(
        name: .customLong("arg"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set $name to a string: --arg NAME VALUE.", valueName: "name value"))
    var stringArguments: [String] = []

    @Option(
        name: .customLong("argjson"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set $name to a JSON value: --argjson NAME JSON.", valueName: "name json"))
    var jsonArguments: [String] = []

    func validate() throws {
        if program != nil, programFile != nil {
            throw ValidationError("--jq and --from-file exclude each other")
        }
        for text in stringArguments where ArgumentPairs.split(text) == nil {
            throw ValidationError("--arg needs a name and a value: --arg NAME VALUE")
        }
        for text in jsonArguments where ArgumentPairs.split(text) == nil {
            throw ValidationError("--argjson needs a name and a value: --argjson NAME JSON")
        }
    }

    /// The program as the core takes it; nil without one.
    var choice: GetRequest.ProgramChoice? {
        var choice: GetRequest.ProgramChoice
        if let program {
            choice = .init(source: .text(program), option: "--jq")
        } else if let programFile {
            choice = .init(source: .file(programFile), option: "--from-file")
        } else if let option = impliedBy {
            // As in jq, no program means the record itself.
            choice = .init(source: .text("."), option: option)
        } else {
            return nil
        }
        choice.rawOutput = rawOutput || joinOutput
        choice.joinOutput = joinOutput
        choice.arguments =
            stringArguments.compactMap(ArgumentPairs.split).map { .init(name: $0.0, value: $0.1, isJSON: false) }
            + jsonArguments.compactMap(ArgumentPairs.split).map { .init(name: $0.0, value: $0.1, isJSON: true) }
        return choice
    }

    /// The option that means a program although none was given.
    private var impliedBy: String? {
        let options: [(isGiven: Bool, name: String)] = [
            (rawOutput, "--raw-output"), (joinOutput, "--join-output"), (exitStatus, "--exit-status"),
            (!stringArguments.isEmpty, "--arg"), (!jsonArguments.isEmpty, "--argjson"),
        ]
        return options.first { $0.isGiven }?.name
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
