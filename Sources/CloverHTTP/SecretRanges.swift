/// Places in text that must not be shown.
package enum SecretRanges {
    /// The ranges in order; those that meet are one.
    package static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        guard ranges.count > 1 else { return ranges }
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// The bytes with something else in place of each range.
    ///
    /// - Parameter ranges: in order and apart from each other.
    package static func replaced(
        _ ranges: [Range<Int>], in bytes: UnsafeRawBufferPointer, with replacement: (Range<Int>) -> [UInt8]
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16 * ranges.count)
        var next = 0
        for range in ranges {
            result += bytes[next..<range.lowerBound]
            result += replacement(range)
            next = range.upperBound
        }
        return result + bytes[next...]
    }
}
