/// The end of the day: what was taken by card is settled.
extension MoneyDesk {
    /// Closes every payment that was captured; what is only held stays open. Tips can be changed no longer, and a void
    /// becomes a refund.
    package mutating func closeOut() -> Answer {
        var closed = 0
        for id in view.state.money.documents(.devicePayment).compactMap(\.id) {
            guard var facts = document(.devicePayment, id), facts["isClosedOut"]?.boolean != true,
                let payment = document(.payment, id), payment["result"]?.text == "SUCCESS"
            else { continue }
            facts.set("isClosedOut", .boolean(true))
            put(.devicePayment, id, facts)
            changePayment(id) { payment in
                guard var card = payment["cardTransaction"] else { return }
                card.set("state", .string("CLOSED"))
                payment.set("cardTransaction", card)
            }
            closed += 1
        }
        return Answer(status: 200, json: .object([("closed", .integer(closed))]))
    }
}
