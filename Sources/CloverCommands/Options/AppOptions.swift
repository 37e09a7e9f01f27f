import ArgumentParser
import CloverCore

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

    var choice: AppChoice { AppChoice(appID: appID, secretFile: secretFile) }
}
