import CloverOutput

/// An amount in the minor unit of the merchant's currency: 1999 is 19.99 USD.
///
/// ```swift
/// let price: Money = 1999
/// let tip = Money(minorUnits: price.minorUnits / 5)
/// print(tip < price, tip.minorUnits, price.text(in: "USD"))
/// ```
public struct Money: FilterValue, Comparable, Codable, ExpressibleByIntegerLiteral {
    /// The amount in minor units, such as cents.
    public var minorUnits: Int64

    /// - Parameter minorUnits: the amount in minor units, such as cents.
    public init(minorUnits: Int64) { self.minorUnits = minorUnits }

    /// - Parameter value: the amount in minor units, such as cents.
    public init(integerLiteral value: Int64) { minorUnits = value }

    /// The number of decimals of a currency: 2 for `USD`, 0 for `JPY`.
    ///
    /// ```swift
    /// print(Money.decimals(of: "KWD") ?? 0)
    /// ```
    ///
    /// - Parameter currency: ISO 4217 code, in upper or lower case.
    /// - Returns: nil for a code that ISO 4217 does not list.
    public static func decimals(of currency: String) -> Int? {
        do throws(RecordFormatError) {
            return try Currency(code: currency).decimals
        } catch {
            return nil
        }
    }

    /// The amount with its currency, such as `19.99 USD`.
    ///
    /// ```swift
    /// let currency = try await shop.properties().defaultCurrency ?? ""
    /// for payment in try await shop.payments.limit(5).all() { print(payment.amount?.text(in: currency) ?? "") }
    /// ```
    ///
    /// - Parameter currency: ISO 4217 code, in upper or lower case. With a code that ISO 4217 does not list, the number is that of
    ///   minor units.
    public func text(in currency: String) -> String {
        let decimals = Self.decimals(of: currency) ?? 0
        let digits = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let number = decimals > 0 ? "\(padded.dropLast(decimals)).\(padded.suffix(decimals))" : padded
        return (minorUnits < 0 ? "-" : "") + number + (currency.isEmpty ? "" : " \(currency.uppercased())")
    }

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

extension Money: CustomStringConvertible {
    /// The number of minor units, such as `1999`: an amount does not know its currency. See `text(in:)`.
    public var description: String { "\(minorUnits)" }
}
