/// What a user asks for, before any rule was applied. nil is "not given", which is not the same as empty text.
package struct SquareRequestDraft: Sendable, Hashable {
    /// A part that was given in a form nothing can be made of, such as a number where text belongs.
    package struct Fault: Sendable, Hashable {
        /// nil when it is the whole line.
        package let field: SquareRequestField?
        /// For the message: what is wrong, without the value.
        package let reason: String
    }

    /// The application id of Square's developer console.
    package var clientID: SquareText?
    /// In the currency's smallest unit.
    package var amount: Int?
    package var currency: SquareText?
    package var callbackURL: SquareText?
    /// Comes back unchanged with the response.
    package var state: SquareText?
    package var notes: SquareText?
    /// The location that must be logged in to the app; the SDKs before 3.1 call it merchant id.
    package var locationID: SquareText?
    package var customerID: SquareText?
    package var tenders = SquareTenderSet.all
    package var clearDefaultFees = false
    package var autoReturn = false
    package var disableKeyedIn = false
    package var skipReceipt = false
    /// Where the browser goes when there is no Square app; on Android's web only.
    package var fallbackURL: SquareText?
    /// A faulty part counts as not given. Where a code of the SDK fits that, it is reported, in the SDK's order; other
    /// faults come before every check.
    package var faults: [Fault] = []

    package init() {}

    /// Takes note that a part was given in a form nothing can be made of.
    ///
    /// - Parameter reason: for the message: what is wrong, without the value.
    package mutating func refuse(_ field: SquareRequestField, _ reason: String) {
        faults.append(Fault(field: field, reason: reason))
    }
}
