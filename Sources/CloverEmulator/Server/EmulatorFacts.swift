/// What a client or a person needs to know of a running emulator.
package struct EmulatorFacts: Sendable {
    package struct Merchant: Sendable {
        let id: String
        /// A token that the merchant created, tied to no app.
        let token: String
    }

    let url: String
    let shopName: String
    /// The first one is the shop's own.
    let merchants: [Merchant]
    let apps: [RegisteredApp]
    /// Tokens of the first merchant that belong to the first app.
    let appTokens: [String]
    /// A period of `clover report` in which the shop has orders.
    let period: String
    /// The value of `X-Clover-Auth` in the emulator's webhooks; nil if it sends none.
    let webhookAuthCode: String?

    init(port: Int, _ shop: Shop, _ tenants: Tenants, isLive: Bool, webhookAuthCode: String?) {
        url = "http://127.0.0.1:\(port)"
        shopName = shop.catalogue.merchantName
        merchants = zip(tenants.merchantIDs, tenants.merchantTokens).map { Merchant(id: $0, token: $1) }
        apps = tenants.apps
        appTokens = Array(shop.identity.accessTokens.dropFirst())
        period = Self.period(of: shop, isLive: isLive)
        self.webhookAuthCode = webhookAuthCode
    }

    /// The month in which the shop's history ends.
    static func period(of shop: Shop, isLive: Bool) -> String {
        isLive ? "this-month" : CivilDate.month(of: shop.settings.now)
    }

    /// One line for programs.
    package var json: String {
        let json: JSONValue = [
            "event": "ready", "url": .string(url), "merchantId": .string(merchants[0].id),
            "accessToken": .string(merchants[0].token), "appId": .string(apps[0].id),
            "appSecret": .string(apps[0].secret),
            "otherAccessTokens": .array(appTokens.map { .string($0) }),
            "otherMerchantIds": .array(merchants.dropFirst().map { .string($0.id) }),
            "otherMerchants": .array(
                merchants.dropFirst().map { ["merchantId": .string($0.id), "accessToken": .string($0.token)] }),
            "otherApps": .array(
                apps.dropFirst().map { ["appId": .string($0.id), "appSecret": .string($0.secret)] }),
            "webhookAuthCode": webhookAuthCode.map { .string($0) },
        ]
        return String(decoding: json.encoded, as: UTF8.self)
    }

    /// The greeting for a person: what this is, how to sign in, what to look at, how to stop it.
    package func greeting(isColored: Bool) -> String {
        let style = LogStyle(isColored: isColored)
        let first = merchants.enumerated().map { place, merchant in
            "  echo \(merchant.token) |\n    clover auth login --with-token --merchant \(merchant.id) "
                + "\\\n      --environment \(url) --profile emulator\(place == 0 ? "" : "-\(place + 1)")"
        }
        let title = merchants.count == 1 ? "To sign in, in another terminal:" : "To sign in to one of the merchants:"
        return """
            \(style.bold("A local Clover")) with a fictitious shop, \(shopName).

            \(title)
            \(first.joined(separator: "\n"))

            To look at it:
              clover get orders --limit 5
              clover report sales --period \(period)
              \(style.bold(url + "/"))  requests as they come, limits, charges

            To stop it: Ctrl-C

            """
    }
}

/// Colours of text for a terminal (ECMA-48, section 8.3.117).
struct LogStyle: Sendable {
    let isColored: Bool

    func bold(_ text: String) -> String { styled(text, 1) }
    func faint(_ text: String) -> String { styled(text, 2) }
    func red(_ text: String) -> String { styled(text, 31) }
    func green(_ text: String) -> String { styled(text, 32) }
    func yellow(_ text: String) -> String { styled(text, 33) }

    private func styled(_ text: String, _ code: Int) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
