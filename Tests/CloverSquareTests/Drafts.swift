import CloverSquare

/// A request in which nothing is missing and nothing optional is given.
func plainDraft(_ change: (inout SquareRequestDraft) -> Void = { _ in }) -> SquareRequestDraft {
    var draft = SquareRequestDraft()
    draft.clientID = "sq0idp-app"
    draft.amount = 1250
    draft.currency = "USD"
    draft.callbackURL = "corner-cafe://paid"
    change(&draft)
    return draft
}

/// A request in which everything is given.
func fullDraft(_ change: (inout SquareRequestDraft) -> Void = { _ in }) -> SquareRequestDraft {
    plainDraft { draft in
        draft.state = "table-9"
        draft.notes = "flat white"
        draft.locationID = "L-77"
        draft.customerID = "C-12"
        draft.tenders = .init([.card, .cash])
        draft.clearDefaultFees = true
        draft.autoReturn = true
        draft.disableKeyedIn = true
        draft.skipReceipt = true
        change(&draft)
    }
}

/// The code of the failure that a body throws; nil when it throws none.
func failureCode(_ body: () throws(SquareFailure) -> Void) -> Int? {
    do {
        try body()
        return nil
    } catch {
        return error.code.rawValue
    }
}

/// The code with which a draft is refused; nil when it is not.
func refusal(of draft: SquareRequestDraft, _ profile: SquareProfile, _ platform: SquarePlatform = .ios) -> Int? {
    failureCode { () throws(SquareFailure) in
        _ = try SquareRequest(draft, profile: profile, platform: platform).handOff()
    }
}
