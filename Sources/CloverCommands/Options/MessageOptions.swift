import ArgumentParser
import CloverCore

/// How much is said on standard error, and in what form.
struct MessageOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say what happens on the way: retries, waits, counts.")
    var verbose = false

    @Flag(name: .long, help: "JSON on standard output, also on a terminal, and errors as one JSON line.")
    var json = false

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
    }

    /// The environment with the chosen amount of messages.
    func applied(to environment: CommandEnvironment) -> CommandEnvironment {
        var environment = environment
        environment.diagnostics.level = quiet ? .quiet : verbose ? .verbose : .normal
        return environment
    }
}
