/// How a payment went that the Square app was asked for, on either platform.
package protocol SquareOutcome: Sendable {
    /// The id on Square's servers; nil where there is none, or none yet.
    var transactionID: SquareText? { get }
    /// The id that the device made.
    var clientTransactionID: SquareText? { get }
    /// The state of the request, unchanged.
    var state: SquareText? { get }
    /// `{"domain","number","name","wire","message","remedy"}`; nil for a success.
    var errorJSON: SquareJSON? { get }
}

extension SquareOutcome {
    package var isSuccess: Bool { errorJSON == nil }
}

extension SquareResponse: SquareOutcome {
    package var errorJSON: SquareJSON? { error?.json }
}

extension SquareAndroidResponse: SquareOutcome {
    package var errorJSON: SquareJSON? { error?.json }
}

extension SquarePlatform {
    /// Reads a callback URL of this platform. Web pages on iOS get what apps get.
    package func outcome(
        of url: String, profile: SquareProfile
    ) -> Result<any SquareOutcome, SquareFailure> {
        Result { () throws(SquareFailure) -> any SquareOutcome in
            switch self {
            case .ios, .iosWeb: try SquareResponse(url: url, profile: profile)
            case .androidWeb: try SquareAndroidResponse(url: url, profile: profile)
            }
        }
    }
}
