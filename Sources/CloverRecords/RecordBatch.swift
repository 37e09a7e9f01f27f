/// Records extracted from a page, in order.
///
/// `bytes` holds each record followed by one newline, and nothing else. A record's bytes are the server's own, except
/// that line breaks outside strings are removed and invalid UTF-8 is replaced by U+FFFD.
package struct RecordBatch: Sendable {
    /// All records, each followed by one newline.
    package var bytes: [UInt8]
    /// The location of each record in `bytes`, in order and without gaps other than the newlines.
    package var records: [Record]

    package init() {
        bytes = []
        records = []
    }

    package var isEmpty: Bool { records.isEmpty }

    /// Reserves space for records of this total size in bytes.
    mutating func reserve(_ count: Int) {
        // Each newline replaces the comma after the record.
        bytes.reserveCapacity(count + 1)
        records.reserveCapacity(count / Self.usualSize)
    }

    /// The size of a small record in bytes.
    private static let usualSize = 256

    /// Appends a complete record without line breaks outside strings.
    ///
    /// - Parameter replacements: the number of replacements already made in it.
    package mutating func append(_ record: UnsafeRawBufferPointer, replacements: Int = 0) {
        let start = bytes.count
        bytes.append(contentsOf: record)
        records.append(Record(range: start..<bytes.count, replacements: replacements))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends the records in `run`, which are separated by one byte each.
    ///
    /// - Parameters:
    ///   - run: from the first byte of the first record to the last byte of the last one. None has line breaks outside
    ///     strings.
    ///   - ends: where each record ends in `run`.
    mutating func append(_ run: UnsafeRawBufferPointer, endingAt ends: [Int]) {
        let start = bytes.count
        bytes.append(contentsOf: run)
        bytes.append(UInt8(ascii: "\n"))
        var first = start
        for end in ends {
            records.append(Record(range: first..<start + end))
            bytes[start + end] = UInt8(ascii: "\n")
            first = start + end + 1
        }
    }

    /// Appends records that are adjacent in another batch.
    private mutating func append(_ neighbours: ArraySlice<Record>, of all: UnsafeRawBufferPointer) {
        guard let first = neighbours.first, let last = neighbours.last else { return }
        let distance = bytes.count - first.range.lowerBound
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: all[first.range.lowerBound..<last.range.upperBound]))
        bytes.append(UInt8(ascii: "\n"))
        for record in neighbours {
            records.append(
                Record(
                    range: record.range.lowerBound + distance..<record.range.upperBound + distance,
                    replacements: record.replacements))
        }
    }

    /// Removes the records for which `isUnwanted` returns true, and closes the gaps.
    ///
    /// Copies nothing if no record is removed. The closure receives the original batch, so that it can inspect the
    /// record (`id(of:)`), and is called once per record, in order.
    /// - Returns: the number of removed records.
    @discardableResult
    package mutating func removeRecords<Failure: Error>(
        where isUnwanted: (RecordBatch, Record) throws(Failure) -> Bool
    ) throws(Failure) -> Int {
        var unwanted: [Int] = []
        for (index, record) in records.enumerated() where try isUnwanted(self, record) {
            unwanted.append(index)
        }
        guard !unwanted.isEmpty else { return 0 }
        var kept = RecordBatch()
        kept.bytes.reserveCapacity(bytes.count)
        kept.records.reserveCapacity(records.count - unwanted.count)
        var first = 0
        bytes.withUnsafeBytes { all in
            for gap in unwanted + [records.count] {
                kept.append(records[first..<gap], of: all)
                first = gap + 1
            }
        }
        self = kept
        return unwanted.count
    }
}
