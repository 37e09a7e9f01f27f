import CloverJSON

/// Reads the members of one record. Every member that reports use is read here: it is missing, or it has its type, or the record
/// cannot be read.
struct RecordFields {
    let record: String
    private(set) var identifier: String?

    /// Amounts above this are refused, so that no sum or product overflows: a million million minor units.
    static let largestAmount: Int64 = 1_000_000_000_000

    init(_ record: String) { self.record = record }

    func failure(_ field: String) -> ReportRecordError {
        ReportRecordError(record: record, identifier: identifier, field: field)
    }

    /// The values of the record's members with these names; the first is its id.
    mutating func members(of view: JSONView, _ names: JSONView.Names) throws(ReportRecordError) -> (
        id: String, found: [JSONView?]
    ) {
        guard view.isObject else { throw failure("") }
        let found = view.members(names)
        guard let id = try text(found[0], "id"), !id.isEmpty else { throw failure("id") }
        identifier = id
        return (id, found)
    }

    /// The values of an object's members with these names; all are missing if the object is.
    func members(
        of view: JSONView?, _ field: String, _ names: JSONView.Names
    ) throws(ReportRecordError) -> [JSONView?] {
        guard let view else { return JSONView(UnsafeRawBufferPointer(start: nil, count: 0)).members(names) }
        guard view.isObject else { throw failure(field) }
        return view.members(names)
    }

    /// A text; nil if it is missing.
    ///
    /// - Parameter isWanted: false only checks that it is a text.
    func text(_ view: JSONView?, _ field: String, isWanted: Bool = true) throws(ReportRecordError) -> String? {
        guard let view else { return nil }
        guard view.bytes.first == UInt8(ascii: "\"") else { throw failure(field) }
        return isWanted ? view.string : nil
    }

    /// An amount in minor units; 0 if it is missing.
    func amount(_ view: JSONView?, _ field: String) throws(ReportRecordError) -> Int64 {
        guard let view else { return 0 }
        guard let amount = view.integer, abs(amount) <= Self.largestAmount else { throw failure(field) }
        return amount
    }

    /// An amount that a record must have, and that is not negative.
    func sum(_ view: JSONView?, _ field: String) throws(ReportRecordError) -> Int64 {
        let amount = try amount(view, field)
        guard view != nil, amount >= 0 else { throw failure(field) }
        return amount
    }

    /// A number such as a percentage or a quantity; nil if it is missing.
    func number(_ view: JSONView?, _ field: String) throws(ReportRecordError) -> Int64? {
        guard let view else { return nil }
        guard let number = view.integer, abs(number) <= 1_000_000_000 else { throw failure(field) }
        return number
    }

    /// True or false; false if it is missing.
    func flag(_ view: JSONView?, _ field: String) throws(ReportRecordError) -> Bool {
        guard let view, !view.isFalse else { return false }
        guard view.isTrue else { throw failure(field) }
        return true
    }

    /// The records of a list in the record; none if it is missing.
    ///
    /// - Parameter isExpanded: whether the list must be there, and not only its address.
    func list(
        _ view: JSONView?, _ field: String, isExpanded: Bool = true
    ) throws(ReportRecordError) -> [JSONView] {
        guard let view else { return [] }
        let elements = view.isObject ? view["elements"] : view
        if elements == nil, !isExpanded { return [] }
        guard let array = elements, array.bytes.first == UInt8(ascii: "[") else { throw failure(field) }
        let entries = array.entries
        for entry in entries where !entry.isObject { throw failure(field) }
        return entries
    }

    /// The id of the record that a member refers to; nil if it is missing or empty.
    func reference(_ view: JSONView?, _ field: String) throws(ReportRecordError) -> String? {
        guard let view else { return nil }
        guard view.isObject else { throw failure(field) }
        guard let id = try text(view["id"], field), !id.isEmpty else { return nil }
        return id
    }

    /// The tender that a member refers to, with its label; nil if it is missing.
    func tender(_ view: JSONView?, _ field: String) throws(ReportRecordError) -> (id: String, label: String?)? {
        guard let id = try reference(view, field) else { return nil }
        return (id, try text(view?["label"], "\(field).label"))
    }

    /// The instant of a record; nil without a time.
    func instant(_ client: JSONView?, _ server: JSONView?, _ rule: ClockRule) throws(ReportRecordError) -> RecordTime? {
        let times = try [client, server].map { view throws(ReportRecordError) -> Int64? in
            guard let view else { return nil }
            guard let time = view.integer, (0...253_402_300_799_999).contains(time) else {
                throw failure("createdTime")
            }
            return time
        }
        return RecordTime(client: times[0], server: times[1], rule)
    }
}

/// Which clock dates a record.
package enum ClockRule {
    /// The client's, as long as it is plausible: offline sales belong to the day on which they were taken.
    case client
    case server
}

/// When a record was made.
package struct RecordTime {
    /// How far behind the server's time the client's is believed, in milliseconds. Reports read as far, so that each record
    /// counts on one day.
    package static let longestDelay: Int64 = 8 * 86_400_000

    /// Milliseconds since 1970.
    let instant: Int64
    /// Whether the client's clock was more than a day ahead of the server's, or more than `longestDelay` behind, so that the
    /// server's counts.
    let clockDiffers: Bool

    init?(client: Int64?, server: Int64?, _ rule: ClockRule) {
        guard let first = client ?? server else { return nil }
        let day: Int64 = 86_400_000
        if let client, let server {
            clockDiffers = client - server > day || server - client > Self.longestDelay
            instant = clockDiffers || rule == .server ? server : client
        } else {
            clockDiffers = false
            instant = first
        }
    }
}
