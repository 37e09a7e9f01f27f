package import CloverRecords

/// An exact amount of money: an integer of the currency's smallest unit, never a fraction.
package struct Money: Sendable, Hashable {
    /// In the smallest unit: cents of a dollar, yen.
    package var minorUnits: Int64
    package var currency: Currency

    package init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// The major unit with all decimals of the currency, such as `12.50`.
    package var majorText: String {
        let digits = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, currency.decimals + 1 - digits.count)) + digits
        let sign = minorUnits < 0 ? "-" : ""
        guard currency.decimals > 0 else { return sign + padded }
        return sign + padded.dropLast(currency.decimals) + "." + padded.suffix(currency.decimals)
    }
}

extension Money {
    /// As a person reads it: `$12.50`, or `12.50 SEK` where several countries use the sign alike.
    package var signedText: String {
        guard let sign = currency.sign else { return description }
        return minorUnits < 0 ? "-" + sign + majorText.dropFirst() : sign + majorText
    }
}

extension Money: CustomStringConvertible {
    /// Such as `12.50 USD`.
    package var description: String { "\(majorText) \(currency.code)" }
}
