/// What is taxed, and the tax, for each of the shop's three tax rates. A value without heap memory, because one is made
/// for every order.
package struct TaxAmounts: Sendable {
    /// Cents a rate applies to.
    package var taxable = (0, 0, 0)
    /// Cents of tax.
    package var tax = (0, 0, 0)

    package init() {}

    /// All tax in cents.
    package var total: Int { tax.0 + tax.1 + tax.2 }

    package func taxable(_ rate: Int) -> Int {
        rate == 0 ? taxable.0 : rate == 1 ? taxable.1 : taxable.2
    }

    package func tax(_ rate: Int) -> Int {
        rate == 0 ? tax.0 : rate == 1 ? tax.1 : tax.2
    }

    package mutating func add(_ cents: Int, toRate rate: Int) {
        switch rate {
        case 0: taxable.0 += cents
        case 1: taxable.1 += cents
        default: taxable.2 += cents
        }
    }

    /// Computes the tax of each rate, rounded half up to a cent. 10,000,000 is 100 % (live sandbox notes).
    package mutating func compute(rates: (Int, Int, Int)) {
        tax.0 = (taxable.0 * rates.0 + 5_000_000) / 10_000_000
        tax.1 = (taxable.1 * rates.1 + 5_000_000) / 10_000_000
        tax.2 = (taxable.2 * rates.2 + 5_000_000) / 10_000_000
    }
}
