import ArgumentParser
import CloverEmulator

/// The card and device options of `serve`.
struct PaymentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Behaviour of the card presented to a device.",
            discussion: "One of \(CardBehaviour.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "behaviour"))
    var card: String = CardBehaviour.approve.rawValue

    @Option(
        help: ArgumentHelp(
            "Time until a card is presented to a device; until then a payment can be cancelled.",
            valueName: "duration"))
    var cardTime: String = "0ms"

    @Option(help: ArgumentHelp("Time that the card issuer takes to decide.", valueName: "duration"))
    var authorizationTime: String = "0ms"

    @Option(help: ArgumentHelp("Additional time with the fault slow-card.", valueName: "duration"))
    var slowCardTime: String = "3s"

    @Option(
        help: ArgumentHelp(
            "Time during which a device payment can be voided; afterwards a void is a refund.", valueName: "duration"))
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

    /// The settings from the options; call after `validate`.
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
