import ArgumentParser
import CloverCore

/// `clover emulator`: runs clover-emulator, the program installed beside this one.
struct Emulator: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "Run a local Clover to try things out, without an account or a network",
        discussion: """
            Examples:
              clover emulator demo
              clover emulator serve --port 8080
              clover emulator serve --orders 100000 --latency 50ms

            'demo' is a guided tour: it runs ten commands and shows their output, with a temporary service and sign-in. \
            Everything else is passed to the program clover-emulator, which is installed beside this one or on PATH: \
            'serve' and 'reader-driver'.
            """
    )

    /// The words that can follow `clover emulator`.
    static let words = ["demo", "reader-driver", "serve"]

    /// An unknown word after `emulator` or `help emulator`; nil if there is none.
    /// - Parameter arguments: without the program's name.
    static func unknownWord(_ arguments: [String]) -> String? {
        let isHelp = arguments.first == "help"
        let rest = isHelp ? arguments.dropFirst() : arguments[...]
        guard rest.first == _commandName, let word = rest.dropFirst().first, !word.hasPrefix("-"),
            !words.contains(word), isHelp || word != "help"
        else { return nil }
        return word
    }

    /// The equivalent of `help emulator WORD`; nil for other command lines.
    /// - Parameter arguments: without the program's name.
    static func asked(_ arguments: [String]) -> [String]? {
        if arguments.count == 3, arguments[0] == _commandName, arguments[1] != "demo", words.contains(arguments[1]),
            ["--help", "-h"].contains(arguments[2])
        {
            return [_commandName, "help", arguments[1]]
        }
        guard arguments.count == 3, arguments.starts(with: ["help", _commandName]), words.contains(arguments[2]) else {
            return nil
        }
        // The tour is part of this program.
        return arguments[2] == "demo" ? ["help", _commandName] : [_commandName, "help", arguments[2]]
    }

    @Argument(parsing: .allUnrecognized, help: "Arguments to pass to clover-emulator.")
    var arguments: [String] = []

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        if arguments == ["demo"] {
            try await DemoTour(environment).run { try await StandardOutput.print($0, in: environment) }
            return 0
        }
        try EmulatorProgram.replaceProcess(arguments: arguments, variables: environment.variables)
    }
}
