import ArgumentParser
import CloverCore

/// Which merchant of which service, and whom to trust.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The name of a sign-in (CLOVER_PROFILE); 'clover auth list' has them.", valueName: "name"),
        completion: .asked)
    var profile: String?

    @Option(name: .long, help: ArgumentHelp("The merchant's id (CLOVER_MERCHANT).", valueName: "id"))
    var merchant: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "sandbox, us, eu, la, or a service's address (CLOVER_ENVIRONMENT); us for a new sign-in.",
            valueName: "name"), completion: .asked)
    var environment: String?

    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).", valueName: "file"),
        completion: .file())
    var certificateFile: String?

    var choice: ConnectionChoice {
        ConnectionChoice(
            profile: profile, environment: environment, merchantID: merchant, certificateFile: certificateFile)
    }
}
