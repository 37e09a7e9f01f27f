package import CloverCallback
package import CloverPayments
package import CloverSquare

/// What can go wrong in handing a payment to the Square app and in reading its answer.
package enum SquareError: Error, Sendable {
    /// No request can be made of what was given.
    case request(SquareFailure)
    /// Of a batch of requests some could not be made; each has its error in the output.
    case requestsFailed(Int, of: Int)
    /// An amount in major units of a currency that is none of ISO 4217.
    case decimalsUnknown(currency: String)
    /// A tender that the profile has no word for.
    case unknownTender(String, known: [String])
    /// `all` beside other tenders.
    case allAmongTenders
    /// The rules have one version of the interface only, or the version is empty.
    case apiVersionRefused(SquareRules)
    /// The desktop opens no app for the request.
    case cannotOpen(BrowserError, SquareFailure)
    /// `--qr` cannot be done.
    case notDrawn(TerminalQRCode.Obstacle)
    /// Neither an argument nor standard input held a URL.
    case noResponseGiven
    /// The URL is no response of the Square app; `isOfAndroid`: it is one of the app on Android, which was not asked for.
    case notResponse(SquareFailure, isOfAndroid: Bool)
    /// The Square app says that there was no payment, and why.
    case notPaid(SquareReportedError)
    /// Of several URLs, so many tell of no payment, and so many are no response.
    case responsesFailed(notPaid: Int, notResponse: Int, of: Int)
    /// `--bind` with what is no address.
    case malformedAddress(String)
    /// What should be the address of a page on the web is none.
    case malformedPublicURL(String)
    /// The listener has no port.
    case cannotListen(address: String, CallbackError)
    /// The charge of the journal is none that was handed to the Square app.
    case notHandOff(id: String)
    /// The answer has another state than the hand-off that was named for it.
    case otherState(id: String)
    /// The hand-off has another end, which stays.
    case settledBefore(id: String, OperationState)
    /// The hand-off was paid by another payment than the one that was named.
    case paidOtherwise(id: String)
    /// The payment that was named settled this other hand-off.
    case transactionElsewhere(id: String)
    /// The answer did not come within so many seconds.
    case noAnswer(seconds: Double)
}

/// An error that the Square app reported.
package struct SquareReportedError: Sendable, Equatable {
    package let domain: String
    /// nil on Android, whose errors have none.
    package let number: Int?
    /// The SDK's name of it.
    package let name: String
    /// The app's text for it.
    package let wire: String
    package let message: String
    package let remedy: String

    /// nil for a success.
    init?(_ outcome: any SquareOutcome) {
        guard let json = outcome.errorJSON else { return nil }
        func text(_ name: SquareText) -> String { json[name]?.text?.string ?? "" }
        domain = text("domain")
        number = json["number"]?.wholeNumber
        name = text("name")
        wire = text("wire")
        message = text("message")
        remedy = text("remedy")
    }
}
