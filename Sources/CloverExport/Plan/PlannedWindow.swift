import CloverAPI
package import CloverRecords

/// One part of an export, which becomes one file: the records whose `field` is from one instant up to, and not
/// including, another; milliseconds since 1970.
package struct PlannedWindow: Sendable, Equatable, Codable {
    /// Nil for a resource that is taken whole.
    package var field: String?
    /// Nil for a resource that is taken whole.
    package var from: Int64?
    /// The end; of a resource that is taken whole, when it was.
    package var to: Int64

    package init(field: String?, from: Int64?, to: Int64) {
        self.field = field
        self.from = from
        self.to = to
    }

    /// The longest window there may be.
    package static let longest = TimeWindows.longest

    /// Windows of the same length, the oldest first and the last one as long as it comes out. They begin at `from`, so
    /// that those of two runs over the same beginning are the same but for the last.
    ///
    /// - Parameter length: milliseconds, greater than zero.
    package static func split(field: String, from: Int64, to: Int64, length: Int64) -> [PlannedWindow] {
        stride(from: from, to: to, by: Int64.Stride(length)).map {
            PlannedWindow(field: field, from: $0, to: min($0 + length, to))
        }
    }

    /// Windows of so many dates by the clocks of a zone, from midnight to midnight, whatever hours the days have; the first
    /// and the last as long as they come out.
    package static func split(
        field: String, from: Int64, to: Int64, days: Int, in zone: TimeZoneRules
    ) -> [PlannedWindow] {
        var windows: [PlannedWindow] = []
        var start = from
        while start < to {
            let end = min(BusinessDay.midnight(after: Int64(days), from: start, in: zone), to)
            windows.append(PlannedWindow(field: field, from: start, to: end))
            start = end
        }
        return windows
    }
}
