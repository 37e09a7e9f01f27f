import ArgumentParser
import CloverCore

/// Prints the request as a curl command instead of sending it.
struct CurlOptions: ParsableArguments {
    @Flag(
        name: .customLong("curl"),
        help: ArgumentHelp(
            "Print the first request as a curl command for sh instead of sending it; the command reads the token from CLOVER_ACCESS_TOKEN (to get one: clover auth token)."
        ))
    var isWanted = false

    /// Prints the command and returns the exit status.
    func print(_ command: CurlCommand, in environment: CommandEnvironment) async throws -> Int32 {
        for note in command.notes { environment.diagnostics.notice(note) }
        try await StandardOutput.print(command.text + "\n", in: environment)
        return 0
    }
}
