import CloverRecords

/// Puts the whole of a list into a record in place of its cut beginning.
struct RecordSplice {
    private let record: [UInt8]
    private var changes: [(range: Range<Int>, bytes: [UInt8])] = []

    init(_ record: [UInt8]) {
        self.record = record
    }

    /// The changed record; nil when nothing was to be changed.
    var result: [UInt8]? {
        guard !changes.isEmpty else { return nil }
        // A list that is replaced as a whole takes the changes inside with it.
        let outer = changes.filter { change in
            !changes.contains {
                $0.range != change.range && $0.range.lowerBound <= change.range.lowerBound
                    && change.range.upperBound <= $0.range.upperBound && !$0.range.isEmpty
            }
        }
        var bytes = record
        for change in outer.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(change.range, with: change.bytes)
        }
        return bytes
    }

    /// Entries that are there already keep their bytes, and the others come behind them; when they are not the same ones
    /// in the same order, the whole list is taken anew.
    ///
    /// - Returns: whether the list was changed by that.
    mutating func put(_ entries: RecordBatch, in list: CutList) -> Bool {
        if hasSameBeginning(entries, as: list) {
            let rest = entries.records.dropFirst(list.entries.count)
            guard !rest.isEmpty else { return false }
            let end = list.entries.last?.upperBound ?? list.inside.upperBound
            changes.append((end..<end, rest.flatMap { [UInt8(ascii: ",")] + entries.bytes[$0.range] }))
        } else {
            let all = entries.records.map { entries.bytes[$0.range] }
            changes.append((list.inside, Array(all.joined(separator: [UInt8(ascii: ",")]))))
        }
        return true
    }

    private func hasSameBeginning(_ entries: RecordBatch, as list: CutList) -> Bool {
        var first = RecordBatch()
        record.withUnsafeBytes { bytes in
            for entry in list.entries { first.append(UnsafeRawBufferPointer(rebasing: bytes[entry])) }
        }
        return zip(first.records, entries.records).allSatisfy { known, fetched in
            if let id = first.id(of: known) { return id == entries.id(of: fetched) }
            return first.bytes[known.range] == entries.bytes[fetched.range]
        }
    }
}
