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
    package var limits: TrafficLimits
    /// How many merchants there are, and how many apps; see `Tenants`.
    package var merchantCount: Int
    package var appCount: Int
    package var oauth: OAuthSettings
    package var payments: PaymentSettings
    package var exports: ExportSettings
    /// Families of records, such as `orders`, that no token may read.
    package var withheldFamilies: Set<String>
    /// How lists misbehave.
    package var quirks: ListQuirks
    /// The file that keeps what was written; nil for none.
    package var statePath: String?
    /// Whether the shop's clock runs with the system's.
    package var isLive: Bool

    package init(
        port: Int = 0, shop: ShopSettings = ShopSettings(), latency: Duration = .zero, faults: [FaultSpec] = [],
        enforcesLimits: Bool = true, limits: TrafficLimits = TrafficLimits(), merchantCount: Int = 1, appCount: Int = 1,
        oauth: OAuthSettings = OAuthSettings(),
        payments: PaymentSettings = PaymentSettings(), exports: ExportSettings = ExportSettings(),
        withheldFamilies: Set<String> = [],
        quirks: ListQuirks = ListQuirks(), statePath: String? = nil, isLive: Bool = false
    ) {
        self.port = port
        self.shop = shop
        self.latency = latency
        self.faults = faults
        self.enforcesLimits = enforcesLimits
        self.limits = limits
        self.merchantCount = merchantCount
        self.appCount = appCount
        self.oauth = oauth
        self.payments = payments
        self.exports = exports
        self.withheldFamilies = withheldFamilies
        self.quirks = quirks
        self.statePath = statePath
        self.isLive = isLive
    }
}
