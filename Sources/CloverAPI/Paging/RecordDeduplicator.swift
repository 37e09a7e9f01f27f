import CloverJSON

/// Drops records that were delivered before: the record by which two pages overlap, rows that moved to a later page
/// during paging, and the beginning of a page that is read again.
///
/// It remembers only the most recent records, because rows shift by few places between two pages; memory use does not
/// depend on the number of records. A record without an id is identified by its bytes, and only in place: as the first
/// of a page, or following the same records as before.
struct RecordDeduplicator {
    /// The minimum number of ids that are remembered: more than all pages in flight can hold.
    private static let idsKept = 6000
    /// The same for records without ids: a page read again from far back begins with a record that must still be known.
    private static let namelessKept = 6000

    /// The newest ids, and those before them: a full set replaces the older one.
    private var newest = RecordKeySet()
    private var older = RecordKeySet()
    /// The hashes of the most recent records without an id, in order.
    private var nameless: [Int] = []
    /// The hashes that follow if the page continues as it did when first read.
    private var expected: ArraySlice<Int> = []
    private var isPageStart = true
    /// Ids of this list that were remembered, and whether some of them are forgotten again.
    private var listCount = 0
    private(set) var hasForgotten = false
    /// The record that the list began with: a hash of its id, or of its bytes if it has none.
    private var first: Int?
    /// Records without an id: those of this page so far, and those still to drop of a page that is read again.
    private var namelessPassed = 0
    private var namelessToDrop = 0

    mutating func beginList() {
        first = nil
        listCount = 0
        hasForgotten = false
    }

    mutating func beginListAgain() {
        first = nil
    }

    mutating func beginPage() {
        namelessPassed = 0
        namelessToDrop = 0
        isPageStart = true
    }

    /// The last page is read again from its start.
    mutating func beginPageAgain() {
        namelessToDrop = namelessPassed
        isPageStart = namelessPassed == 0
    }

    /// Whether the record is among those remembered.
    ///
    /// - Parameter time: the time of the record's version, if versions are distinguished.
    func knows(_ record: Record, of batch: RecordBatch, time: Int64? = nil) -> Bool {
        guard let key = Self.key(of: record, in: batch, time) else {
            return namelessToDrop > 0 || nameless.contains(Self.hash(record, of: batch))
        }
        return newest.contains(key) || older.contains(key)
    }

    /// Whether the list began, or begins, with this record.
    ///
    /// - Parameter time: the time of the record's version, if versions are distinguished: the first record may have
    ///   changed.
    func isFirst(_ record: Record, of batch: RecordBatch, time: Int64? = nil) -> Bool {
        first == nil || first == Self.identity(record, of: batch, time)
    }

    /// Removes known records from the batch and remembers the others.
    ///
    /// - Parameters:
    ///   - order: learns of each record, and whether it was removed.
    ///   - times: the times of the records' versions, so that a record that changed in between counts as
    ///     new. Entries of removed records are removed as well. Nil to identify records by id alone.
    mutating func drop(from batch: inout RecordBatch, times: inout [Int64?]?, noting order: inout ListOrder) {
        if first == nil { first = batch.records.first.map { Self.identity($0, of: batch, times?.first ?? nil) } }
        var repeated = Set<Int>()
        for (index, record) in batch.records.enumerated() {
            defer { isPageStart = false }
            guard let key = Self.key(of: record, in: batch, times?[index]) else {
                let isRepeat = isNamelessRepeat(record, of: batch)
                if isRepeat { repeated.insert(index) }
                order.meet(nil, isRepeat: isRepeat)
                continue
            }
            let isRepeat = !remember(key)
            if isRepeat { repeated.insert(index) }
            order.meet(key, isRepeat: isRepeat)
        }
        guard !repeated.isEmpty else { return }
        var index = -1
        batch.removeRecords { _, _ in
            index += 1
            return repeated.contains(index)
        }
        times = times.map { all in all.indices.filter { !repeated.contains($0) }.map { all[$0] } }
    }

    /// - Returns: false if the key is already known.
    private mutating func remember(_ key: RecordKey) -> Bool {
        if older.count > 0, older.contains(key) { return false }
        guard newest.insert(key) else { return false }
        listCount += 1
        if newest.count == Self.idsKept {
            if listCount > Self.idsKept, older.count > 0 { hasForgotten = true }
            swap(&older, &newest)
            newest.removeAll()
        }
        return true
    }

    private mutating func isNamelessRepeat(_ record: Record, of batch: RecordBatch) -> Bool {
        if namelessToDrop > 0 {
            namelessToDrop -= 1
            return true
        }
        let hash = Self.hash(record, of: batch)
        if isPageStart {
            expected = nameless.lastIndex(of: hash).map { nameless[$0...] } ?? []
        }
        if expected.first == hash {
            expected.removeFirst()
            return true
        }
        expected = []
        namelessPassed += 1
        nameless.append(hash)
        // Only occasionally, because it moves all the others.
        if nameless.count >= 2 * Self.namelessKept { nameless.removeFirst(nameless.count - Self.namelessKept) }
        return false
    }

    /// The key that identifies the record, or its version of that time; nil if it has no id.
    static func key(of record: Record, in batch: RecordBatch, _ time: Int64?) -> RecordKey? {
        let key = batch.key(of: record)
        guard let time else { return key }
        return key?.version(of: time)
    }

    private static func identity(_ record: Record, of batch: RecordBatch, _ time: Int64?) -> Int {
        key(of: record, in: batch, time)?.hashValue ?? hash(record, of: batch)
    }

    fileprivate static func hash(_ record: Record, of batch: RecordBatch) -> Int {
        var hasher = Hasher()
        batch.bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[record.range])) }
        return hasher.finalize()
    }
}

/// Tells a record that comes again from another one with its id, among the latest few thousand.
struct RecordContents {
    private static let countKept = 6000

    /// Hashes of the newest records, and of those before them: a full set replaces the older one.
    private var newest: [RecordKey: Int] = [:]
    private var older: [RecordKey: Int] = [:]

    /// Whether a record with this id came before, with other contents. Each difference is reported once.
    mutating func differs(_ record: Record, of batch: RecordBatch) -> Bool {
        guard let key = RecordDeduplicator.key(of: record, in: batch, nil) else { return false }
        let hash = RecordDeduplicator.hash(record, of: batch)
        let known = newest[key] ?? older[key]
        if known == hash { return false }
        newest[key] = hash
        if newest.count >= Self.countKept {
            older = newest
            newest.removeAll(keepingCapacity: true)
        }
        return known != nil
    }
}
