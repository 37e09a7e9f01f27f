import CloverJSON
import CloverOutput
import CloverSystem

/// Prints records in a layout, through a pipe.
enum FormatRun {
    struct Result: Sendable {
        var text: String
        var report: FilterReport
        var failures: [FormatFailure]
        var hidden: [String]
        /// The reports at the end, one per complete run; empty if the run broke off.
        var reports: [ColumnReport]
    }

    static func batch(_ records: [String]) -> RecordBatch {
        var batch = RecordBatch()
        for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
        return batch
    }

    static func columns(_ list: String) throws -> [RecordColumn] {
        try FieldPath.list(parsing: list).map { RecordColumn($0) }
    }

    static func layout(_ format: RecordFormat, _ fields: String) throws -> RecordLayout {
        RecordLayout(format: format, columns: try columns(fields))
    }

    /// - Parameter breaksOff: end the run as after a failure; the report is then empty.
    static func run(_ layout: RecordLayout, _ batches: [[String]], breaksOff: Bool = false) async throws -> Result {
        let pipe = try Pipe()
        try pipe.startReading(step: 4096)
        let failures = Monitor<[FormatFailure]>([])
        let hidden = Monitor<[String]>([])
        let reports = Monitor<[ColumnReport]>([])
        let filter = try layout.makeFilter(
            output: RecordOutput(descriptor: pipe.writing),
            onFailure: { failure in failures.update { $0.append(failure) } },
            onHidden: { titles in hidden.update { $0 += titles } },
            onEnd: { report in reports.update { $0.append(report) } })
        for records in batches { _ = try await filter.consume(batch(records)) }
        var report = FilterReport()
        if breaksOff { try await filter.breakOff() } else { report = try await filter.finish() }
        pipe.closeWriting()
        let text = String(decoding: await pipe.all(), as: UTF8.self)
        return Result(
            text: text, report: report, failures: failures.withLock { $0 }, hidden: hidden.withLock { $0 },
            reports: reports.withLock { $0 })
    }

    static func text(_ layout: RecordLayout, _ records: [String]) async throws -> String {
        try await run(layout, [records]).text
    }
}
