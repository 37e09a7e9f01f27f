import CloverAPI

/// Service events in words, for `--verbose`.
enum ServiceEventText {
    /// Nil for what only `--debug` shows.
    static func describe(_ event: ServiceEvent) -> String? {
        switch event {
        case .admitted, .refused: nil
        case .retry(let reason, let url, let seconds):
            "trying again in \(rounded(seconds)) s: \(describe(reason)): \(url)"
        case .paused(let limit, let url, let seconds):
            "the service limits us (\(limit)); everybody waits \(rounded(seconds)) s: \(url)"
        case .waited(let seconds):
            "waited \(rounded(seconds)) s for the shared budget"
        }
    }

    private static func describe(_ reason: ServiceEvent.Reason) -> String {
        switch reason {
        case .status(let status): "status \(status)"
        case .connection(let error): TransferTranscript.words(for: error)
        case .unreadable(let text): text
        }
    }

    static func rounded(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
