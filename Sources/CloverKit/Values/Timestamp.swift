public import FoundationEssentials

/// An instant, in milliseconds since 1970-01-01T00:00:00Z.
///
/// ```swift
/// import Foundation
///
/// let hourAgo = Timestamp(Date.now.addingTimeInterval(-3600))
/// for try await order in shop.orders.filter(\.createdTime >= hourAgo) {
///     print(order.createdTime?.date ?? .now, order.createdTime?.milliseconds ?? 0)
/// }
/// ```
public struct Timestamp: FilterValue, Comparable, Codable {
    /// Milliseconds since 1970, UTC.
    public var milliseconds: Int64

    /// - Parameter milliseconds: milliseconds since 1970, UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The instant of a date, rounded down to milliseconds.
    public init(_ date: Date) { milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) }

    public init?(json: JSONValue) {
        guard let number = Int64(json: json) else { return nil }
        milliseconds = number
    }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// The instant as a date.
    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
    public var json: JSONValue { .integer(milliseconds) }
    public var filterText: String { "\(milliseconds)" }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
