/// The parts of a request as a user writes them: the keys of a request line.
package enum SquareRequestField: String, CaseIterable, Sendable, Hashable {
    case clientID = "clientId"
    case amount
    case currency
    case callbackURL = "callbackUrl"
    case state
    case notes
    case locationID = "locationId"
    case customerID = "customerId"
    case tenders
    case clearDefaultFees
    case autoReturn
    case disableKeyedIn
    case skipReceipt
}
