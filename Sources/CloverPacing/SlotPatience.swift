/// When a request that waits for an in-flight slot looks for one.
///
/// Everybody who waits hears at the same moment that a slot came back. So that the one who has waited longest gets it,
/// each leaves a moment to every one who came before: not a strict queue, but one that a stopped process cannot hold up.
/// The first leaves one too, because a busy service may count a request as over a little later than we do.
///
/// Looking without having heard anything is the net below that, with one exception: when a process dies, the kernel
/// reports the closing of its files a moment before it drops their locks, so that the first look after that word may
/// come too early. Looks are therefore close together after word, then ever rarer.
struct SlotPatience {
    private static let millisecond: Int64 = 1_000_000
    private static let shortest = millisecond
    /// Whoever goes before may have been stopped without a word meanwhile.
    private static let longest = 250 * millisecond
    /// Between looks when the kernel has no listener to spare.
    private static let deaf = 20 * millisecond
    /// How long a slot is left to each one who goes before.
    private static let politeness = millisecond
    /// More than so many are not counted.
    static let mostElders = 16

    private var next = Self.longest

    /// Word came of a slot.
    ///
    /// - Parameter elders: how many go before.
    /// - Returns: nanoseconds until it may look.
    mutating func heard(elders: Int) -> Int64 {
        next = Self.shortest
        return Self.firstLook + Self.politeness(elders: elders)
    }

    /// Nanoseconds that are left to so many who go before.
    static func politeness(elders: Int) -> Int64 { politeness * Int64(min(elders, mostElders)) }

    /// Nanoseconds until the next look after one that found nothing, if no word comes before.
    mutating func lookedInVain(isListening: Bool) -> Int64 {
        guard isListening else { return Self.deaf }
        defer { next = min(next * 4, Self.longest) }
        return next
    }

    /// Nanoseconds until the first look of a request that found others waiting.
    static var firstLook: Int64 { 2 * politeness }
}
