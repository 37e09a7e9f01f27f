import CloverAPI
import CloverHTTP

/// Service events in words, for `--verbose`.
enum ServiceEventText {
    /// Nil for what only `--debug` shows.
    static func describe(_ event: ServiceEvent) -> String? {
        switch event {
        case .admitted, .refused: nil
        case .retry(let reason, let url, let seconds):
            "trying again in \(rounded(seconds)) s: \(describe(reason)): \(url)"
        case .paused(let limit, let url, let seconds):
            "the service limits us (\(limit)); everybody waits \(pause(seconds)): \(url)"
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

    /// How long a pause is that the service asked for.
    static func pause(_ seconds: Double) -> String {
        seconds < RetryPolicy.longestNamedPause ? "\(rounded(seconds)) s" : "a day, which is the longest pause"
    }

    /// How long it is until something, as people say it: `12.34 s`, `59 min`, `23 h 59 min`.
    static func span(_ seconds: Double) -> String {
        guard seconds >= 120, let minutes = Int(exactly: (seconds / 60).rounded(.down)) else {
            return "\(rounded(seconds)) s"
        }
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    static func rounded(_ seconds: Double) -> String {
        guard let hundredths = Int(exactly: (seconds * 100).rounded()) else { return "\(seconds)" }
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
