import CloverAuth
import CloverReaders

/// Where the sightings of all drivers come together.
actor ScanDesk {
    private var decision: ScanDecision
    private let known: Set<String>
    private let clock: TokenClock
    private let onReader: @Sendable (FoundReader) async throws -> Void
    private(set) var isEnough = false

    init(
        _ decision: ScanDecision, known: Set<String>, clock: TokenClock,
        onReader: @escaping @Sendable (FoundReader) async throws -> Void
    ) {
        self.decision = decision
        self.known = known
        self.clock = clock
        self.onReader = onReader
    }

    var count: Int { decision.readers }
    var others: Int { decision.others }

    /// Returns whether the driver should go on.
    func take(_ sighting: ReaderSighting) async throws -> Bool {
        guard !isEnough else { return false }
        let answer = decision.take(sighting)
        if answer == .pass { return true }
        // Before the line is written, so that no other driver writes another one meanwhile.
        if answer == .tellLast { isEnough = true }
        let reader = sighting.reader
        try await onReader(
            FoundReader(
                reader: reader, wasConnected: known.contains(KnownReaders.key(reader)), seenAt: clock.wall()))
        return !isEnough
    }

    /// Nothing is told any more.
    func close() {
        isEnough = true
    }
}
