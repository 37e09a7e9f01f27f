import CloverAuth
import CloverPayments
import CloverSquare

/// Requests that are handed to the Square app, in the journal of charges.
enum SquareJournal {
    /// Writes requests down, all at once.
    ///
    /// - Returns: for each its id, and that of an older one with the same state that waits for its answer.
    static func add(
        _ requests: [(handOff: SquareHandOff, draft: SquareRequestDraft)], in environment: CommandEnvironment
    ) async throws -> [(id: String, rival: HandOffRival?)] {
        guard !requests.isEmpty else { return [] }
        let journal = try await environment.chargeJournal()
        return try await journal.add(requests.map { row($0.handOff, $0.draft) }, now: environment.clock.wall())
    }

    private static func row(_ request: SquareHandOff, _ draft: SquareRequestDraft) -> HandOff {
        var row = HandOff(
            state: draft.state?.string, place: String(request.url.prefix { $0 != "?" && $0 != ";" }),
            body: request.data.written(), location: draft.locationID?.string ?? "")
        guard let amount = draft.amount, let code = draft.currency?.string else { return row }
        do throws(AmountError) {
            row.amount = Money(minorUnits: Int64(amount), currency: try AmountText.currency(code))
        } catch {
            // The SDK sends any code.
            row.plainAmount = PlainAmount(minorUnits: Int64(amount), currencyCode: code)
        }
        return row
    }
}
