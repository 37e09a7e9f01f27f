import CloverJSON
import CloverOutput
import Foundation
import Synchronization

/// Runs a filter over records into a file and tells everything that came of it.
struct FilterRun {
    /// What the two callbacks were given, in order.
    enum Event: Sendable, Equatable {
        case failure(RecordFailure)
        case message(String)
    }

    struct Result: Sendable {
        var output: [UInt8] = []
        var events: [Event] = []
        var report = FilterReport()
        /// How many batches were taken until the program ended the run, or all.
        var consumed = 0

        var text: String { String(decoding: output, as: UTF8.self) }
        var failures: [RecordFailure] {
            events.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
        }
        var messages: String {
            events.compactMap { if case .message(let message) = $0 { message } else { nil } }.joined()
        }
    }

    var options = JQOptions()
    var workers = 2
    /// Records in a batch.
    var batchSize = 7
    var directory: String?
    var shop: ShopFunctions?

    func run(_ source: String, on records: [String]) async throws -> Result {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "out")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        let events = Mutex<[Event]>([])
        let filter = JQFilter(
            program: try JQProgram(source: source, options: options, shop: shop, directory: directory),
            output: RecordOutput(descriptor: handle.fileDescriptor),
            workers: workers,
            onFailure: { failure in events.withLock { $0.append(.failure(failure)) } },
            onMessage: { message in events.withLock { $0.append(.message(String(decoding: message, as: UTF8.self))) } })
        filter.prepare()
        var result = Result()
        for batch in Self.batches(of: records, size: batchSize) {
            result.consumed += 1
            if try await filter.consume(batch) == .stop { break }
        }
        result.report = try await filter.finish()
        result.output = Array(try Data(contentsOf: file))
        result.events = events.withLock { $0 }
        try handle.close()
        return result
    }

    static func batches(of records: [String], size: Int) -> [RecordBatch] {
        stride(from: 0, to: records.count, by: size).map { start in
            var batch = RecordBatch()
            for record in records[start..<min(start + size, records.count)] {
                Array(record.utf8).withUnsafeBytes { batch.append($0) }
            }
            return batch
        }
    }
}
