/// What a run about money tells on the way.
package enum ChargeEvent: Sendable {
    /// Written down, nothing sent.
    case created(PaymentOperation)
    /// From here on it may be carried out. `isAgain`: the answer to the first try was lost; the same key is used.
    case sent(PaymentOperation, isAgain: Bool)
    /// A word of the reader or device, as it came.
    case progress(PaymentOperation, String)
    /// It is being cancelled on the device.
    case cancelling(PaymentOperation)
    /// What became of it: the state is final, or `unknown`.
    case settled(PaymentOperation)
    /// Somebody else works on it, so that nothing was done.
    case skipped(PaymentOperation)
}
