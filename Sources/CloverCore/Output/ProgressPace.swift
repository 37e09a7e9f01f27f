/// How fast something gets on: lately, so that it tells of now, and over all, from which the time left is guessed.
package struct ProgressPace: Sendable {
    private struct Sample {
        var at: Double
        var requests: Int
        var secondsWaited: Double
    }

    /// Seconds that count as lately.
    private static let span = 3.0

    private var samples: [Sample] = []
    private var begun: (at: Double, share: Double)?
    /// When more was last known to be done, and how much.
    private var latest: (at: Double, share: Double)?

    package init() {}

    /// - Parameter now: in seconds, on a clock that only goes forwards.
    package mutating func note(_ facts: ProgressFacts, at now: Double) {
        if facts.phase == .underWay {
            let share = facts.shareDone ?? 0
            if begun == nil { begun = (now, share) }
            if share > latest?.share ?? -1 { latest = (now, share) }
        }
        samples.append(Sample(at: now, requests: facts.requests, secondsWaited: facts.secondsWaited))
        while samples.count > 2, samples[1].at <= now - Self.span { samples.removeFirst() }
    }

    /// Requests a second; nil while there is too little to tell.
    var requestsPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.at - first.at >= 0.5 else { return nil }
        return Double(last.requests - first.requests) / (last.at - first.at)
    }

    /// Seconds that a request waited for the budget, at the mean.
    var wait: Double {
        guard let first = samples.first, let last = samples.last, last.requests > first.requests else { return 0 }
        return (last.secondsWaited - first.secondsWaited) / Double(last.requests - first.requests)
    }

    /// Seconds until everything is done when it goes on as before; nil when that cannot be known. What is done grows in
    /// steps, a page or a window each: in between, what was guessed at the last one runs down, and nothing is said any more
    /// when it turns out too short.
    func secondsLeft(_ facts: ProgressFacts) -> Double? {
        guard let begun, let latest, let last = samples.last, facts.phase == .underWay, latest.share < 1 else {
            return nil
        }
        let done = latest.share - begun.share
        let seconds = latest.at - begun.at
        guard done > 0, seconds >= 1 else { return nil }
        let left = seconds / done * (1 - latest.share) - (last.at - latest.at)
        return left > 0 ? left : nil
    }
}
