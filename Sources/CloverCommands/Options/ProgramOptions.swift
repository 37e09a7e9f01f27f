import ArgumentParser
import CloverCore

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
    func choice(impliedBy implied: String? = nil) -> GetRequest.ProgramChoice? {
        var choice: GetRequest.ProgramChoice
        if let program {
            choice = .init(source: .text(program), option: "--jq")
        } else if let programFile {
            choice = .init(source: .file(programFile), option: "--from-file")
        } else if let implied {
            choice = .init(source: .text("."), option: implied)
        } else {
            return nil
        }
        choice.rawOutput = rawOutput
        choice.arguments =
            stringArguments.compactMap(ArgumentPairs.split).map { .init(name: $0.0, value: $0.1, isJSON: false) }
            + jsonArguments.compactMap(ArgumentPairs.split).map { .init(name: $0.0, value: $0.1, isJSON: true) }
        return choice
    }
}
