import ArgumentParser
import CloverCore

/// The request as a command for curl, in place of sending it.
struct CurlOptions: ParsableArguments {
    @Flag(
        name: .customLong("curl"),
        help: ArgumentHelp(
            "Print the first request as a command for sh and curl, which takes the token from CLOVER_ACCESS_TOKEN ('clover auth token' has it); send nothing."
        ))
    var isWanted = false

    /// Prints the command, and gives the exit status.
    func print(_ command: CurlCommand, in environment: CommandEnvironment) async throws -> Int32 {
        for note in command.notes { environment.diagnostics.notice(note) }
        try await StandardOutput.print(command.text + "\n", in: environment)
        return 0
    }
}
