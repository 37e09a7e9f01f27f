/// How an emulator runs.
package struct EmulatorOptions: Sendable {
    /// Port on 127.0.0.1; 0 takes a free one.
    package var port: Int
    package var shop: ShopSettings
    /// Pause before each answer from the shop.
    package var latency: Duration
    package var faults: [FaultSpec]
    /// False counts requests without refusing any.
    package var enforcesLimits: Bool

    package init(
        port: Int = 0, shop: ShopSettings = ShopSettings(), latency: Duration = .zero, faults: [FaultSpec] = [],
        enforcesLimits: Bool = true
    ) {
        self.port = port
        self.shop = shop
        self.latency = latency
        self.faults = faults
        self.enforcesLimits = enforcesLimits
    }
}
