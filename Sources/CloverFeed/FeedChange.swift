import CloverExport
import CloverJSON

/// One change of a record, as it is delivered.
package struct FeedChange: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case created, updated, deleted
    }

    /// The place in the feed: greater than that of every change before it. A change that is delivered again after a kill
    /// has the same number.
    package var sequence: Int64
    package var kind: Kind
    /// The path of the list, such as `orders`.
    package var resource: String
    package var id: String
    /// The record as JSON; of one that no longer exists, only its id.
    package var record: [UInt8]

    package init(sequence: Int64, kind: Kind, resource: String, id: String, record: [UInt8]) {
        self.sequence = sequence
        self.kind = kind
        self.resource = resource
        self.id = id
        self.record = record
    }

    /// The change as one JSON object, without a line break.
    package var line: [UInt8] {
        let head =
            #"{"change":"\#(kind.rawValue)","resource":\#(JSONString.quoted(resource)),"sequence":\#(sequence),"record":"#
        return Array(head.utf8) + record + [UInt8(ascii: "}")]
    }
}

/// A record as it was read.
package struct SeenRecord: Sendable, Equatable {
    /// The record's id, or its hash after a `#`.
    package var id: String
    /// When it was last changed; nil for a list that is compared.
    package var time: Int64?
    /// When it was created, as far as it says so.
    package var created: Int64?
    /// Whether the record says that it was deleted.
    package var isDeleted: Bool
    /// Hash of its bytes as received. Two changes in one millisecond differ only by it.
    package var hash: Int64
    /// Its bytes as they are delivered.
    package var bytes: [UInt8]

    package init(id: String, time: Int64?, created: Int64?, isDeleted: Bool = false, hash: Int64, bytes: [UInt8]) {
        self.id = id
        self.time = time
        self.created = created
        self.isDeleted = isDeleted
        self.hash = hash
        self.bytes = bytes
    }

    /// The records of a batch.
    ///
    /// - Parameters:
    ///   - batch: the records as received.
    ///   - shown: the same records as they are delivered.
    static func all(in batch: RecordBatch, shown: RecordBatch, _ rules: FeedRules) -> [SeenRecord] {
        zip(batch.records, shown.records).map { record, place in
            func time(_ field: String?) -> Int64? {
                field.flatMap { batch.value(of: $0, in: record) }.flatMap { Int64($0) }
            }
            let hash = StableHash.value(of: batch, record)
            return SeenRecord(
                id: batch.id(of: record) ?? "\(Self.namelessMark)\(hash)", time: time(rules.changeField),
                // A list that is compared is not filtered, but its records may say when they were made.
                created: time(rules.creationField) ?? time("createdTime") ?? time("modifiedTime"),
                isDeleted: time("deletedTime") ?? 0 > 0 || batch.isTrue("deleted", in: record), hash: hash,
                bytes: Array(shown.bytes[place.range]))
        }
    }

    /// Begins the key of a record without an id.
    static let namelessMark = "#"
}
