/// How the parts of an order are numbered for their ids: the order's number in the high 32 bits of the 56, a counter of
/// 24 bits within the order below.
package enum OrderPlaces {
    /// Place of part `part` (below 2^24) of an order.
    @inline(__always)
    package static func place(order: Int, part: Int) -> Int {
        order << 24 | part
    }

    /// Order and part of a place.
    package static func split(_ place: Int) -> (order: Int, part: Int) {
        (place >> 24, place & 0xFF_FFFF)
    }

    /// The part number of a line that was taken off its order; lines of an order have lower ones.
    static let voidedPart = 0x1000

    /// The part number of something on a line: a discount is 0, modifications count from 1.
    @inline(__always)
    package static func part(line: Int, entry: Int) -> Int {
        (line + 1) << 8 | entry
    }
}
