/// The merchants and apps of an emulator, each app open to each merchant. The first of both are the shop's own; the
/// others are there so that limits can be told apart: every merchant has the same shop under an id of its own.
package struct Tenants: Sendable {
    /// What `merchants` and `apps` can be.
    package static let range = 1...20
    /// Places of ids and secrets that the shop itself has no use for.
    private static let firstFreePlace = 100

    package let merchantIDs: [String]
    package let apps: [RegisteredApp]

    package init(of shop: Shop, merchants: Int, apps: Int) {
        let identity = shop.identity
        merchantIDs =
            [identity.merchantID.description]
            + (1..<max(1, merchants)).map {
                shop.ids.identifier(.merchant, Self.firstFreePlace + $0).description
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

    /// How a request with such a token names the shop's own merchant and app; nil for one that uses their names.
    package func mask(for owner: TokenOwner) -> TenantMask? {
        var pairs: [TenantMask.Pair] = []
        if owner.merchantID != merchantIDs[0] {
            pairs.append(TenantMask.Pair(own: owner.merchantID, shop: merchantIDs[0]))
        }
        if let appID = owner.appID, appID != apps[0].id {
            pairs.append(TenantMask.Pair(own: appID, shop: apps[0].id))
        }
        return pairs.isEmpty ? nil : TenantMask(pairs)
    }
}
