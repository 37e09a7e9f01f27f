/// Decides how changes are sent: in which bodies, after which delay, and what is lost or sent twice. Depends only on
/// the seed and on the changes.
package struct WebhookPlan: Sendable {
    /// A body to send.
    package struct Body: Sendable, Equatable {
        package var changes: [ShopChange]
        package var delay: Duration
        /// 0 for one that is lost, 2 for one that is repeated.
        package var copies: Int
    }

    private let settings: WebhookSettings
    private let seed: UInt64
    /// Number of bodies so far.
    private var count = 0

    package init(_ settings: WebhookSettings, seed: UInt64) {
        self.settings = settings
        self.seed = seed
    }

    /// The bodies for changes that happened together.
    package mutating func bodies(of changes: [ShopChange]) -> [Body] {
        var bodies: [Body] = []
        var rest = changes[...]
        while !rest.isEmpty {
            count += 1
            var random = SeededRandom(seed: seed, stream: .webhook, index: count)
            let size = 1 + random.below(settings.bundle)
            let delay = settings.delay * random.fraction()
            let faults = faults(of: count)
            bodies.append(
                Body(
                    changes: Array(rest.prefix(size)),
                    delay: faults.contains(.webhookReorder) ? delay + Self.reorderDelay * random.fraction() : delay,
                    copies: faults.contains(.webhookLose) ? 0 : faults.contains(.webhookDouble) ? 2 : 1))
            rest = rest.dropFirst(size)
        }
        return bodies
    }

    /// Maximum delay of a body that others are to overtake.
    private static let reorderDelay = Duration.milliseconds(500)

    private func faults(of number: Int) -> Set<FaultKind> {
        var kinds: Set<FaultKind> = []
        for (place, spec) in settings.faults.enumerated() {
            var random = SeededRandom(seed: seed, stream: .webhookFault, index: number * 64 + place)
            if spec.selector.hits(number, chance: random.fraction()) { kinds.insert(spec.kind) }
        }
        return kinds
    }
}

/// Where and how the emulator sends webhooks.
package struct WebhookSettings: Sendable {
    package var address: WebhookAddress
    /// The header `X-Clover-Auth`; nil generates one from the shop's seed.
    package var authCode: String?
    /// Maximum number of events in one body.
    package var bundle = 4
    /// Maximum delay; each body has a random one.
    package var delay = Duration.zero
    /// Faults of webhooks; requests count bodies.
    package var faults: [FaultSpec] = []

    package init(address: WebhookAddress) {
        self.address = address
    }
}

/// An `http` URL.
package struct WebhookAddress: Sendable, Equatable {
    package let host: String
    package let port: Int
    /// Path and query, beginning with a slash.
    package let target: String

    /// Nil unless the text is a URL with the scheme `http`, a host and no user.
    package init?(parsing text: String) {
        guard let match = text.wholeMatch(of: #/http://([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::([0-9]{1,5}))?(/[!-~]*)?/#)
        else { return nil }
        let port = match.2.map { Int($0) ?? 0 } ?? 80
        guard (1...65_535).contains(port) else { return nil }
        host = String(match.1.trimmingPrefix("[").prefix { $0 != "]" })
        self.port = port
        target = match.3.map(String.init) ?? "/"
    }
}
