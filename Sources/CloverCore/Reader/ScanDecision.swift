import CloverReaders

/// Decides what of a discovery is told. Pure: sightings in, decisions out.
struct ScanDecision: Sendable {
    enum Answer: Sendable, Equatable {
        case pass
        case tell
        /// Tell it, and that was the last.
        case tellLast
    }

    let wish: ReaderWish
    /// How many different readers are wanted; nil for all.
    let count: Int?
    /// Whether changes of a reader that was told are told too.
    let tellsUpdates: Bool
    private var told: [String: Reader] = [:]
    private var othersSeen: Set<String> = []

    init(wish: ReaderWish, count: Int?, tellsUpdates: Bool) {
        self.wish = wish
        self.count = count
        self.tellsUpdates = tellsUpdates
    }

    /// Readers that were told.
    var readers: Int { told.count }
    /// Readers that were seen, and not asked for.
    var others: Int { othersSeen.count }

    mutating func take(_ sighting: ReaderSighting) -> Answer {
        let reader = sighting.reader
        let key = "\(reader.transport) \(reader.id)"
        // One that is connected does not advertise itself, and is there all the same.
        guard sighting.isLive || reader.connected else { return .pass }
        guard wish.accepts(reader) || told[key] != nil && tellsUpdates else {
            if told[key] == nil { othersSeen.insert(key) }
            return .pass
        }
        othersSeen.remove(key)
        if told[key] != nil, !tellsUpdates || told[key] == reader { return .pass }
        told[key] = reader
        return count.map { told.count >= $0 } == true ? .tellLast : .tell
    }
}
