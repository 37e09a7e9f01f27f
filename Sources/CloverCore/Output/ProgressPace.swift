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
    private var begun: (at: Double, done: Int)?

    package init() {}

    /// - Parameter now: in seconds, on a clock that only goes forwards.
    package mutating func note(_ facts: ProgressFacts, at now: Double) {
        if begun == nil, facts.phase == .underWay { begun = (now, facts.done) }
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

    /// Seconds until everything is done when it goes on as before; nil when that cannot be known.
    func secondsLeft(_ facts: ProgressFacts) -> Double? {
        guard let begun, let last = samples.last, let total = facts.total, facts.phase == .underWay else { return nil }
        let done = facts.done - begun.done
        let seconds = last.at - begun.at
        guard done > 0, seconds >= 1, total > facts.done else { return nil }
        return seconds / Double(done) * Double(total - facts.done)
    }
}
