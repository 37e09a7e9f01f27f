import CloverJSON

/// Reads the fields of one record, and notes the first that cannot be read.
struct RecordFields {
    let record: String
    var identifier: String?

    /// Amounts above this are refused, so that no sum or product overflows: a million million minor units.
    static let largestAmount: Int64 = 1_000_000_000_000

    init(_ record: String) { self.record = record }

    func failure(_ field: String) -> ReportRecordError {
        ReportRecordError(record: record, identifier: identifier, field: field)
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
    func list(_ view: JSONView?, _ field: String) throws(ReportRecordError) -> [JSONView] {
        guard let view else { return [] }
        guard let array = view.isObject ? view["elements"] : view, array.bytes.first == UInt8(ascii: "[") else {
            throw failure(field)
        }
        let entries = array.entries
        for entry in entries where !entry.isObject { throw failure(field) }
        return entries
    }

    /// The id of the record that a member refers to; nil if it is missing.
    func reference(_ view: JSONView?, _ field: String) throws(ReportRecordError) -> String? {
        guard let view else { return nil }
        guard view.isObject else { throw failure(field) }
        guard let id = view["id"] else { return nil }
        guard let text = id.string else { throw failure(field) }
        return text
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
