import ArgumentParser
import CloverEmulator

/// The options of `serve` about cards and devices.
struct PaymentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the card that is shown to a device does.",
            discussion: "One of \(CardBehaviour.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "behaviour"))
    var card: String = CardBehaviour.approve.rawValue

    @Option(
        help: ArgumentHelp(
            "Time until a card is shown to a device; until then a payment can be cancelled.", valueName: "duration"))
    var cardTime: String = "0ms"

    @Option(help: ArgumentHelp("Time until the issuer of a card has decided.", valueName: "duration"))
    var authorizationTime: String = "0ms"

    @Option(help: ArgumentHelp("What the fault slow-card adds to that.", valueName: "duration"))
    var slowCardTime: String = "3s"

    @Option(
        help: ArgumentHelp(
            "How long a void at a device is one; later it is a refund.", valueName: "duration"))
    var voidWindow: String = "25m"

    func validate() throws {
        guard CardBehaviour(rawValue: card) != nil else {
            throw ValidationError(
                "--card must be one of \(CardBehaviour.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        for (name, text) in [
            ("--card-time", cardTime), ("--authorization-time", authorizationTime),
            ("--slow-card-time", slowCardTime), ("--void-window", voidWindow),
        ] where DurationText.duration(text) == nil {
            throw ValidationError("\(name) must be a duration such as 50ms, 3s or 25m")
        }
    }

    /// What the options say; only after `validate`.
    var settings: PaymentSettings {
        var settings = PaymentSettings()
        settings.card = CardBehaviour(rawValue: card) ?? settings.card
        settings.cardTime = DurationText.duration(cardTime) ?? settings.cardTime
        settings.authorizationTime = DurationText.duration(authorizationTime) ?? settings.authorizationTime
        settings.slowCardTime = DurationText.duration(slowCardTime) ?? settings.slowCardTime
        settings.voidWindow = DurationText.duration(voidWindow) ?? settings.voidWindow
        return settings
    }
}
