import ArgumentParser
import CloverCore

/// Amount and form of the messages on standard error.
struct MessageOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Print nothing but errors: no notices, such as the one about masked fields (CLOVER_QUIET=1).")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print progress details: retries, waits, counts (CLOVER_VERBOSE=1).")
    var verbose = false

    @Flag(name: .long, help: "Print JSON to standard output, even on a terminal, and errors as one JSON line.")
    var json = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Show details on standard error, without secrets: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).",
            valueName: "parts"), completion: .asked, transform: Self.parts)
    var debug: DebugParts?

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
    }

    private static func parts(_ text: String) throws -> DebugParts {
        do throws(DebugParts.UnknownName) {
            return try DebugParts(parsing: text)
        } catch {
            throw ValidationError(
                "there is no '\(error.name)' to debug, but: \(DebugParts.names.joined(separator: ", "))")
        }
    }

    /// Applies the options to the environment.
    func applied(to environment: CommandEnvironment) -> CommandEnvironment {
        var environment = environment
        if quiet { environment.diagnostics.level = .quiet }
        if verbose { environment.diagnostics.level = .verbose }
        if let debug { environment.diagnostics.debugParts = debug }
        return environment
    }
}
