package import CloverCallback
package import CloverSquare

/// What can go wrong in handing a payment to the Square app and in reading its answer.
package enum SquareError: Error, Sendable {
    /// No request can be made of what was given.
    case request(SquareFailure)
    /// Of a batch of requests some could not be made; each has its error in the output.
    case requestsFailed(Int, of: Int)
    /// A tender that the profile has no word for.
    case unknownTender(String, known: [String])
    /// The rules have one version of the interface only, or the version is empty.
    case apiVersionRefused(SquareRules)
    /// The desktop opens no app for the request.
    case cannotOpen(BrowserError, SquareFailure)
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
    /// The answer did not come within so many seconds.
    case noAnswer(seconds: Double)
}

/// An error that the Square app reported.
package struct SquareReportedError: Sendable, Equatable {
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
        name = text("name")
        wire = text("wire")
        message = text("message")
        remedy = text("remedy")
    }
}
