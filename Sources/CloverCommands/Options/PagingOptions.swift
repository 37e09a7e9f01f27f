import ArgumentParser
import CloverCore

/// Whether long tables go through a pager.
struct PagingOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-pager"),
        help: "Do not use a pager for tables longer than the terminal (CLOVER_PAGER=cat).")
    var isPagerUnwanted = false

    func applied(to environment: CommandEnvironment) -> CommandEnvironment {
        var environment = environment
        if isPagerUnwanted { environment.isPagerUnwanted = true }
        return environment
    }
}
