import ArgumentParser
import CloverCore

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
