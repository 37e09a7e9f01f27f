/// How an emulator runs.
package struct EmulatorOptions: Sendable {
    /// Port on 127.0.0.1; 0 takes a free one.
    package var port: Int
    package var shop: ShopSettings
    /// Pause before each answer with records.
    package var latency: Duration
    /// Faults of requests for records, of `FaultTarget.records`.
    package var faults: [FaultSpec]
    /// False counts requests without refusing any.
    package var enforcesLimits: Bool
    package var oauth: OAuthSettings
    /// Families of records, such as `orders`, that no token may read.
    package var withheldFamilies: Set<String>

    package init(
        port: Int = 0, shop: ShopSettings = ShopSettings(), latency: Duration = .zero, faults: [FaultSpec] = [],
        enforcesLimits: Bool = true, oauth: OAuthSettings = OAuthSettings(), withheldFamilies: Set<String> = []
    ) {
        self.port = port
        self.shop = shop
        self.latency = latency
        self.faults = faults
        self.enforcesLimits = enforcesLimits
        self.oauth = oauth
        self.withheldFamilies = withheldFamilies
    }
}
