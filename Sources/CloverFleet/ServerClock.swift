package import CloverRateLimit

/// The server's clock as this machine sees it, so that a request leaves at a time that the server chose, and not when
/// its response arrives. Pure: it is given all times.
///
/// Each response has the server's time, which was read between sending and receiving; half of that span bounds the error.
/// The sample with the smallest error is kept, and counts less as it gets older, because the two clocks drift.
package struct ServerClock: Equatable, Sendable {
    /// Nanoseconds to add to this machine's time; nil before the first sample.
    private(set) var offset: Int64?
    private var sampleError: Int64 = 0
    private var sampledAt = BootInstant.boot
    /// The shortest round trip, in nanoseconds.
    package private(set) var shortestTrip = Int64.max

    /// Largest error with which requests may leave: two of them, and the lateness of a request, fit into the limiter's
    /// margin.
    package static let tolerance = SlidingWindowLimiter.margin / 3
    /// Nanoseconds beyond the error that a time must be off before the server's clock counts as set.
    static let jump: Int64 = 100_000_000
    /// Nanoseconds of drift that are assumed for each second.
    private static let drift: Int64 = 100_000

    package init() {}

    /// Learns from one response.
    ///
    /// - Returns: whether the server's clock was set since the last sample.
    package mutating func observe(server: Int64, sent: BootInstant, received: BootInstant) -> Bool {
        let trip = received.nanoseconds(since: sent)
        let measured = server - sent.nanoseconds - trip / 2
        guard let offset else {
            keep(measured, error: trip / 2, at: received)
            shortestTrip = trip
            return false
        }
        shortestTrip = min(shortestTrip, trip)
        let known = error(at: received)
        guard abs(measured - offset) <= trip / 2 + known + Self.jump else {
            keep(measured, error: trip / 2, at: received)
            return true
        }
        if trip / 2 <= known { keep(measured, error: trip / 2, at: received) }
        return false
    }

    /// Bound of the error in nanoseconds.
    package func error(at now: BootInstant) -> Int64 {
        guard offset != nil else { return .max }
        return sampleError + now.nanoseconds(since: sampledAt) / 1_000_000_000 * Self.drift
    }

    package func local(_ server: Int64) -> BootInstant { BootInstant(nanoseconds: server - (offset ?? 0)) }
    package func server(_ local: BootInstant) -> Int64 { local.nanoseconds + (offset ?? 0) }

    private mutating func keep(_ measured: Int64, error: Int64, at now: BootInstant) {
        offset = measured
        sampleError = error
        sampledAt = now
    }
}

/// How far ahead of the server's clock requests are granted, so that the response is back by then. Pure.
///
/// A lead beyond `longest` would defeat itself: a request that has its token's time and waits longer than the limiter's margin
/// for the app's gives up its slot and grant of the app, and begins anew with a grant that lies as far ahead.
package struct GrantLead: Equatable, Sendable {
    /// Nanoseconds.
    package static let shortest: Int64 = 1_000_000
    package static let longest = SlidingWindowLimiter.margin / 2
    private var length = shortest

    package init() {}

    /// A request woke too late for its time.
    package mutating func wasTooShort() { length = min(2 * length, Self.longest) }

    /// The lead of the next request, in nanoseconds.
    ///
    /// - Parameter trip: the shortest round trip.
    package mutating func next(trip: Int64) -> Int64 {
        let usual = Self.shortest + min(trip, Self.longest - Self.shortest)
        length = max(length - length / 16, usual)
        return length
    }
}
