import CloverAuth
import CloverPayments
import CloverRecords
import CloverSquare

/// Requests that are handed to the Square app, in the journal of charges.
enum SquareJournal {
    /// Writes a request down, when it has a state.
    static func add(
        _ handOff: SquareHandOff, _ draft: SquareRequestDraft, in environment: CommandEnvironment
    ) async throws {
        guard let state = draft.state?.string, !state.isEmpty else {
            environment.diagnostics.detail("not written down, because without --state no answer belongs to it")
            return
        }
        let journal = try await environment.chargeJournal()
        if let earlier = try await journal.handOff(state: state), !earlier.state.isFinal {
            environment.diagnostics.notice(
                "\(earlier.id) has the same state and no answer yet: the next answer settles the newer one")
        }
        let id = try await journal.addHandOff(
            state: state, place: String(handOff.url.prefix { $0 != "?" && $0 != ";" }), body: handOff.data.written(),
            amount: money(draft), location: draft.locationID?.string ?? "", now: environment.clock.wall())
        environment.diagnostics.detail("written down as \(id)")
    }

    /// nil for a currency that is not of ISO 4217: the SDK sends any.
    private static func money(_ draft: SquareRequestDraft) -> Money? {
        guard let amount = draft.amount, let code = draft.currency?.string else { return nil }
        do throws(AmountError) {
            return Money(minorUnits: Int64(amount), currency: try AmountText.currency(code))
        } catch {
            return nil
        }
    }
}
