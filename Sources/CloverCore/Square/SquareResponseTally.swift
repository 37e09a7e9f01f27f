import CloverSquare

/// How the responses of one run ended.
struct SquareResponseTally {
    private var count = 0
    private var notPaid = 0
    private var notResponse = 0
    /// That of the last URL.
    private var last: SquareError?

    mutating func add(_ result: Result<any SquareOutcome, SquareFailure>, isOfAndroid: Bool) {
        count += 1
        last = Self.error(of: result, isOfAndroid: isOfAndroid)
        switch last {
        case .notResponse: notResponse += 1
        case .notPaid: notPaid += 1
        default: break
        }
    }

    /// nil when every URL told of a payment.
    var error: SquareError? {
        switch count {
        case 0: .noResponseGiven
        case 1: last
        default:
            notPaid + notResponse == 0
                ? nil : .responsesFailed(notPaid: notPaid, notResponse: notResponse, of: count)
        }
    }

    /// What one response means for the command; nil for a payment.
    static func error(
        of result: Result<any SquareOutcome, SquareFailure>, isOfAndroid: Bool = false
    ) -> SquareError? {
        switch result {
        case .failure(let failure): .notResponse(failure, isOfAndroid: isOfAndroid)
        case .success(let outcome): SquareReportedError(outcome).map { .notPaid($0) }
        }
    }
}
