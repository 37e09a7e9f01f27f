/// How a span of time becomes exports.
package enum ExportAPIPlan {
    /// The longest time of an export, in milliseconds: 30 days (Clover: exporting merchant data).
    package static let longest: Int64 = 30 * 86_400_000

    /// Pieces of at most 30 days, the oldest first; each begins where the one before ends.
    package static func pieces(from: Int64, to: Int64) -> [Range<Int64>] {
        stride(from: from, to: to, by: Int64.Stride(longest)).map { $0..<min($0 + longest, to) }
    }
}
