package import CloverRecords

/// What a rail cannot do, found before anything was written or sent.
package enum PlanRefusal: Error, Equatable, Sendable {
    /// Not one of the rails was named, or several were.
    case railMissing
    case railsConflict
    /// Outside of what the rail takes.
    case amountOutOfRange(Money, Rail)
    /// The tip, or the tax inside the amount, is more than that.
    case partOutOfRange(name: String, Money)
    /// A tip belongs to a sale: to the others it comes later.
    case tipOnAdjustable(ChargeType)
    /// A capture at the Ecommerce API takes no tip, so that a pre-authorization there has none.
    case tipOnHold
    /// What an ecommerce charge cannot be: adjustable later.
    case adjustableEcommerce
    /// There is no Ecommerce API in this region.
    case noEcommerce(environment: String)
    case tooLong(option: String, limit: Int)
    /// The option means nothing on this rail.
    case optionNotOnRail(option: String, Rail)
    /// Metadata is written as name=value.
    case malformedMetadata
    /// One name of metadata was given twice, with what may be two values.
    case repeatedMetadata(name: String)
    /// Seconds that the device's timeout cannot be.
    case timeoutOutOfRange(limit: Int)
    /// What was given as a source looks like a card number.
    case cardNumberAsSource
    /// A key or id with characters that no header takes.
    case malformedKey(option: String)
    /// An address of a device that is none.
    case malformedDeviceAddress
    /// The merchant has no device with this serial number.
    case foreignDevice(serial: String, merchantID: String, environment: String)
    /// A device charges in its merchant's currency, which is another one.
    case otherCurrency(Currency, merchantID: String, merchantCurrency: String)
    /// The reader has no driver that can read cards; the driver's name, nil when there is no reader at all.
    case readerCannotCharge(driver: String?)
    /// The rail has no such operation.
    case notOnRail(OperationKind, Rail)
    /// The charge was handed to another company's app: Clover knows nothing of it.
    case handedOff(id: String)
    /// The charge is in no state for it.
    case wrongState(OperationKind, id: String, state: OperationState)
    /// The type of the charge does not allow it.
    case wrongType(OperationKind, id: String, ChargeType)
    /// An operation of the same kind is done already.
    case alreadyDone(OperationKind, id: String)
    /// A capture has to come first.
    case notCaptured(OperationKind, id: String)
    /// An earlier operation on the charge is not settled, so that nobody knows what is left.
    case unsettled(OperationKind, id: String, pending: String)
    /// More than is left of the charge.
    case exceedsRest(OperationKind, id: String, rest: Money)
    /// A receipt goes to an address or number.
    case receiptWithoutAddress
    /// The charge belongs to another merchant or environment.
    case otherMerchant(id: String, merchantID: String, environment: String)
    /// The key was used for something else; the operation that has it.
    case keyInUse(id: String)
    /// No operation has this id.
    case unknownOperation(String)
    /// An answer tells of another end than a person does.
    case settledBefore(id: String, state: OperationState)
    /// It cannot have been carried out.
    case neverSent(id: String)
    /// Another process works on it now.
    case workedOn(id: String)
    /// A name of a person that none can be.
    case malformedPerson
    /// The id is that of a capture, refund or the like.
    case notCharge(String, OperationKind)
}
