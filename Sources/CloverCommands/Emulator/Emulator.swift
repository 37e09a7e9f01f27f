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
