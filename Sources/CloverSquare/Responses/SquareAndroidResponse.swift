/// What the Square app on Android sends back to a web page: items of the query, each by its full name.
package struct SquareAndroidResponse: Sendable, Hashable {
    /// Absent offline and for cash.
    package let transactionID: SquareText?
    package let clientTransactionID: SquareText?
    /// The state of the request; absent also when the app gave no result at all.
    package let state: SquareText?
    package let error: SquareAndroidError?

    /// An error code decides; without one, an id of the transaction is a success.
    ///
    /// - Throws: `.missingOrInvalidResponseData` when there is neither.
    package init(url: String, profile: SquareProfile) throws(SquareFailure) {
        let query = URLParts(url).query
        func item(_ name: String) -> SquareText? {
            QueryItems.value(of: SquareText(SquareHandOff.androidPrefix + name), in: query)
        }
        state = item("REQUEST_METADATA")
        if let wire = item("ERROR_CODE") {
            error = SquareAndroidError(wire: wire, appDescription: item("ERROR_DESCRIPTION"))
            transactionID = nil
            clientTransactionID = nil
            return
        }
        error = nil
        transactionID = item("SERVER_TRANSACTION_ID")
        clientTransactionID = item("CLIENT_TRANSACTION_ID")
        guard transactionID != nil || clientTransactionID != nil else {
            throw SquareFailure(
                .missingOrInvalidResponseData, profile: profile, platform: .androidWeb,
                message: "the URL has neither an id of a transaction nor an error code of the Square app on Android")
        }
    }
}
