import CloverPacing
import CloverStorage

/// What the ledger has to say, in words.
enum LedgerNoticeText {
    /// Something is wrong with the ledger: said always.
    static func problem(_ notice: LedgerNotice) -> String? {
        switch notice {
        case .setAside(let path, let place, let reason):
            "the rate ledger \(path) was unusable (\(reason.rawValue)) and is now \(place); the budget counts as used up for a second"
        case .missing(let path):
            "the rate ledger \(path) is gone; the budget counts as used up for a second"
        case .waitingForTurn(let path, let holder):
            "waiting for \(holder?.description ?? "somebody") who keeps \(path) locked"
        case .slotsKept(let party, true, _):
            "waiting: \(Self.keeper(party, isStopped: true)); let it go on with 'kill -CONT \(party.pid)', or end it with "
                + "'kill -KILL \(party.pid)'"
        case .slotsKept, .waitingForSlot, .waitingForPause: nil
        }
    }

    /// What the ledger does on the way, for `--verbose`.
    static func detail(_ notice: LedgerNotice) -> String? {
        switch notice {
        case .waitingForSlot(let limit, let scope):
            "waiting: \(limit) requests of this \(scope.rawValue) are under way"
        case .waitingForPause(let seconds, let cause):
            "waiting \(ServiceEventText.rounded(seconds)) s: the service limits us (\(cause))"
        case .slotsKept(let party, false, let seconds):
            "waiting: \(Self.keeper(party, isStopped: false)) for \(ServiceEventText.rounded(seconds)) s"
        case .slotsKept, .setAside, .missing, .waitingForTurn: nil
        }
    }

    /// Who keeps requests under way, so that others have to wait.
    static func keeper(_ party: LedgerParty, isStopped: Bool) -> String {
        let command = party.command.isEmpty ? "" : " (clover \(party.command))"
        return "process \(party.pid)\(command)\(isStopped ? " was stopped and" : "") keeps requests under way"
    }
}
