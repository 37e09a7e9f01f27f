/// Finds the values of a `FieldTree` in one record after the other, without building anything.
///
/// A record is read as far as needed: to its end, or to where the last wanted value was found. What is read is checked
/// to be JSON in its grammar, apart from the inside of values that nobody wants. When a name stands twice in an object
/// the first counts. Member names with escapes are compared by what they mean.
struct FieldScanner: Sendable {
    /// Where a record is not JSON, as an offset in it.
    struct Malformed: Error, Equatable {
        let offset: Int
    }

    private let tree: FieldTree
    /// One a path, in their order, as the last `scan` found them.
    private(set) var values: [FieldValue]
    /// The names of the members that no path begins with, as places in the record that `scan` read last; nil unless
    /// they are wanted.
    private(set) var others: [Range<Int>]?

    /// - Parameter notesOthers: keep `others`; every record is then read to its end.
    init(_ paths: [FieldPath], notesOthers: Bool = false) {
        others = notesOthers ? [] : nil
        tree = FieldTree(paths)
        values = Array(repeating: .missing, count: paths.count)
    }

    /// Fills `values` with what the record has; a record that is no object has none.
    mutating func scan(_ record: UnsafeRawBufferPointer) throws(Malformed) {
        for slot in values.indices { values[slot] = .missing }
        guard let start = record.baseAddress, tree.slotCount > 0 else { return }
        // Taken out while it is written, so that it is uniquely referenced and checked once.
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
