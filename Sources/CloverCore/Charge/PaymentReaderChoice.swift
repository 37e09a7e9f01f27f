package import CloverPayments

/// What there is to take a payment with.
package enum PaymentReaderChoice: Sendable {
    /// No reader is known.
    case none
    /// A reader whose driver cannot read cards; the driver's name.
    case incapable(driver: String)
    case reader(any PaymentReader)
}
