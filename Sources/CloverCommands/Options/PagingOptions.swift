import ArgumentParser
import CloverCore

/// Whether a long table goes through a pager.
struct PagingOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-pager"),
        help: "Show a table that is longer than the terminal without a pager (CLOVER_PAGER=cat).")
    var isPagerUnwanted = false

    func applied(to environment: CommandEnvironment) -> CommandEnvironment {
        var environment = environment
        if isPagerUnwanted { environment.isPagerUnwanted = true }
        return environment
    }
}
