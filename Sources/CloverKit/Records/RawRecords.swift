import CloverAPI
import CloverJSON
public import FoundationEssentials

/// The records of a list as Clover sent them, one JSON object each, without line breaks outside strings: ``Records/bytes``. They are read
/// like `Records`, with the same filters, and are as complete.
///
/// ```swift
/// var size = 0
/// for try await order in shop.orders.expand(\.lineItems).bytes { size += order.count }
/// print(size)
/// ```
public struct RawRecords<Record: CloverRecord>: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = any Error

    let records: Records<Record>

    public func makeAsyncIterator() -> Iterator { Iterator(cursor: RecordCursor(records)) }

    /// Reads on where it stopped. Belongs to one task.
    ///
    /// ```swift
    /// var orders = shop.orders.bytes.makeAsyncIterator()
    /// while let order = try await orders.next() { print(String(decoding: order, as: UTF8.self)) }
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        var cursor: RecordCursor

        /// The next record; nil after the last one.
        ///
        /// - Throws: `CloverError`, or `CancellationError`.
        public mutating func next() async throws -> Data? {
            if !cursor.hasRecord, try await !cursor.readOn() { return nil }
            return cursor.take().withUnsafeBytes { Data($0) }
        }
    }
}

/// The records of a list, one after the other, as bytes.
struct RecordCursor {
    private let feed: Feed<RecordBatch>
    private var batch = RecordBatch()
    private var position = 0

    init<Record>(_ records: Records<Record>) {
        feed = Feed { deliver in
            try await CloverError.during {
                try await records.read { try await deliver($0) ? .more : .stop }
            }
        }
    }

    /// Whether a record is there already, which most are: only the first one of a batch has to be waited for.
    var hasRecord: Bool { position < batch.records.count }

    /// Waits for the next record.
    ///
    /// - Returns: false after the last one.
    mutating func readOn() async throws -> Bool {
        while !hasRecord {
            guard let following = try await feed.next() else { return false }
            batch = following
            position = 0
        }
        return true
    }

    /// The record that is there.
    mutating func take() -> ArraySlice<UInt8> {
        defer { position += 1 }
        return batch.bytes[batch.records[position].range]
    }
}
