import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverOutput

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
    var choice: ProgramChoice? {
        guard var choice = program.choice(impliedBy: impliedBy) else { return nil }
        choice.options.rawOutput = program.rawOutput || joinOutput
        choice.options.joinOutput = joinOutput
        return choice
    }

    /// How to print records with these options, or else the configured ones.
    func printing(
        _ format: FormatOptions, _ messages: MessageOptions, _ settings: ConfigurationLayers
    ) throws -> RecordPrinting {
        let program = choice
        let isFormDecided = program != nil || slurp || messages.json
        return RecordPrinting(
            program: program, format: try format.choice(settings, isFormDecided: isFormDecided),
            isJSON: messages.json, slurp: slurp)
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

/// A jq program, its arguments, and the form of its strings.
struct ProgramOptions: ParsableArguments {
    @Option(
        name: .customLong("jq"), parsing: .unconditional,
        help: ArgumentHelp("jq program to run on every record.", valueName: "filter"))
    var program: String?

    @Option(
        name: .customLong("from-file"),
        help: ArgumentHelp("File to read the jq program from.", valueName: "file"), completion: .file())
    var programFile: String?

    @Option(
        name: .customLong("arg"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set $name to a string: --arg NAME VALUE.", valueName: "name value"))
    var stringArguments: [String] = []

    @Option(
        name: .customLong("argjson"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set $name to a JSON value: --argjson NAME JSON.", valueName: "name json"))
    var jsonArguments: [String] = []

    @Flag(name: [.short, .long], help: "Print strings without quotes.")
    var rawOutput = false

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

    /// The first option here that implies a program; nil if there is none, or if a program was given.
    var impliedBy: String? {
        guard program == nil, programFile == nil else { return nil }
        let options: [(isGiven: Bool, name: String)] = [
            (rawOutput, "--raw-output"), (!stringArguments.isEmpty, "--arg"), (!jsonArguments.isEmpty, "--argjson"),
        ]
        return options.first { $0.isGiven }?.name
    }

    /// The program for the core.
    /// - Parameter implied: an option that implies the program `.`, as in jq.
    /// - Returns: nil if there is no program.
    func choice(impliedBy implied: String? = nil) -> ProgramChoice? {
        var choice: ProgramChoice
        if let program {
            choice = .init(source: .text(program), option: "--jq")
        } else if let programFile {
            choice = .init(source: .file(programFile), option: "--from-file")
        } else if let implied {
            choice = .init(source: .text("."), option: implied)
        } else {
            return nil
        }
        choice.options.rawOutput = rawOutput
        choice.options.arguments =
            stringArguments.compactMap(ArgumentPairs.split).map { .init(name: $0.0, value: .string($0.1)) }
            + jsonArguments.compactMap(ArgumentPairs.split).map { .init(name: $0.0, value: .json($0.1)) }
        return choice
    }
}

/// Joins jq's `--arg NAME VALUE` to `--arg=NAME=VALUE` before parsing, because ArgumentParser has no option with two
/// values. jq names contain no `=`, so nothing is lost.
package enum ArgumentPairs {
    private static let options: Set<String> = ["--arg", "--argjson"]

    /// Refuses a second program: ArgumentParser would drop the first one without a word.
    package static func check(_ arguments: [String]) throws {
        let words = arguments.prefix { $0 != "--" }.map { word in word.prefix { $0 != "=" } }
        for option in ["--jq", "--from-file"] where words.count(where: { $0 == option }) > 1 {
            throw ValidationError("\(option) is given twice: join the programs with |")
        }
    }

    /// Joins every pair. Also moves a value of `config set` that begins with a hyphen and a digit behind `--` at the
    /// end, so that the error is about the value and not about an unknown option. Leaves `--arg NAME=VALUE` and
    /// everything after `--` unchanged.
    package static func joined(_ arguments: [String]) -> [String] {
        var arguments = arguments
        if arguments.starts(with: ["config", "set"]), !arguments.contains("--"),
            let place = arguments.firstIndex(where: { $0.wholeMatch(of: /-[0-9].*/) != nil })
        {
            arguments += ["--", arguments.remove(at: place)]
        }
        var result: [String] = []
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if argument == "--" { return result + arguments[index...] }
            if options.contains(argument), index + 2 < arguments.count, !arguments[index + 1].contains("="),
                !MissingOptionValue.isOption(arguments[index + 1])
            {
                result.append("\(argument)=\(arguments[index + 1])=\(arguments[index + 2])")
                index += 3
            } else if argument == "--reader", arguments.first == "charge",
                index + 1 == arguments.count || arguments[index + 1].hasPrefix("-")
            {
                // Means the last connected reader: ArgumentParser has no option with an optional value.
                result.append("--reader=last")
                index += 1
            } else {
                result.append(argument)
                index += 1
            }
        }
        return result
    }

    /// Splits a joined pair into name and value; nil if it is not a pair.
    static func split(_ text: String) -> (String, String)? {
        guard let mark = text.firstIndex(of: "="), mark != text.startIndex else { return nil }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }
}
