import CloverJSON

/// Which records of a window came more than once, because they changed while it was read.
///
/// Each version of a record is written, with its entries, in a separate pass, as if it were in a later window: so the entries
/// in the end are those of the newest version.
struct RecordVersions {
    private var known = RecordKeySet()
    /// The passes of the records that came again.
    private var repeated: [RecordKey: Int] = [:]
    /// The last pass that has a record.
    private(set) var last = 0

    /// Adds a version of the record with this id.
    ///
    /// - Returns: the pass that writes it, from 0.
    mutating func add(_ id: Cell) -> Int {
        guard let key = Self.key(id), !known.insert(key) else { return 0 }
        let pass = (repeated[key] ?? 0) + 1
        repeated[key] = pass
        last = max(last, pass)
        return pass
    }

    /// The pass of the version that came last.
    func latest(of id: Cell) -> Int {
        guard last > 0, let key = Self.key(id) else { return 0 }
        return repeated[key] ?? 0
    }

    private static func key(_ id: Cell) -> RecordKey? {
        switch id {
        case .bytes(let bytes): return RecordKey(bytes)
        case .text(var text): return text.withUTF8 { RecordKey(UnsafeRawBufferPointer($0)) }
        default: return nil
        }
    }
}
