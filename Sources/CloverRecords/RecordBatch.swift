/// Records cut out of a page, in the order of the page.
///
/// `bytes` holds every record followed by one newline, and nothing else. A record's bytes are the server's own, except
/// that line breaks outside strings are gone. A line break inside a string (not legal JSON) is left alone.
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
    package mutating func append(_ record: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes.append(contentsOf: record)
        records.append(Record(range: start..<bytes.count))
        bytes.append(UInt8(ascii: "\n"))
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
        var next = 0
        bytes.withUnsafeBytes { all in
            for (index, record) in records.enumerated() {
                if next < unwanted.count, unwanted[next] == index {
                    next += 1
                } else {
                    kept.append(UnsafeRawBufferPointer(rebasing: all[record.range]))
                }
            }
        }
        self = kept
        return unwanted.count
    }
}
