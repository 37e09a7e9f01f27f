package import CloverPayments

/// The reader, if any, that can take a payment.
package enum PaymentReaderChoice: Sendable {
    /// No reader is known.
    case none
    /// A reader whose driver, named here, cannot take payments.
    case incapable(driver: String)
    case reader(any PaymentReader)
}
