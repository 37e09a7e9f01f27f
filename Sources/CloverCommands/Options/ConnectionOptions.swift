import ArgumentParser
import CloverCore

/// The merchant and the service to connect to, and the authorities to trust.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Name of a sign-in from 'clover auth list' (CLOVER_PROFILE).", valueName: "name"),
        completion: .asked)
    var profile: String?

    @Option(name: .long, help: ArgumentHelp("Merchant ID (CLOVER_MERCHANT).", valueName: "id"))
    var merchant: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Environment: sandbox, us, eu, la, or a service's address (CLOVER_ENVIRONMENT; default for a new sign-in: us).",
            valueName: "name"), completion: .asked)
    var environment: String?

    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("PEM file with certificate authorities to trust (CLOVER_CA_BUNDLE).", valueName: "file"),
        completion: .file())
    var certificateFile: String?

    var choice: ConnectionChoice {
        ConnectionChoice(
            profile: profile, environment: environment, merchantID: merchant, certificateFile: certificateFile)
    }
}
