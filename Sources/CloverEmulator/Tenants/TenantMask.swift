import Glibc
package import NIOCore

/// Shows the one shop that there is to a further merchant or app as its own: the shop knows its own ids only, and all
/// ids have the same length.
package struct TenantMask: Sendable {
    struct Pair: Sendable {
        let own: String
        let shop: String
    }

    private let pairs: [Pair]

    init(_ pairs: [Pair]) {
        self.pairs = pairs
    }

    /// A segment of a path as the shop understands it. The shop's id becomes the other one, which it does not know: it
    /// is another merchant's or app's.
    package func inward(_ segment: String) -> String {
        for pair in pairs {
            if segment == pair.own { return pair.shop }
            if segment == pair.shop { return pair.own }
        }
        return segment
    }

    /// Puts the tenant's ids in the place of the shop's.
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
