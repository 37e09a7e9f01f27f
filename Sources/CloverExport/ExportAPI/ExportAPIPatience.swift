/// How long the Export API is waited for. No clock and no service.
struct ExportAPIPatience: Sendable, Equatable {
    /// Waits are not longer at a time, in seconds: the clock may be set meanwhile, and the service may change its mind.
    private static let longestWait = 600.0
    /// A service that is busy, or not there, is waited for so long in all, in seconds.
    private static let mostInAll = 3600.0
    private static let longestPause = 300.0

    private var pauses = 0
    private var waited = 0.0

    /// The wait for the permitted hours, in seconds. Where our clock, which may be wrong, says that it is time already, the
    /// service is asked every minute.
    ///
    /// - Parameter opening: milliseconds since 1970, as `now`.
    static func pause(until opening: Int64, now: Int64) -> Double {
        let seconds = Double(opening - now) / 1000
        return seconds <= 0 ? 60 : min(seconds + 1, longestWait)
    }

    /// The next wait for a service that is busy; nil when it was waited for long or often enough.
    mutating func pause(mostPauses: Int = .max) -> Double? {
        guard waited < Self.mostInAll, pauses < mostPauses else { return nil }
        let seconds = min(Double(1 << min(pauses, 20)), Self.longestPause)
        pauses += 1
        waited += seconds
        return seconds
    }
}
