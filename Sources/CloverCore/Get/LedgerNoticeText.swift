import CloverPacing
import CloverStorage

/// What the ledger has to say, in words.
enum LedgerNoticeText {
    /// Something is wrong with the ledger: said always.
    static func problem(_ notice: LedgerNotice) -> String? {
        switch notice {
        case .setAside(let path, let place, let reason):
            "the rate ledger \(path) was unusable (\(reason.rawValue)) and is now \(place); starting with an empty budget"
        case .missing(let path):
            "the rate ledger \(path) is gone; starting with an empty budget"
        case .waitingForTurn(let path, let holder):
            "waiting for \(holder?.description ?? "somebody") who keeps \(path) locked"
        case .waitingForSlot, .waitingForPause: nil
        }
    }

    /// What the ledger does on the way, for `--verbose`.
    static func detail(_ notice: LedgerNotice) -> String? {
        switch notice {
        case .waitingForSlot(let limit, let scope):
            "waiting: \(limit) requests of this \(scope.rawValue) are under way"
        case .waitingForPause(let seconds, let cause):
            "waiting \(ServiceEventText.rounded(seconds)) s: the service limits us (\(cause))"
        case .setAside, .missing, .waitingForTurn: nil
        }
    }
}
