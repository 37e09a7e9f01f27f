import CloverRecords

/// Replaces truncated lists in a record by complete ones.
struct RecordSplice {
    private let record: [UInt8]
    private var changes: [(range: Range<Int>, bytes: [UInt8])] = []

    init(_ record: [UInt8]) {
        self.record = record
    }

    /// The changed record; nil if nothing changed.
    var result: [UInt8]? {
        guard !changes.isEmpty else { return nil }
        // A list that is replaced entirely includes the changes inside it.
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

    /// Keeps the bytes of entries that are already there and appends the others. If the entries differ or are in
    /// another order, replaces the whole list.
    ///
    /// - Returns: whether the list changed.
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
