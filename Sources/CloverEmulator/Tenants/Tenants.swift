import Glibc
package import NIOCore

/// The merchants and apps of an emulator; each app is available to each merchant. The first of both are the shop's own.
/// The others exist to test separate limits: every merchant has the same shop under a different id.
package struct Tenants: Sendable {
    /// Valid values of `merchants`.
    package static let merchantRange = 1...500
    /// Valid values of `apps`. Their secrets end before the tokens of merchants begin.
    package static let appRange = 1...20
    /// Start of the id and secret indexes that the shop itself does not use.
    private static let firstFreePlace = 100
    /// The same for tokens of merchants, after the secrets of apps.
    private static let firstFreeTokenPlace = 200

    package let merchantIDs: [String]
    /// A token for each merchant, which the merchant created and which belongs to no app.
    package let merchantTokens: [String]
    package let apps: [RegisteredApp]

    package init(of shop: Shop, merchants: Int, apps: Int) {
        let identity = shop.identity
        merchantIDs =
            [identity.merchantID.description]
            + (1..<max(1, merchants)).map {
                shop.ids.identifier(.merchant, Self.firstFreePlace + $0).description
            }
        merchantTokens =
            [identity.accessTokens[0]]
            + (1..<max(1, merchants)).map {
                ShopIdentity.uuid(
                    seed: shop.settings.seed, stream: .credential, index: Self.firstFreeTokenPlace + $0)
            }
        self.apps =
            [RegisteredApp(id: identity.appID.description, secret: identity.appSecret)]
            + (1..<max(1, apps)).map { number in
                let place = Self.firstFreePlace + number
                return RegisteredApp(
                    id: shop.ids.identifier(.application, place).description,
                    secret: ShopIdentity.uuid(seed: shop.settings.seed, stream: .credential, index: place))
            }
    }

    /// The id mapping for a token; nil if it uses the shop's own ids.
    package func mask(for owner: TokenOwner) -> TenantMask? {
        var pairs: [TenantMask.Pair] = []
        if owner.merchantID != merchantIDs[0] {
            pairs.append(TenantMask.Pair(own: owner.merchantID, shop: merchantIDs[0]))
        }
        if let appID = owner.appID, appID != apps[0].id {
            pairs.append(TenantMask.Pair(own: appID, shop: apps[0].id))
        }
        return pairs.isEmpty ? nil : TenantMask(pairs: pairs)
    }
}

/// Maps ids between the shop and an additional merchant or app: the shop knows only its own ids, and all ids have the
/// same length.
package struct TenantMask: Sendable {
    struct Pair: Sendable {
        let own: String
        let shop: String
    }

    let pairs: [Pair]

    /// Maps a path segment to the shop's ids. The shop's own id is mapped to the other one, which the shop does not
    /// know, because for this tenant it is another merchant's or app's.
    package func inward(_ segment: String) -> String {
        for pair in pairs {
            if segment == pair.own { return pair.shop }
            if segment == pair.shop { return pair.own }
        }
        return segment
    }

    /// Replaces the shop's ids with the tenant's.
    package func outward(_ body: inout ByteBuffer) {
        for pair in pairs {
            let shop = Array(pair.shop.utf8)
            let own = Array(pair.own.utf8)
            body.withUnsafeMutableReadableBytes { bytes in
                var start = 0
                while let base = bytes.baseAddress, start + shop.count <= bytes.count,
                    let found = memchr(base + start, Int32(shop[0]), bytes.count - shop.count - start + 1)
                {
                    let place = base.distance(to: found)
                    let isThere = memcmp(found, shop, shop.count) == 0
                    if isThere { memcpy(found, own, own.count) }
                    start = place + (isThere ? shop.count : 1)
                }
            }
        }
    }
}

/// The owner of an access token.
package struct TokenOwner: Sendable, Hashable {
    package let merchantID: String
    /// The app that the token was issued to; nil for a token that the merchant created, to which no app limits apply.
    package let appID: String?

    package init(merchantID: String, appID: String? = nil) {
        self.merchantID = merchantID
        self.appID = appID
    }
}

package struct RegisteredApp: Sendable, Equatable {
    package let id: String
    package let secret: String
}
