package import CloverCallback
package import CloverPayments
package import CloverSquare

/// Errors of payments with the Square app.
package enum SquareError: Error, Sendable {
    /// The input does not make a valid request.
    case request(SquareFailure)
    /// Some requests of a batch could not be made; the output has the error of each.
    case requestsFailed(Int, of: Int)
    /// An amount in major units of a currency that is not in ISO 4217.
    case decimalsUnknown(currency: String)
    /// A tender that the profile does not know.
    case unknownTender(String, known: [String])
    /// `all` together with other tenders.
    case allAmongTenders
    /// The rules have only one API version, or the given version is empty.
    case apiVersionRefused(SquareRules)
    /// The desktop opens no app for the request.
    case cannotOpen(BrowserError, SquareFailure)
    /// `--qr` cannot draw the code.
    case notDrawn(TerminalQRCode.Obstacle)
    /// Neither the arguments nor standard input contain a URL.
    case noResponseGiven
    /// The URL is not a response of the Square app; `isOfAndroid`: it looks like one of the app on Android, which is not the
    /// selected platform.
    case notResponse(SquareFailure, isOfAndroid: Bool)
    /// The Square app reports that there was no payment, and why.
    case notPaid(SquareReportedError)
    /// The Square app reports an error that does not show whether there was a payment.
    case outcomeUnknown(SquareReportedError)
    /// The Square app reports a payment that no request in the journal is waiting for.
    case unmatched
    /// Several URLs, not all of which report an expected payment.
    case responsesFailed(SquareResponseFailures, of: Int)
    /// `--bind` without a valid address.
    case malformedAddress(String)
    /// A public URL that is not a valid http or https URL.
    case malformedPublicURL(String)
    /// The listener cannot open its port.
    case cannotListen(address: String, CallbackError)
    /// The charge in the journal is not a hand-off to the Square app.
    case notHandOff(id: String)
    /// The response has another state than the named hand-off.
    case otherState(id: String)
    /// The hand-off already has another outcome, which stands.
    case settledBefore(id: String, OperationState)
    /// The hand-off was paid by another payment than the named one.
    case paidOtherwise(id: String)
    /// The named payment already settled this other hand-off.
    case transactionElsewhere(id: String)
    /// The response did not arrive within this number of seconds.
    case noAnswer(seconds: Double)
}

/// Numbers of URLs that do not report an expected payment.
package struct SquareResponseFailures: Sendable, Equatable {
    package var notPaid = 0
    package var notResponse = 0
    package var unknown = 0
    package var unmatched = 0
}

/// An error that the Square app reported.
package struct SquareReportedError: Sendable, Equatable {
    package let domain: String
    /// Nil on Android, whose errors have no numbers.
    package let number: Int?
    /// The SDK's name of the error.
    package let name: String
    /// The app's name of the error in the response.
    package let wire: String
    package let message: String
    package let remedy: String

    /// Nil for a success.
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
