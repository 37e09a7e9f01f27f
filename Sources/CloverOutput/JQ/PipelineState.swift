import CloverJSON

/// The state shared by the threads and tasks of one filter, as plain data; `Pipeline` holds the lock.
struct PipelineState: Sendable {
    enum Stop: Sendable {
        case halted
        case failed(any Error)
        case cancelled
    }

    /// The results of one slice until they are written. Slots are in stream order.
    private struct Slot: Sendable {
        var parts: [ResultPart] = []
        var isFinal = false
    }

    /// The maximum number of queued bytes, of records and results, before `consume` suspends: a few slices per worker,
    /// so that none is idle, and no more, because queued data takes memory.
    private var queueLimit: Int { min(max(1, threadsStarted) * Self.bytesPerWorker, Self.maximumQueuedBytes) }
    private static let bytesPerWorker = 256 << 10
    private static let maximumQueuedBytes = 2 << 20
    /// The maximum number of queued slices, which matters for tiny batches.
    static let sliceLimit = 256

    private(set) var queue: [RecordSlice] = []
    private(set) var stop: Stop?
    private(set) var report = FilterReport()
    var isCompiled = false
    var isInputClosed = false
    /// The task that writes results has ended.
    var isWritingDone = false
    var threadsStarted = 0
    var threadsEnded = 0
    /// Tasks to wake at the next change.
    var waiting: [CheckedContinuation<Void, Never>] = []

    private let isSequential: Bool
    private var slots: [Slot] = []
    private var firstSlot = 0
    private var recordCount = 0
    private var recordBytes = 0
    private var resultBytes = 0
    /// Queued result bytes of the first slot. While there are none, its worker is never blocked.
    private var firstSlotBytes = 0
    /// The first slot in which the program is known to have halted.
    private var haltedSlot: Int?

    /// - Parameter isSequential: puts all results into one slot, which stays open to the end.
    init(isSequential: Bool) {
        self.isSequential = isSequential
        if isSequential { slots = [Slot()] }
    }

    /// True if another batch must wait. Large records may exceed the limit while workers have nothing to do.
    var isFull: Bool {
        let waiting = recordBytes + resultBytes
        return waiting > (queue.isEmpty ? Self.maximumQueuedBytes : queueLimit) || queue.count > Self.sliceLimit
    }

    /// The program has ended the run, although earlier results may still be pending.
    var isHalting: Bool { haltedSlot != nil }

    mutating func stop(_ reason: Stop) {
        guard stop == nil else { return }
        stop = reason
        queue = []
        slots = []
    }

    // MARK: Records

    mutating func enqueue(_ batch: RecordBatch, sliceSize: Int) {
        for var slice in RecordSlice.cut(batch, size: sliceSize, firstIndex: recordCount) {
            if !isSequential {
                slice.sequence = firstSlot + slots.count
                slots.append(Slot())
            }
            recordBytes += slice.size
            queue.append(slice)
        }
        recordCount += batch.records.count
    }

    /// The next slice for a worker; `.some(nil)` if there will be none, nil if it must wait.
    mutating func takeSlice() -> RecordSlice?? {
        if stop != nil || isHalting { return .some(nil) }
        if !queue.isEmpty { return queue.removeFirst() }
        return isInputClosed ? .some(nil) : nil
    }

    /// The slice's records are no longer needed.
    mutating func release(_ slice: RecordSlice) {
        recordBytes -= slice.size
    }

    // MARK: Results

    /// Adds a worker's part: true if it was taken, false if the run is over, nil if there is no room.
    mutating func add(_ part: ResultPart, to sequence: Int, isFinal: Bool) -> Bool? {
        if stop != nil { return false }
        let index = sequence - firstSlot
        guard slots.indices.contains(index) else { return false }
        // The final part of a slot is always taken: it is small, and its worker has nothing else to do.
        let hasRoom = resultBytes + part.size <= queueLimit || (index == 0 && firstSlotBytes == 0)
        guard hasRoom || isFinal else { return nil }
        if let haltedSlot, sequence > haltedSlot { return false }
        if !part.isEmpty {
            slots[index].parts.append(part)
            resultBytes += part.size
            if index == 0 { firstSlotBytes += part.size }
        }
        slots[index].isFinal = isFinal
        if part.halt != nil { haltedSlot = sequence }
        return true
    }

    /// The results that can be written now; `.some([])` if all is done, nil if the writing task must wait.
    mutating func takeResults() -> [ResultPart]? {
        if stop != nil { return [] }
        var ready: [ResultPart] = []
        while let slot = slots.first {
            ready += slot.parts
            if slot.parts.contains(where: { $0.halt != nil }) {
                count(ready)
                stop(.halted)
                return ready
            }
            slots[0].parts = []
            firstSlotBytes = 0
            guard slot.isFinal else { break }
            slots.removeFirst()
            firstSlot += 1
            firstSlotBytes = slots.first?.parts.reduce(0) { $0 + $1.size } ?? 0
        }
        if ready.isEmpty { return isInputClosed && slots.isEmpty && queue.isEmpty ? [] : nil }
        count(ready)
        return ready
    }

    /// Results were written and no longer take memory.
    mutating func releaseResults(size: Int) {
        resultBytes -= size
    }

    private mutating func count(_ parts: [ResultPart]) {
        for part in parts {
            report.results += part.results
            report.failures += part.failures
            if part.results > 0 { report.lastResult = part.lastResult }
            if let halt = part.halt { report.halt = halt }
        }
    }
}

/// Consecutive records of one batch, processed by one worker.
struct RecordSlice: Sendable {
    /// Shared with the other slices of the batch.
    let batch: RecordBatch
    /// Indices in `batch.records`.
    let records: Range<Int>
    /// The index in the stream of the first record.
    let firstIndex: Int
    /// The slot of its results.
    var sequence = 0

    /// The size of the records in bytes, including newlines.
    var size: Int {
        guard let first = records.first, let last = records.last else { return 0 }
        return batch.records[last].range.upperBound + 1 - batch.records[first].range.lowerBound
    }

    /// Divides a batch into slices of about `size` bytes, each with at least one record.
    static func cut(_ batch: RecordBatch, size: Int, firstIndex: Int) -> [RecordSlice] {
        var slices: [RecordSlice] = []
        var start = 0
        for (index, record) in batch.records.enumerated() {
            let isFull = record.range.upperBound - batch.records[start].range.lowerBound >= size
            if isFull || index == batch.records.count - 1 {
                slices.append(
                    RecordSlice(batch: batch, records: start..<(index + 1), firstIndex: firstIndex + start))
                start = index + 1
            }
        }
        return slices
    }

    /// The failure of one of the records.
    /// - Parameter index: an index in `batch.records`.
    func failure(at index: Int, message: String) -> ResultPart.Event {
        .failure(
            RecordFailure(
                index: firstIndex + index - records.lowerBound, id: batch.id(of: batch.records[index]),
                message: message, record: Array(batch.bytes[batch.records[index].range])))
    }
}

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
            messageBytes += failure.message.utf8.count + failure.record.count
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
