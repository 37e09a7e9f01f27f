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

            Runs the program clover-emulator, which stands beside this one or on PATH.
            """
    )

    @Argument(parsing: .allUnrecognized, help: "Given to clover-emulator as they are.")
    var arguments: [String] = []

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        try EmulatorProgram(arguments: arguments, variables: environment.variables).replaceProcess()
    }
}
