/// An amount in the minor unit of the merchant's currency: 1999 is 19.99 USD.
///
/// ```swift
/// let price: Money = 1999
/// let tip = Money(minorUnits: price.minorUnits / 5)
/// print(tip < price, tip.minorUnits)
/// ```
public struct Money: FilterValue, Comparable, Codable, ExpressibleByIntegerLiteral {
    /// The amount in minor units, such as cents.
    public var minorUnits: Int64

    /// - Parameter minorUnits: the amount in minor units, such as cents.
    public init(minorUnits: Int64) { self.minorUnits = minorUnits }

    /// - Parameter value: the amount in minor units, such as cents.
    public init(integerLiteral value: Int64) { minorUnits = value }

    public init?(json: JSONValue) {
        guard let number = Int64(json: json) else { return nil }
        minorUnits = number
    }

    public init(from decoder: any Decoder) throws {
        minorUnits = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(minorUnits)
    }

    public var json: JSONValue { .integer(minorUnits) }
    public var filterText: String { "\(minorUnits)" }

    public static func < (left: Money, right: Money) -> Bool { left.minorUnits < right.minorUnits }
}
