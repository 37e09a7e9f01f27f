/// Finds the values of a `FieldTree` in one record after another, without building a tree of the record.
///
/// A record is read as far as needed: to its end, or to the last wanted value. The part that is read is checked to be
/// valid JSON, except inside values that are not wanted. If an object has a name twice, the first counts. Member names
/// with escapes are decoded before comparison.
struct FieldScanner: Sendable {
    /// The offset at which a record is not valid JSON.
    struct Malformed: Error, Equatable {
        let offset: Int
    }

    private let tree: FieldTree
    /// The values of the last `scan`, one per path, in order.
    private(set) var values: [FieldValue]
    /// The names of members that are not part of any path, as ranges in the record that `scan` read last; nil unless
    /// requested.
    private(set) var others: [Range<Int>]?

    /// - Parameter notesOthers: fills `others`; every record is then read to its end.
    init(_ paths: [FieldPath], notesOthers: Bool = false) {
        others = notesOthers ? [] : nil
        tree = FieldTree(paths)
        values = Array(repeating: .missing, count: paths.count)
    }

    /// Fills `values` from the record; a record that is not an object has none.
    mutating func scan(_ record: UnsafeRawBufferPointer) throws(Malformed) {
        for slot in values.indices { values[slot] = .missing }
        guard let start = record.baseAddress, tree.slotCount > 0 else { return }
        // Moved out while it is modified, so that it is uniquely referenced and checked only once.
        var found = values
        values = []
        var names = others
        others = nil
        names?.removeAll(keepingCapacity: true)
        var walk = FieldWalk(record: start, count: record.count, others: names)
        names = nil
        let failure: Malformed? = tree.nodes.withUnsafeBufferPointer { nodes in
            found.withUnsafeMutableBufferPointer { found in
                do throws(Malformed) {
                    try walk.run(nodes, into: found)
                    return nil
                } catch {
                    return error
                }
            }
        }
        values = found
        others = walk.others
        if let failure { throw failure }
    }
}
