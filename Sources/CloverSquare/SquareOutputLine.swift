/// Output lines for requests and responses: compact JSON without a line break, with fixed keys in a fixed order.
package enum SquareOutputLine {
    /// `{"id","ok":true,"url","data"}` or `{"id","ok":false,"error"}`.
    package static func request(id: SquareJSON, _ result: Result<SquareHandOff, SquareFailure>) -> String {
        let members: [(SquareText, SquareJSON)] =
            switch result {
            case .success(let handOff): [("ok", .boolean(true)), ("url", .text(handOff.url)), ("data", handOff.data)]
            case .failure(let failure): [("ok", .boolean(false)), ("error", failure.json)]
            }
        return SquareJSON.record([("id", id)] + members).written()
    }

    /// `{"url","ok":true,"success","transactionId","clientTransactionId","state","error"}` or
    /// `{"url","ok":false,"error"}`; absent values are null.
    ///
    /// - Parameter isSquareResponse: value of this key, added at the end if the mark was requested; null if the rules have no
    ///   mark.
    package static func response(
        url: String, _ result: Result<any SquareOutcome, SquareFailure>, isSquareResponse: SquareJSON? = nil
    ) -> String {
        var members: [(SquareText, SquareJSON)] = [("url", .text(url))]
        switch result {
        case .success(let response):
            members += [
                ("ok", .boolean(true)), ("success", .boolean(response.isSuccess)),
                ("transactionId", SquareJSON(response.transactionID)),
                ("clientTransactionId", SquareJSON(response.clientTransactionID)),
                ("state", SquareJSON(response.state)), ("error", response.reportedError?.json ?? .null),
            ]
        case .failure(let failure): members += [("ok", .boolean(false)), ("error", failure.json)]
        }
        if let isSquareResponse { members.append(("isSquareResponse", isSquareResponse)) }
        return SquareJSON.record(members).written()
    }
}
