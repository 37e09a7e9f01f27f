import CloverAPI
import CloverExport
import CloverRecords

/// A nested list that is exported as a resource of its own. It is read with the records that have it, and is complete:
/// what the service cuts off at 100 entries is fetched (Clover: paginating elements).
struct ExportPart: Sendable {
    /// As the user names it: `line_items`.
    let name: String
    /// The member of the record, and the expansion that brings it: `lineItems`.
    let member: String
    /// Where the entries can be read by themselves; nil when the catalogue knows no such place.
    let endpoint: Endpoint?
    /// The model of an entry; nil when it is not known.
    let model: String?
    /// The records themselves have the list, too.
    let staysInRecord: Bool

    /// - Throws: `.unknownPart`.
    init(_ name: String, of path: ResourcePath, expand: [String]) throws(ExportError) {
        let owner = path.endpoint?.model.flatMap { ModelCatalogue.model(named: $0) }
        let lists = (path.endpoint?.expandable ?? []).filter { expansion in
            guard let field = owner?.field(named: expansion) else { return false }
            if case .list = field.type { return true }
            return false
        }
        let wanted = name.filter { $0 != "_" }.lowercased()
        guard let member = lists.first(where: { $0.lowercased() == wanted }) else {
            throw .unknownPart(name, resource: path.display, known: lists.map(Self.snakeCase).sorted())
        }
        self.name = Self.snakeCase(member)
        self.member = member
        endpoint = EndpointCatalogue.endpoint(at: path.segments + ["-", Self.snakeCase(member)])
        model = endpoint?.model ?? owner?.field(named: member)?.type.nestedModel
        staysInRecord = expand.contains(member)
    }

    /// Takes the list out of the records.
    ///
    /// - Returns: the records without it, and its entries, each with the id of its record in front: `"parentId":"ID"`.
    func split(_ batch: RecordBatch) -> (records: RecordBatch, entries: RecordBatch) {
        var records = RecordBatch()
        var entries = RecordBatch()
        for record in batch.records {
            let id = batch.id(of: record).map { JSONText.string($0) } ?? "null"
            let found = batch.removing(list: member, from: record, prefix: Array("{\"parentId\":\(id)".utf8))
            if let found, !staysInRecord {
                found.record.withUnsafeBytes { records.append($0) }
            } else {
                batch.bytes.withUnsafeBytes { records.append(UnsafeRawBufferPointer(rebasing: $0[record.range])) }
            }
            guard let found else { continue }
            found.entries.bytes.withUnsafeBytes { bytes in
                for entry in found.entries.records {
                    entries.append(UnsafeRawBufferPointer(rebasing: bytes[entry.range]))
                }
            }
        }
        return (records, entries)
    }

    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
