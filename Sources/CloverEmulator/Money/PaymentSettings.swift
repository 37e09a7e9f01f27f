/// How cards and devices behave.
package struct PaymentSettings: Sendable {
    /// What the card that is shown to a device does.
    package var card = CardBehaviour.approve
    /// Time until a card is shown to a device.
    package var cardTime = Duration.zero
    /// Time between a card and the answer of its issuer.
    package var authorizationTime = Duration.zero
    /// What a slow card takes on top of that.
    package var slowCardTime = Duration.seconds(3)
    /// How long a void gives the money back without a refund: about 25 minutes (Clover documentation, transaction types).
    package var voidWindow = Duration.seconds(25 * 60)
    /// How long what is held can be captured. The service does not tell; a week is usual.
    package var holdLife = Duration.seconds(7 * 86_400)

    package init() {}
}
