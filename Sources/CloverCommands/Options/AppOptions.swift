import ArgumentParser
import CloverCore

/// Which app a merchant signs in to.
struct AppOptions: ParsableArguments {
    @Option(
        name: .customLong("app-id"),
        help: ArgumentHelp("The app's id from Clover's developer dashboard (CLOVER_APP_ID).", valueName: "id"))
    var appID: String?

    @Option(
        name: .customLong("app-secret-file"), parsing: .unconditional,
        help: ArgumentHelp(
            "Prove the app by its secret from this file, - for standard input (CLOVER_APP_SECRET holds it too); without one, by PKCE.",
            valueName: "file"), completion: .file())
    var secretFile: String?

    @Flag(name: .long, help: "Keep the tokens in the desktop's keyring instead of a private file.")
    var keyring = false

    var choice: AppChoice { AppChoice(appID: appID, secretFile: secretFile) }
}
