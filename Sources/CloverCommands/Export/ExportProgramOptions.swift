import ArgumentParser
import CloverCore

/// jq's options, as far as they make sense for files.
struct ExportProgramOptions: ParsableArguments {
    @Option(
        name: .customLong("jq"), parsing: .unconditional,
        help: ArgumentHelp("Write what this jq program makes of each record.", valueName: "filter"))
    var program: String?

    @Option(
        name: .customLong("from-file"),
        help: ArgumentHelp("Read the jq program from a file.", valueName: "file"), completion: .file())
    var programFile: String?

    @Flag(name: [.short, .long], help: "Write strings as they are, without quotes.")
    var rawOutput = false

    @Option(
        name: .customLong("arg"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set $name to a string: --arg NAME VALUE.", valueName: "name value"))
    var stringArguments: [String] = []

    @Option(
        name: .customLong("argjson"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set $name to a JSON value: --argjson NAME JSON.", valueName: "name json"))
    var jsonArguments: [String] = []

    func validate() throws {
        if program != nil, programFile != nil { throw ValidationError("--jq and --from-file exclude each other") }
        if program == nil, programFile == nil, rawOutput || !stringArguments.isEmpty || !jsonArguments.isEmpty {
            throw ValidationError("--raw-output, --arg and --argjson need --jq or --from-file")
        }
        for (option, texts) in [("--arg", stringArguments), ("--argjson", jsonArguments)] {
            for text in texts where ArgumentPairs.split(text) == nil {
                throw ValidationError("\(option) needs a name and a value")
            }
        }
    }

    /// The program as the core takes it; nil without one.
    var choice: GetRequest.ProgramChoice? {
        let source: GetRequest.ProgramChoice.Source
        if let program {
            source = .text(program)
        } else if let programFile {
            source = .file(programFile)
        } else {
            return nil
        }
        var choice = GetRequest.ProgramChoice(source: source, option: program == nil ? "--from-file" : "--jq")
        choice.rawOutput = rawOutput
        choice.arguments =
            stringArguments.compactMap(ArgumentPairs.split).map { .init(name: $0.0, value: $0.1, isJSON: false) }
            + jsonArguments.compactMap(ArgumentPairs.split).map { .init(name: $0.0, value: $0.1, isJSON: true) }
        return choice
    }
}
