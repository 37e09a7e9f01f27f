package import CloverJSON
internal import Glibc

/// Prints selected fields of each record in one of the formats.
///
/// Runs on the task that delivers the records; each piece of output is written before the next one is made, so memory
/// use does not depend on the number of records.
actor FormattedRecords: RecordFilter {
    /// The size in bytes at which a piece of output is written.
    private static let pieceSize = 256 << 10

    private var rows: any RowEncoder
    private var scanner: FieldScanner
    private let output: RecordOutput
    private let onFailure: @Sendable (FormatFailure) -> Void
    private let onEnd: @Sendable (ColumnReport) -> Void
    private let paths: [FieldPath]
    /// The columns for which no record had a value so far.
    private var absent: [Int]
    private var others: NameCollector?
    private var report = FilterReport()
    private var recordCount = 0
    private var hasBegun = false
    /// Whether the end was printed.
    private var hasEnded = false

    /// - Parameters:
    ///   - paths: the paths that `rows` reads: first those of the columns, `columnCount` of them.
    ///   - notesOthers: whether `onEnd` reports members that are not part of any path.
    ///   - onEnd: called once, when everything was written.
    init(
        rows: any RowEncoder, paths: [FieldPath], columnCount: Int, notesOthers: Bool, output: RecordOutput,
        onFailure: @escaping @Sendable (FormatFailure) -> Void,
        onEnd: @escaping @Sendable (ColumnReport) -> Void
    ) {
        self.rows = rows
        self.paths = paths
        scanner = FieldScanner(paths, notesOthers: notesOthers)
        absent = Array(0..<columnCount)
        others = notesOthers ? NameCollector() : nil
        self.output = output
        self.onFailure = onFailure
        self.onEnd = onEnd
    }

    func consume(_ batch: RecordBatch) async throws -> RecordFlow {
        var next = 0
        while next < batch.records.count {
            try Task.checkCancellation()
            var piece: [UInt8] = []
            piece.reserveCapacity(min(batch.bytes.count, Self.pieceSize) + 4096)
            let failure = encode(batch, from: &next, into: &piece)
            try await output.write(piece)
            if let failure { onFailure(failure) }
        }
        try Task.checkCancellation()
        return .more
    }

    func finish() async throws -> FilterReport {
        try Task.checkCancellation()
        var piece: [UInt8] = []
        begin(into: &piece)
        rows.end(into: &piece)
        hasEnded = true
        try await output.write(piece)
        // Notices at the end concern all records, so they come after the user has seen these.
        try await output.endPaging()
        report.lastResult = report.results > 0 ? .truthy : .none
        let isEmpty = report.results == 0
        onEnd(
            ColumnReport(
                absent: isEmpty ? [] : absent.map { paths[$0] }, others: others?.texts ?? [], isEmpty: isEmpty))
        return report
    }

    func breakOff() async throws {
        guard hasBegun, !hasEnded else { return }
        var piece: [UInt8] = []
        rows.breakOff(into: &piece)
        try await output.write(piece)
        try await output.endPaging()
    }

    private func begin(into piece: inout [UInt8]) {
        guard !hasBegun else { return }
        hasBegun = true
        rows.begin(into: &piece)
    }

    /// Prints records until the piece is full, a record fails, or all are done. Sets `next` to the first remaining
    /// record.
    private func encode(_ batch: RecordBatch, from next: inout Int, into piece: inout [UInt8]) -> FormatFailure? {
        begin(into: &piece)
        return batch.bytes.withUnsafeBytes { bytes in
            while next < batch.records.count, piece.count < Self.pieceSize {
                let record = batch.records[next]
                let slice = UnsafeRawBufferPointer(rebasing: bytes[record.range])
                next += 1
                recordCount += 1
                do throws(FieldScanner.Malformed) {
                    try scanner.scan(slice)
                } catch {
                    report.failures += 1
                    return FormatFailure(index: recordCount - 1, id: batch.id(of: record), offset: error.offset)
                }
                note(slice)
                rows.add(slice, scanner.values, into: &piece)
                report.results += 1
            }
            return nil
        }
    }

    /// Records which columns and members the last scanned record has.
    private func note(_ record: UnsafeRawBufferPointer) {
        if !absent.isEmpty { absent.removeAll { scanner.values[$0].kind != .missing } }
        guard let names = scanner.others else { return }
        for name in names { others?.note(UnsafeRawBufferPointer(rebasing: record[name])) }
    }
}

/// How the columns matched the records, known after the last record.
package struct ColumnReport: Sendable, Equatable {
    /// Columns for which no record had a value, if there were records. A null is a value.
    package var absent: [FieldPath] = []
    /// Names of top-level members without a column, in order of occurrence, if the layout records them.
    package var others: [String] = []
    /// True if there were no records.
    package var isEmpty = false
}

/// A record that cannot be printed, because it is not valid JSON.
package struct FormatFailure: Sendable, Equatable {
    /// The index of the record in the stream, from 0.
    package var index: Int
    /// The record's `id`, if it can be read.
    package var id: String?
    /// The offset in the record, in bytes.
    package var offset: Int

    package init(index: Int, id: String?, offset: Int) {
        self.index = index
        self.id = id
        self.offset = offset
    }
}

/// Collects distinct names. Records of a list have their members in the same order, so the name after the last one is
/// tried first.
struct NameCollector: Sendable {
    /// Limits memory use in case names are data, such as ids.
    private static let limit = 256

    private var names: [[UInt8]] = []
    private var next = 0

    /// - Parameter name: the contents of a JSON string, without quotes.
    mutating func note(_ name: UnsafeRawBufferPointer) {
        if next < names.count, Self.isSame(names[next], name) {
            next += 1
        } else if let place = names.firstIndex(where: { Self.isSame($0, name) }) {
            next = place + 1
        } else if names.count < Self.limit {
            names.append(Array(name))
            next = names.count
        }
    }

    /// The names in the order of their first occurrence.
    var texts: [String] {
        names.map { name in name.withUnsafeBytes { JSONString.decoded($0) } }
    }

    @inline(__always)
    private static func isSame(_ known: [UInt8], _ name: UnsafeRawBufferPointer) -> Bool {
        guard known.count == name.count, let start = name.baseAddress else { return known.isEmpty && name.isEmpty }
        return memcmp(known, start, name.count) == 0
    }
}
