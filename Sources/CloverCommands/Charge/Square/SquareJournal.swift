import CloverAuth
import CloverCore
import CloverPayments
import CloverSquare

/// Records hand-offs to the Square app in the charge journal.
enum SquareJournal {
    /// Records one request, and reports an older one that its response may be meant for. Call it before the request is shown.
    static func record(
        _ handOff: SquareHandOff, _ draft: SquareRequestDraft, in environment: CommandEnvironment
    ) async throws {
        let diagnostics = environment.diagnostics
        for row in try await add([(handOff, draft)], in: environment) {
            diagnostics.detail("recorded as \(row.id)")
            guard let rival = row.rival else { continue }
            let consequence =
                rival.isSameRequest
                ? "is the same request and has no response yet: the next response settles the newer of the two"
                : "has the same state and no response yet, so a response alone settles neither of the two"
            diagnostics.notice(
                "\(rival.id) \(consequence); if the older one gets no response: clover charge square settle "
                    + "\(rival.id) --not-paid")
        }
    }

    /// Records requests in one transaction.
    ///
    /// - Returns: for each request, its id and an older hand-off with the same state that has no response yet.
    static func add(
        _ requests: [(handOff: SquareHandOff, draft: SquareRequestDraft)], in environment: CommandEnvironment
    ) async throws -> [(id: String, rival: ConflictingHandOff?)] {
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
            // The SDK sends unknown currency codes as well.
            row.plainAmount = RawAmount(minorUnits: Int64(amount), currencyCode: code)
        }
        return row
    }
}
