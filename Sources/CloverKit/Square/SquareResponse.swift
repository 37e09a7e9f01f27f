import CloverSquare

/// The response of the Square app, read from the callback URL that it opened.
///
/// Anybody can open a callback URL: it shows what its sender says, and Square's own records show what was paid.
///
/// ```swift
/// let response = try SquareResponse(callbackURL: address)
/// switch response.outcome {
/// case .paid: print("paid", response.state ?? "", response.transactionID ?? response.clientTransactionID ?? "")
/// case .cancelled, .failed: print("not paid", response.error?.message ?? "")
/// case .unknown: print("look into the Square app before you charge again")
/// }
/// ```
public struct SquareResponse: Sendable, Hashable {
    /// What the response shows.
    public let outcome: Outcome
    /// The id on Square's servers; nil if there was no payment, and for payments that are not uploaded yet.
    public let transactionID: String?
    /// The id that the device generated; nil if there was no payment.
    public let clientTransactionID: String?
    /// The state of the request, unchanged.
    public let state: String?
    /// The error that the app reported; nil for a payment.
    public let error: ReportedError?

    /// What a response shows.
    public enum Outcome: Sendable, Hashable {
        /// The app reports a payment.
        case paid
        /// The app reports that the payment was cancelled.
        case cancelled
        /// The app reports a known error, and no payment.
        case failed
        /// An unknown error, or one that comes with the id of a payment: money may have moved.
        case unknown
    }

    /// An error that the Square app reported.
    ///
    /// ```swift
    /// if let error = try SquareResponse(callbackURL: address).error {
    ///     print(error.number ?? 0, error.name, error.code, error.message, error.nextStep)
    /// }
    /// ```
    public struct ReportedError: Sendable, Hashable {
        /// The SDK's number; nil on Android, whose errors have none.
        public let number: Int?
        /// The SDK's name, such as `SCCAPIErrorCodePaymentCanceled`.
        public let name: String
        /// The app's own text, such as `payment_canceled`.
        public let code: String
        /// What happened.
        public let message: String
        /// What to do next.
        public let nextStep: String
    }

    /// Reads a callback URL.
    ///
    /// - Parameters:
    ///   - callbackURL: the URL, unchanged.
    ///   - platform: the platform of the request.
    ///   - rules: the SDK whose names of errors apply.
    /// - Throws: `SquareError` if the URL is not a response. It shows nothing about the payment.
    public init(
        callbackURL: String, platform: SquareRequest.Platform = .ios, rules: SquareRequest.Rules = .pointOfSale354
    ) throws(SquareError) {
        let response: any SquareOutcome
        switch platform.squarePlatform.outcome(of: callbackURL, profile: rules.profile) {
        case .success(let success): response = success
        case .failure(let failure): throw SquareError(failure)
        }
        // An empty id identifies no payment.
        transactionID = response.transactionID.flatMap { $0.isEmpty ? nil : $0.string }
        clientTransactionID = response.clientTransactionID.flatMap { $0.isEmpty ? nil : $0.string }
        state = response.state?.string
        error = response.reportedError.map(ReportedError.init)
        outcome = Outcome(response)
    }
}

extension SquareResponse.Outcome {
    fileprivate init(_ response: any SquareOutcome) {
        self =
            switch response.reportedError?.name {
            case _ where response.contradictsItself: .unknown
            case nil: .paid
            case "SCCAPIErrorCodePaymentCanceled", "ERROR_TRANSACTION_CANCELED": .cancelled
            case "SCCAPIErrorCodeUnknown", "UNKNOWN", "ERROR_UNEXPECTED", "ERROR_NO_RESULT": .unknown
            default: .failed
            }
    }
}

extension SquareResponse.ReportedError {
    fileprivate init(_ error: SquareReportedError) {
        number = error.number
        name = error.name
        code = error.wire.string
        message = error.message
        nextStep = error.remedy
    }
}
