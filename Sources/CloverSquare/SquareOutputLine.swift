/// Output lines for requests and responses: compact JSON without a line break, with fixed keys in a fixed order.
package enum SquareOutputLine {
    /// `{"id","ok":true,"url","data"}` or `{"id","ok":false,"error"}`.
    package static func request(id: SquareJSON, _ result: Result<SquareHandOff, SquareFailure>) -> String {
        var members: [SquareJSON.Member] = [.init("id", id)]
        switch result {
        case .success(let handOff):
            members.append(.init("ok", .boolean(true)))
            members.append(.init("url", .string(SquareText(handOff.url))))
            members.append(.init("data", handOff.data))
        case .failure(let failure):
            members.append(.init("ok", .boolean(false)))
            members.append(.init("error", failure.json))
        }
        return SquareJSON.object(members).written()
    }

    /// `{"url","ok":true,"success","transactionId","clientTransactionId","state","error"}` or
    /// `{"url","ok":false,"error"}`; absent values are null.
    ///
    /// - Parameter isSquareResponse: value of this key, added at the end if the mark was requested; null if the rules have no
    ///   mark.
    package static func response(
        url: String, _ result: Result<any SquareOutcome, SquareFailure>, isSquareResponse: SquareJSON? = nil
    ) -> String {
        var members: [SquareJSON.Member] = [.init("url", .string(SquareText(url)))]
        switch result {
        case .success(let response):
            members.append(.init("ok", .boolean(true)))
            members.append(.init("success", .boolean(response.isSuccess)))
            members.append(.init("transactionId", SquareJSON(response.transactionID)))
            members.append(.init("clientTransactionId", SquareJSON(response.clientTransactionID)))
            members.append(.init("state", SquareJSON(response.state)))
            members.append(.init("error", response.errorJSON ?? .null))
        case .failure(let failure):
            members.append(.init("ok", .boolean(false)))
            members.append(.init("error", failure.json))
        }
        if let isSquareResponse { members.append(.init("isSquareResponse", isSquareResponse)) }
        return SquareJSON.object(members).written()
    }
}
