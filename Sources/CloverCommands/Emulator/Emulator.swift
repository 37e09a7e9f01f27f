import ArgumentParser
import CloverCore

/// `clover emulator`: the program beside this one.
struct Emulator: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "Run a local Clover to try things out, without an account or a network",
        discussion: """
            Examples:
              clover emulator demo
              clover emulator serve --port 8080
              clover emulator serve --orders 100000 --latency 50ms

            'demo' is a guided tour: ten commands with what they print, at a \
            service and with a sign-in that are gone afterwards. Everything else \
            is given to the program clover-emulator, which stands beside this one \
            or on PATH: 'serve' and 'reader-driver'.
            """
    )

    /// What can stand behind `clover emulator`.
    static let words = ["demo", "reader-driver", "serve"]

    /// The word behind `emulator`, or behind `help emulator`, that is none of these; nil when there is no such word.
    /// - Parameter arguments: without the program's name.
    static func unknownWord(_ arguments: [String]) -> String? {
        let isHelp = arguments.first == "help"
        let rest = isHelp ? arguments.dropFirst() : arguments[...]
        guard rest.first == _commandName, let word = rest.dropFirst().first, !word.hasPrefix("-"),
            !words.contains(word), isHelp || word != "help"
        else { return nil }
        return word
    }

    /// What `help emulator WORD` is the same as; nil for other command lines.
    /// - Parameter arguments: without the program's name.
    static func asked(_ arguments: [String]) -> [String]? {
        guard arguments.count == 3, arguments.starts(with: ["help", _commandName]), words.contains(arguments[2]) else {
            return nil
        }
        // The tour is a part of this program.
        return arguments[2] == "demo" ? ["help", _commandName] : [_commandName, "help", arguments[2]]
    }

    @Argument(parsing: .allUnrecognized, help: "Given to clover-emulator as they are.")
    var arguments: [String] = []

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        if arguments == ["demo"] {
            try await DemoTour(environment).run { try await StandardOutput.print($0, in: environment) }
            return 0
        }
        try EmulatorProgram(arguments: arguments, variables: environment.variables).replaceProcess()
    }
}
