/// The checks of a request, each by itself; ``SquareRequest`` puts them in order.
struct SquareRequestRules {
    /// Android's SDK refuses longer notes.
    private static let mostNoteUnitsOnAndroid = 500
    /// Fields whose absence has a code of the SDK.
    private static let required: Set<SquareRequestField> = [.clientID, .amount, .currency, .callbackURL]

    let draft: SquareRequestDraft
    let profile: SquareProfile
    let platform: SquarePlatform

    func checkInput() throws(SquareFailure) {
        let fault = draft.faults.first { fault in fault.field.map { !Self.required.contains($0) } ?? true }
        guard let fault else { return }
        throw failure(.unknown, message(of: fault))
    }

    /// nil when no amount was given.
    func money() throws(SquareFailure) -> SquareMoney? {
        guard let amount = draft.amount else { return nil }
        guard let currency = draft.currency else { throw failure(.missingCurrencyCode, fault(of: .currency)) }
        return try SquareMoney(amount: amount, currencyCode: currency, profile: profile)
    }

    func clientID() throws(SquareFailure) -> SquareText {
        guard let clientID = draft.clientID, !clientID.isEmpty else {
            throw failure(.missingRequestClientID, fault(of: .clientID))
        }
        return clientID
    }

    func acceptable(_ money: SquareMoney?) throws(SquareFailure) -> SquareMoney {
        guard let money else { throw failure(.invalidRequestAmount, fault(of: .amount) ?? "the request has no amount") }
        switch platform {
        case .ios, .iosWeb:
            guard money.amount >= profile.leastAmount else {
                throw failure(
                    .invalidRequestAmount,
                    "the amount is \(money.amount), and \(profile.rawValue) takes \(profile.leastAmount) and more")
            }
        case .androidWeb:
            guard (0...Int(Int32.max)).contains(money.amount) else {
                throw failure(
                    .invalidRequestAmount, "the amount is \(money.amount), and Android takes 0 to \(Int32.max)")
            }
        }
        return money
    }

    func callbackURL() throws(SquareFailure) -> SquareText {
        guard let callback = draft.callbackURL else {
            throw failure(.invalidRequestCallbackURL, fault(of: .callbackURL) ?? "the request has no callback URL")
        }
        if let byte = URLParts.firstIllegalByte(in: callback.string) {
            let escape = byte < 0x80 ? PercentEncoding.encoded(String(Unicode.Scalar(byte))) : "the %XX of its bytes"
            throw failure(
                .invalidRequestCallbackURL, "the callback URL holds a character that must be written as \(escape)")
        }
        guard URLParts(callback.string).scheme != nil else {
            throw failure(.invalidRequestCallbackURL, "the callback URL has no scheme")
        }
        return callback
    }

    func checkPlatform() throws(SquareFailure) {
        guard platform == .androidWeb else { return }
        if SquareHandOff.androidTenders(draft.tenders, profile: profile).isEmpty {
            throw failure(.unknown, "no tender is allowed, and Android asks for one at least")
        }
        if let notes = draft.notes, notes.unitCount > Self.mostNoteUnitsOnAndroid {
            throw failure(
                .unknown, "the notes are \(notes.unitCount) UTF-16 units long, and Android takes 500 at most")
        }
    }

    private func fault(of field: SquareRequestField) -> String? {
        draft.faults.first { $0.field == field }.map(message(of:))
    }

    private func message(of fault: SquareRequestDraft.Fault) -> String {
        fault.field.map { "\($0.rawValue) \(fault.reason)" } ?? fault.reason
    }

    private func failure(_ code: SquareErrorCode, _ message: String?) -> SquareFailure {
        SquareFailure(code, profile: profile, platform: platform, message: message)
    }
}
