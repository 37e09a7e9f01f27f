import CloverRecords
import GRDB

/// Payments that another company's app is asked for. What becomes of them is known when the app answers, and nobody can
/// be asked before.
extension ChargeJournal {
    /// Writes a hand-off down, and that it has left: whoever has its URL may carry it out from now on.
    ///
    /// - Parameters:
    ///   - state: the text that the app sends back, and by which the hand-off is found again.
    ///   - place: where the request goes, without what it says.
    ///   - body: what the request says.
    ///   - amount: nil when its currency is none that is known here.
    ///   - location: the location at the other company; empty when the request names none.
    ///   - now: milliseconds since 1970.
    /// - Returns: its id.
    package func addHandOff(
        state: String, place: String, body: String, amount: Money?, location: String, now: Int64
    ) async throws -> String {
        let id = OperationIdentifier.make(.charge, now: now)
        let operation = PaymentOperation(
            id: id, kind: .charge, rail: .square, environment: Rail.square.rawValue, merchantID: location,
            // Nothing is sent under it, but every row has one.
            idempotencyKey: id, externalID: state, amount: amount, request: OperationRequest(path: place, body: body),
            now: now)
        // The lock that comes with it would only keep others from recovering it, which nobody does.
        _ = try await add(operation)
        _ = try await advance(id, to: .sent, now: now)
        return id
    }

    /// The hand-off with this state: the newest of those that wait for an answer, else the newest.
    package func handOff(state: String) async throws -> PaymentOperation? {
        try await read { database in
            try Self.fetch(
                database,
                """
                rail = 'square' AND external_id = ?
                ORDER BY state IN ('created', 'sent', 'unknown') DESC, place DESC LIMIT 1
                """, [state]
            ).first
        }
    }
}
