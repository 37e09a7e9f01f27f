import CloverRecords

/// Drops records that were delivered before: the record by which two pages overlap, rows that moved to a later page while
/// we were paging, and the beginning of a page that is read again.
///
/// It remembers the newest records only, because rows shift by few places between two pages; memory stays the same for
/// any number of records. A record without an id is known by its bytes, and only in its place: the first of a page, and
/// those that follow it as they did before.
struct RepeatFilter {
    /// No fewer ids are remembered: more than the pages that may be in flight hold.
    private static let idsKept = 6000
    /// No fewer: a page that is read again from far back begins with a record that must still be known.
    private static let namelessKept = 6000

    /// The newest ids, and those before them: when the first set is full, it takes the place of the second.
    private var newest = RecordKeySet()
    private var older = RecordKeySet()
    /// The hashes of the last records without an id, in order.
    private var nameless: [Int] = []
    /// What comes next if the page goes on as the stream did when we first read it.
    private var expected: ArraySlice<Int> = []
    private var isPageStart = true
    /// The record with which the list began: its id, or else its bytes.
    private var first: Int?
    /// Records without an id: those of this page that have passed, and those still to drop of a page read again.
    private var namelessPassed = 0
    private var namelessToDrop = 0

    /// Another window, or the first one.
    mutating func beginList() {
        first = nil
    }

    mutating func beginPage() {
        namelessPassed = 0
        namelessToDrop = 0
        isPageStart = true
    }

    /// The page that was begun last is read again from its start.
    mutating func beginPageAgain() {
        namelessToDrop = namelessPassed
        isPageStart = namelessPassed == 0
    }

    /// Whether the record is one of those that were seen last.
    ///
    /// - Parameter time: that of its version, where versions are told apart.
    func knows(_ record: Record, of batch: RecordBatch, time: Int64? = nil) -> Bool {
        guard let key = Self.key(of: record, in: batch, time) else {
            return namelessToDrop > 0 || nameless.contains(Self.hash(record, of: batch))
        }
        return newest.contains(key) || older.contains(key)
    }

    /// Whether the list began, or begins, with this record.
    ///
    /// - Parameter time: that of its version, where versions are told apart: the list's first record may have been changed.
    func isFirst(_ record: Record, of batch: RecordBatch, time: Int64? = nil) -> Bool {
        first == nil || first == Self.identity(record, of: batch, time)
    }

    /// Removes known records from the batch and remembers the others. Gives how many were removed.
    ///
    /// - Parameter times: those of the records' versions, so that one that was changed meanwhile is another one; those of
    ///   the records that are removed are removed, too. Nil to tell records by their ids alone.
    mutating func drop(from batch: inout RecordBatch, times: inout [Int64?]?) -> Int {
        if first == nil { first = batch.records.first.map { Self.identity($0, of: batch, times?.first ?? nil) } }
        var repeated = Set<Int>()
        for (index, record) in batch.records.enumerated() {
            defer { isPageStart = false }
            guard let key = Self.key(of: record, in: batch, times?[index]) else {
                if isNamelessRepeat(record, of: batch) { repeated.insert(index) }
                continue
            }
            if !remember(key) { repeated.insert(index) }
        }
        guard !repeated.isEmpty else { return 0 }
        var index = -1
        batch.removeRecords { _, _ in
            index += 1
            return repeated.contains(index)
        }
        times = times.map { all in all.indices.filter { !repeated.contains($0) }.map { all[$0] } }
        return repeated.count
    }

    /// - Returns: false when it is remembered already.
    private mutating func remember(_ key: RecordKey) -> Bool {
        if older.count > 0, older.contains(key) { return false }
        guard newest.insert(key) else { return false }
        if newest.count == Self.idsKept {
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
        // Seldom, because it moves all the others.
        if nameless.count >= 2 * Self.namelessKept { nameless.removeFirst(nameless.count - Self.namelessKept) }
        return false
    }

    private static func key(of record: Record, in batch: RecordBatch, _ time: Int64?) -> RecordKey? {
        let key = batch.key(of: record)
        guard let time else { return key }
        return key?.version(of: time)
    }

    private static func identity(_ record: Record, of batch: RecordBatch, _ time: Int64?) -> Int {
        key(of: record, in: batch, time)?.hashValue ?? hash(record, of: batch)
    }

    private static func hash(_ record: Record, of batch: RecordBatch) -> Int {
        var hasher = Hasher()
        batch.bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[record.range])) }
        return hasher.finalize()
    }
}
