/// `/emulator/churn`: what churn has done, how often it does something, and changes on demand.
extension ChurnDesk {
    /// - Parameter query: `changes=N` makes changes before the answer, `rate=R` sets how many are made a second from then on,
    ///   0 for none.
    func answer(_ method: String, _ query: QueryString) -> Answer {
        switch method {
        case "GET": return Answer(status: 200, json: report)
        case "POST": break
        default: return Answer(.methodNotAllowed(["GET", "POST"]))
        }
        if let text = query.values("rate").last {
            guard let rate = Double(text), (0...Self.highestRate).contains(rate) else {
                return Answer(.badRequest("rate must be from 0 to \(Int(Self.highestRate))"))
            }
            setRate(rate)
        }
        if let text = query.values("changes").last {
            guard let count = Int(text), (0...Self.mostChanges).contains(count) else {
                return Answer(.badRequest("changes must be from 0 to \(Self.mostChanges)"))
            }
            change(times: count)
        }
        return Answer(status: 200, json: report)
    }
}
