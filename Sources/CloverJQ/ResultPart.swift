internal import CloverRecords

/// The results of a worker for some records: output bytes and events, in order.
struct ResultPart: Sendable {
    enum Event: Sendable {
        case failure(RecordFailure)
        /// Output of `debug` and `stderr`.
        case message([UInt8])
    }

    private(set) var bytes: [UInt8] = []
    /// Each event with the number of bytes before it.
    private(set) var events: [(offset: Int, event: Event)] = []
    private(set) var results = 0
    private(set) var failures = 0
    private(set) var lastResult = FilterReport.LastResult.none
    /// Set if the program ended the run here.
    var halt: FilterReport.Halt?

    /// The approximate memory use in bytes.
    var size: Int { bytes.count + messageBytes }
    var isEmpty: Bool { bytes.isEmpty && events.isEmpty && results == 0 && halt == nil }

    private var messageBytes = 0

    mutating func append(_ event: Event) {
        switch event {
        case .failure(let failure):
            failures += 1
            messageBytes += failure.message.utf8.count
        case .message(let message):
            messageBytes += message.count
        }
        events.append((bytes.count, event))
    }

    /// Adds one result, whose bytes `write` appends.
    mutating func appendResult(isTruthy: Bool, _ write: (inout [UInt8]) -> Void) {
        write(&bytes)
        results += 1
        lastResult = isTruthy ? .truthy : .falsy
    }
}
