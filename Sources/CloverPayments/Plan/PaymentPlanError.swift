package import CloverOutput

/// Why an operation was refused, before anything was recorded or sent.
package enum PaymentPlanError: Error, Equatable, Sendable {
    /// No rail was named.
    case railMissing
    /// Several rails were named.
    case railsConflict
    /// The amount is outside the rail's range.
    case amountOutOfRange(Money, PaymentRail)
    /// The tip, or the tax included in the amount, is out of range.
    case partOutOfRange(name: String, Money)
    /// Only a sale takes a tip at once; the other types take it later.
    case tipOnAdjustable(ChargeType)
    /// A capture on the Ecommerce API takes no tip, so a pre-authorization there cannot have one.
    case tipOnHold
    /// An ecommerce charge cannot be adjusted later.
    case adjustableEcommerce
    /// The region has no Ecommerce API.
    case noEcommerce(environment: String)
    case tooLong(option: String, limit: Int)
    /// The option does not apply to this rail.
    case optionNotOnRail(option: String, PaymentRail)
    /// Metadata must have the form name=value.
    case malformedMetadata
    /// The same metadata name was given twice.
    case repeatedMetadata(name: String)
    /// The device timeout is out of range.
    case timeoutOutOfRange(limit: Int)
    /// The source looks like a card number.
    case cardNumberAsSource
    /// A key or ID with characters that a header cannot carry.
    case malformedKey(option: String)
    /// Not an address of a device.
    case malformedDeviceAddress
    /// The merchant has no device with this serial number.
    case foreignDevice(serial: String, merchantID: String, environment: String)
    /// A device charges only in the currency of its merchant, which is another one.
    case otherCurrency(Currency, merchantID: String, merchantCurrency: String)
    /// The reader's driver cannot read cards. `driver` is its name; nil if there is no reader.
    case readerCannotCharge(driver: String?)
    /// The rail has no such operation.
    case notOnRail(OperationKind, PaymentRail, id: String = "ID")
    /// The charge was handed off to another company's app: Clover does not know it.
    case handedOff(id: String)
    /// The state of the charge does not allow it.
    case wrongState(OperationKind, id: String, state: OperationState)
    /// No payment ID of the charge is known: a person settled it as paid without one.
    case paymentUnknown(OperationKind, id: String)
    /// The type of the charge does not allow it.
    case wrongType(OperationKind, id: String, ChargeType)
    /// An operation of the same kind was already carried out.
    case alreadyDone(OperationKind, id: String)
    /// A part of the charge was refunded, so that it cannot be voided.
    case partlyRefunded(id: String)
    /// The charge has to be captured first.
    case notCaptured(OperationKind, id: String)
    /// An earlier operation on the charge is not settled, so the remaining amount is unknown.
    case unsettled(OperationKind, id: String, pending: String)
    /// More than the remainder of the charge.
    case exceedsRest(OperationKind, id: String, rest: Money)
    /// How much can still be refunded is not known.
    case restUnknown(id: String, reason: String, RestObstacle)
    /// A receipt needs an email address or a phone number.
    case receiptWithoutAddress
    /// The charge belongs to another merchant or environment.
    case otherMerchant(id: String, merchantID: String, environment: String)
    /// The key was used for another operation, which has this ID.
    case keyInUse(id: String)
    /// The key was used for such an operation on the payment that the charge had before a person corrected it.
    case keyOfFormerPayment(OperationKind, id: String, charge: String, payment: String)
    /// No operation has this ID.
    case unknownOperation(String)
    /// A response proves another outcome than the one entered by hand.
    case settledBefore(id: String, state: OperationState)
    /// Payments of a page are shown that took money; the findings are clauses.
    case shownAsPaid(id: String, [String])
    /// The payment belongs to another charge in the journal.
    case paymentOfAnother(id: String, payment: String, other: String)
    /// Clover shows the payment with another amount or currency than those of the operation.
    case paymentDiffers(id: String, payment: String, PaymentDifference)
    /// Clover shows the payment in this state, in which it is not paid.
    case paymentUnpaid(id: String, payment: String, state: String)
    /// Clover has no such payment.
    case paymentMissing(id: String, payment: String)
    /// The plan or subscription that a person names could not be looked up.
    case itemUnchecked(id: String, noun: String, reason: String)
    /// The plan or subscription must be named.
    case itemUnnamed(id: String, noun: String)
    /// Only the payment of a charge may be of another amount than was asked for.
    case amountNotConfirmed(id: String)
    /// It was never sent, so it cannot have been carried out.
    case neverSent(id: String)
    /// Another process is working on it.
    case inUseByProcess(id: String)
    /// Not a valid name of a person.
    case malformedPerson
    /// The ID is that of a capture, refund or other follow-up.
    case notCharge(String, OperationKind)
}

/// Why it is not known how much of a charge can still be refunded.
package enum RestObstacle: Sendable {
    /// Clover's record does not show it.
    case unshown
    /// The service could not be asked.
    case unavailable
    case signInRefused
}
