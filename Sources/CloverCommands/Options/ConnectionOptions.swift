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

/// Selects one of several sign-ins to a merchant.
struct SignInAppOptions: ParsableArguments {
    @Option(
        name: .customLong("app-id"),
        help: ArgumentHelp(
            "App of the sign-in, if there are several to the merchant; static for a token without an app.",
            valueName: "id"))
    var appID: String?

    /// The choice, including the app.
    func completing(_ choice: ConnectionChoice) -> ConnectionChoice {
        var choice = choice
        choice.appID = appID
        return choice
    }
}

/// The app that a merchant signs in to.
struct AppOptions: ParsableArguments {
    @Option(
        name: .customLong("app-id"),
        help: ArgumentHelp("App ID from Clover's developer dashboard (CLOVER_APP_ID).", valueName: "id"))
    var appID: String?

    @Option(
        name: .customLong("app-secret-file"), parsing: .unconditional,
        help: ArgumentHelp(
            "Authenticate the app with the secret in this file, - for standard input (or in CLOVER_APP_SECRET); without a secret, PKCE is used.",
            valueName: "file"), completion: .file())
    var secretFile: String?

    @Flag(name: .long, help: "Store the tokens in the desktop's keyring instead of a private file.")
    var keyring = false

    /// Whether the tokens of a new sign-in go to the keyring.
    ///
    /// - Throws: `State.KeyringUnused` if a database keeps them.
    func isInKeyring(in environment: CommandEnvironment) throws -> Bool {
        if keyring, try environment.sharedState() != nil { throw State.KeyringUnused() }
        return keyring
    }
}
