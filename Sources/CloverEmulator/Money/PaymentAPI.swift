/// The calls that move money. It knows nothing of HTTP connections, limits or the faults of the way.
package struct PaymentAPI: Sendable {
    package let ledger: ShopLedger
    private let ecommerce: EcommerceAPI
    private let payDisplay: PayDisplayAPI

    package init(ledger: ShopLedger, settings: PaymentSettings = PaymentSettings()) {
        self.ledger = ledger
        ecommerce = EcommerceAPI(ledger: ledger, settings: settings)
        payDisplay = PayDisplayAPI(ledger: ledger, settings: settings)
    }

    /// Whether a path is one of these calls.
    package static func serves(path: String) -> Bool {
        ["/v1", "/connect"].contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// The answer to a call; refusals are answers too.
    ///
    /// - Throws: when the emulator ends while a card is slow.
    package func answer(to call: PaymentCall) async throws -> Answer {
        if call.path.first == "connect" { return await payDisplay.answer(to: call) }
        return try await ecommerce.answer(to: call)
    }
}
