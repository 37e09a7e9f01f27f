import CloverAPI
import CloverExport
import CloverRecords

/// A list that belongs to each record and is exported as a resource of its own, complete.
///
/// One that the service gives inside of the records is read with them, and what it cuts off at 100 entries is fetched
/// (Clover: paginating elements). One that it gives by itself only is asked for record by record.
struct ExportPart: Sendable {
    /// As the user names it: `line_items`.
    let name: String
    /// The member of the record, and the expansion that brings it: `lineItems`; nil for one that has to be asked for.
    let member: String?
    /// Where the entries of a record are by themselves; nil when the catalogue knows no such place.
    let endpoint: Endpoint?
    /// The model of an entry; nil when it is not known.
    let model: String?
    /// The records themselves have the list, too.
    let staysInRecord: Bool
    /// A record without the list is asked for it, too: nobody can tell one that is empty from one that the service, which
    /// ignores expansions in silence, has left out. Only for resources that are taken whole; of these there are few.
    let asksWhereMissing: Bool

    /// Nil for a name that the resource has no list of.
    init?(_ name: String, of path: ResourcePath, expand: [String], tracking: ChangeTracking) {
        let owner = Self.owner(path)
        let inside = Self.expandableLists(path)
        let beside = EndpointCatalogue.lists(ofEach: path)
        let wanted = name.filter { $0 != "_" }.lowercased()
        if let member = inside.first(where: { $0.lowercased() == wanted }) {
            self.name = Self.snakeCase(member)
            self.member = member
            let endpoint = EndpointCatalogue.endpoint(at: path.segments + ["-", Self.snakeCase(member)])
            self.endpoint = endpoint
            model = endpoint?.model ?? owner?.field(named: member)?.type.nestedModel
            asksWhereMissing = tracking == .whole && endpoint?.shape == .list
        } else if let name = beside.first(where: { $0.filter { $0 != "_" } == wanted }) {
            self.name = name
            member = nil
            let endpoint = EndpointCatalogue.endpoint(at: path.segments + ["-", name])
            self.endpoint = endpoint
            model = endpoint?.model
            asksWhereMissing = true
        } else {
            return nil
        }
        staysInRecord = member.map { expand.contains($0) } ?? true
    }

    /// What a resource has: the names that a user can give.
    static func names(of path: ResourcePath) -> [String] {
        Set(expandableLists(path).map(snakeCase) + EndpointCatalogue.lists(ofEach: path)).sorted()
    }

    /// The model of the records.
    private static func owner(_ path: ResourcePath) -> Model? {
        path.endpoint?.model.flatMap { ModelCatalogue.model(named: $0) }
    }

    /// The expansions that bring a list into each record.
    private static func expandableLists(_ path: ResourcePath) -> [String] {
        let owner = owner(path)
        return (path.endpoint?.expandable ?? []).filter { expansion in
            guard let field = owner?.field(named: expansion) else { return false }
            if case .list = field.type { return true }
            return false
        }
    }

    /// Entries of a part in the order of their records.
    enum Piece: Sendable {
        /// Each with the id of its record in front: `"parentId":"ID"`.
        case entries(RecordBatch)
        /// The record with this id has to be asked for them.
        case ask(id: String)
    }

    /// Takes the list out of the records.
    ///
    /// - Returns: the records without it, and its entries.
    func split(_ batch: RecordBatch) -> (records: RecordBatch, pieces: [Piece]) {
        var records = RecordBatch()
        var pieces: [Piece] = []
        var entries = RecordBatch()
        for record in batch.records {
            let id = batch.id(of: record)
            let found = member.flatMap { batch.removing(list: $0, from: record, prefix: Self.prefix(id)) }
            if let found, !staysInRecord {
                found.record.withUnsafeBytes { records.append($0) }
            } else {
                batch.bytes.withUnsafeBytes { records.append(UnsafeRawBufferPointer(rebasing: $0[record.range])) }
            }
            if let found {
                found.entries.bytes.withUnsafeBytes { bytes in
                    for entry in found.entries.records {
                        entries.append(UnsafeRawBufferPointer(rebasing: bytes[entry.range]))
                    }
                }
            } else if asksWhereMissing, let id {
                if !entries.isEmpty { pieces.append(.entries(entries)) }
                entries = RecordBatch()
                pieces.append(.ask(id: id))
            }
        }
        if !entries.isEmpty { pieces.append(.entries(entries)) }
        return (records, pieces)
    }

    /// Entries that were asked for, each with the id of its record in front.
    static func tagged(_ entries: RecordBatch, parent id: String) -> RecordBatch {
        let prefix = prefix(id)
        var result = RecordBatch()
        entries.bytes.withUnsafeBytes { bytes in
            for entry in entries.records {
                RecordBatch.prefixed(UnsafeRawBufferPointer(rebasing: bytes[entry.range]), with: prefix)
                    .withUnsafeBytes { result.append($0) }
            }
        }
        return result
    }

    private static func prefix(_ id: String?) -> [UInt8] {
        Array("{\"parentId\":\(id.map { JSONText.string($0) } ?? "null")".utf8)
    }

    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
