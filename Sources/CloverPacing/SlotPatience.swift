/// When a request that waits for an in-flight slot looks for one.
///
/// Everybody who waits hears at the same moment that a slot came back. So that the one who has waited longest gets it,
/// each looks a little later the shorter it has waited: not a strict queue, but one that a stopped process cannot hold
/// up.
///
/// Looking without having heard anything is the net below that, with one exception: when a process dies, the kernel
/// reports the closing of its files a moment before it drops their locks, so that the first look after that word may
/// come too early. Looks are therefore close together after word, then ever rarer.
struct SlotPatience {
    private static let millisecond: Int64 = 1_000_000
    private static let shortest = millisecond
    private static let longest = 1000 * millisecond
    /// Between looks when the kernel has no listener to spare.
    private static let deaf = 20 * millisecond
    /// How long somebody who has just come leaves a slot to others.
    private static let politeness = 2 * millisecond
    /// Who has waited so long leaves it to nobody.
    private static let seniority = 1000 * millisecond

    private var next = Self.longest

    /// Word came of a slot.
    ///
    /// - Parameter waited: nanoseconds since the request came.
    /// - Returns: nanoseconds until it may look.
    mutating func heard(waited: Int64) -> Int64 {
        next = Self.shortest
        return Self.politeness(waited: waited)
    }

    /// Nanoseconds that somebody who has waited so many leaves to others.
    static func politeness(waited: Int64) -> Int64 {
        politeness * max(0, seniority - waited) / seniority
    }

    /// Nanoseconds until the next look after one that found nothing, if no word comes before.
    mutating func lookedInVain(isListening: Bool) -> Int64 {
        guard isListening else { return Self.deaf }
        defer { next = min(next * 4, Self.longest) }
        return next
    }

    /// Nanoseconds until the first look of a request that found others waiting.
    static var firstLook: Int64 { politeness }
}
