import ArgumentParser
import CloverCore

/// Which merchant of which service.
struct ConnectionOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The merchant's id (CLOVER_MERCHANT).", valueName: "id"))
    var merchant: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "sandbox, us, eu, la, or a service's address (CLOVER_ENVIRONMENT); us for a new token.", valueName: "name"))
    var environment: String?

    var choice: ConnectionChoice {
        ConnectionChoice(environment: environment, merchantID: merchant)
    }
}
