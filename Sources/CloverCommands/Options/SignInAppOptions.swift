import ArgumentParser
import CloverCore

/// Which of several sign-ins to one merchant.
struct SignInAppOptions: ParsableArguments {
    @Option(
        name: .customLong("app-id"),
        help: ArgumentHelp(
            "Of several sign-ins to the merchant that through this app; static for a token without one.",
            valueName: "id"))
    var appID: String?

    /// The choice with the app in it.
    func completing(_ choice: ConnectionChoice) -> ConnectionChoice {
        var choice = choice
        choice.appID = appID
        return choice
    }
}
