/// What the Square app sends back to the callback URL.
package struct SquareResponse: Sendable {
    /// The id on Square's servers. nil for a failure, for offline payments, and perhaps for cash and other tenders.
    package let transactionID: SquareText?
    /// The id that the device made. nil for a failure, and where the app sent none.
    package let clientTransactionID: SquareText?
    /// The state of the request, unchanged, on success and on failure; nil where it had none.
    package let state: SquareText?
    /// Why there was no payment; nil for a success.
    package let error: SquareAPIError?

    private enum Status {
        static let ok: SquareText = "ok"
        static let error: SquareText = "error"
    }

    /// Reads a callback URL as the SDK does. Scheme, host and mark are not looked at, and unknown keys are ignored; ids
    /// and state of another type than text count as absent.
    ///
    /// - Throws: a failure with one of the codes 8 to 11, in this order: no readable `data` item, no JSON object in it,
    ///   no usable `status`, an error without `error_code`.
    package init(url: String, profile: SquareProfile) throws(SquareFailure) {
        guard let item = QueryItems.value(of: SquareHandOff.dataItem, in: URLParts(url).query) else {
            throw SquareFailure(.missingOrInvalidResponseData, profile: profile)
        }
        guard let data = SquareJSONParser.value(of: Array(item.string.utf8), dialect: .apple), case .object = data
        else {
            throw SquareFailure(.missingOrInvalidResponseJSONData, profile: profile)
        }
        state = data["state"]?.text
        switch data["status"]?.text {
        case Status.ok:
            error = nil
            transactionID = data["transaction_id"]?.text
            clientTransactionID = data["client_transaction_id"]?.text
        case Status.error:
            guard let wire = data["error_code"]?.text, !wire.isEmpty else {
                throw SquareFailure(.missingOrInvalidResponseErrorCode, profile: profile)
            }
            error = SquareAPIError(wire: wire, profile: profile)
            transactionID = nil
            clientTransactionID = nil
        default: throw SquareFailure(.missingOrInvalidResponseStatus, profile: profile)
        }
    }
}

extension SquareResponse: Hashable {
    /// As the SDK compares: success, state, error and the device's id. The id of Square's servers does not count.
    package static func == (left: SquareResponse, right: SquareResponse) -> Bool {
        left.isSuccess == right.isSuccess && left.state == right.state && left.error == right.error
            && left.clientTransactionID == right.clientTransactionID
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(error)
        hasher.combine(clientTransactionID)
    }
}
