/// Records cut out of a page, in the order of the page.
///
/// `bytes` holds every record followed by one newline, and nothing else. A record's bytes are the server's own, except
/// that line breaks outside strings are gone, and that U+FFFD replaces what was not UTF-8.
package struct RecordBatch: Sendable {
    /// All records, each followed by one newline.
    package var bytes: [UInt8]
    /// Where each record lies in `bytes`, in order and without gaps other than the newlines.
    package var records: [Record]

    /// A batch without records.
    package init() {
        bytes = []
        records = []
    }

    package var isEmpty: Bool { records.isEmpty }

    /// Makes room for records of so many bytes.
    mutating func reserve(_ count: Int) {
        // Each has a newline, which takes the place of the comma behind it in the page.
        bytes.reserveCapacity(count + 1)
        records.reserveCapacity(count / Self.usualSize)
    }

    /// Bytes of a small record.
    private static let usualSize = 256

    /// Adds a record that is complete and has no line breaks outside strings.
    ///
    /// - Parameter replacements: what was replaced in it already.
    package mutating func append(_ record: UnsafeRawBufferPointer, replacements: Int = 0) {
        let start = bytes.count
        bytes.append(contentsOf: record)
        records.append(Record(range: start..<bytes.count, replacements: replacements))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds records that lie behind each other in `run`, with one byte between two of them.
    ///
    /// - Parameters:
    ///   - run: from the first record's first byte to the last one's last. None has line breaks outside strings.
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

    /// Adds records of another batch that are neighbours there.
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

    /// Removes the records for which `isUnwanted` is true and closes the gaps.
    ///
    /// Costs no copy when nothing is removed. The closure is given the batch as it was, so that it can look at the
    /// record (`id(of:)`), and is called once for each record, in order.
    /// - Returns: how many records were removed.
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
