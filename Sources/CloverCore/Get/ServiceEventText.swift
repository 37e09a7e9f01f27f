import CloverAPI
import CloverHTTP
import CloverRateLimit
import CloverSystem

/// Texts of service events, for `--verbose`.
package enum ServiceEventText {
    /// The text of an event; nil for one that only `--debug` shows.
    static func describe(_ event: ServiceEvent) -> String? {
        switch event {
        case .admitted, .refused: nil
        case .retry(let reason, let url, let seconds):
            "trying again in \(rounded(seconds)) s: \(describe(reason)): \(url)"
        case .paused(let limit, let url, let seconds):
            "the service limits requests (\(limit)); all requests wait \(rounded(seconds)) s: \(url)"
        case .waited(let seconds):
            "waited \(rounded(seconds)) s for the shared budget"
        }
    }

    static func describe(_ reason: ServiceEvent.Reason) -> String {
        switch reason {
        case .status(let status): "status \(status)"
        case .connection(let error): TransferTranscript.words(for: error)
        case .unreadable(let text): text
        }
    }

    /// A duration for people: `12.34 s`, `59 min`, `23 h 59 min`.
    package static func span(_ seconds: Double) -> String {
        guard seconds >= 120, let minutes = Int(exactly: (seconds / 60).rounded(.down)) else {
            return "\(rounded(seconds)) s"
        }
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    package static func rounded(_ seconds: Double) -> String {
        guard let hundredths = Int(exactly: (seconds * 100).rounded()) else { return "\(seconds)" }
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}

/// Texts of ledger notices.
enum LedgerNoticeText {
    /// A warning that is always shown; nil for a notice that is not one.
    static func problem(_ notice: LedgerNotice) -> String? {
        switch notice {
        case .setAside(let path, let place, let reason):
            "the rate ledger \(path) was unusable (\(reason.rawValue)) and was moved to \(place); the budget counts as used up for a second"
        case .missing(let path):
            "the rate ledger \(path) is missing; the budget counts as used up for a second"
        case .databaseAway(let address, let message):
            "waiting for the database that counts requests, \(address): \(message)"
        case .waitingForTurn(let path, let holder):
            "waiting: \(holder?.description ?? "another process") keeps \(path) locked"
        case .slotsKept(let client, true, _):
            "waiting: \(Self.keeper(client, isStopped: true)); to resume it, run 'kill -CONT \(client.pid)'; to end it, "
                + "run 'kill -KILL \(client.pid)'"
        case .slotsKept, .waitingForSlot, .waitingForPause, .databaseForgot, .databaseBack: nil
        }
    }

    /// A detail for `--verbose`; nil for a notice that is not one.
    static func detail(_ notice: LedgerNotice) -> String? {
        switch notice {
        case .waitingForSlot(let limit, let scope):
            "waiting: \(limit) requests of this \(scope.rawValue) are in flight"
        case .waitingForPause(let seconds, let cause):
            "waiting \(ServiceEventText.rounded(seconds)) s: the service limits requests (\(cause))"
        case .slotsKept(let client, false, let seconds):
            "waiting: \(Self.keeper(client, isStopped: false)) for \(ServiceEventText.rounded(seconds)) s"
        case .databaseForgot(let address):
            "\(address) has no count of these requests yet, or lost it; the budget counts as used up for a second"
        case .slotsKept, .setAside, .missing, .waitingForTurn, .databaseAway, .databaseBack: nil
        }
    }

    /// The process whose requests in flight make others wait.
    static func keeper(_ client: LedgerClient, isStopped: Bool) -> String {
        let command = client.command.isEmpty ? "" : " (clover \(client.command))"
        return "process \(client.pid)\(command)\(isStopped ? " is stopped and" : "") has requests in flight"
    }
}
