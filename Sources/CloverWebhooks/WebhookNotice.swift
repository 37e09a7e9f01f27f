import CloverDatabase
import CloverJSON
package import CloverSystem
import GRDB

/// What an event was about. The spool keeps the latest ones for feeds, also after the event was delivered.
package struct WebhookNotice: Sendable, Equatable {
    /// Counts from 1, and is never used again.
    package let number: Int64
    /// The merchant's ID.
    package let merchant: String
    /// The path of the object's list, such as `orders`.
    package let list: String
    /// The object's ID.
    package let id: String
    package let isDeletion: Bool
    /// Time of the change, in milliseconds since 1970; nil if Clover sent none.
    package let time: Int64?

    /// Older ones are removed. A notice takes about 60 bytes.
    private static let maximumCount: Int64 = 20_000

    fileprivate init(_ row: Row) {
        number = row["id"]
        merchant = row["merchant"]
        list = row["list"]
        id = row["object"]
        isDeletion = row["type"] == "DELETE"
        time = row["time"]
    }

    /// Notes what the events of these bodies are about.
    static func add(_ arrivals: [WebhookArrival], in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO notice (merchant, list, object, type, time) VALUES (?, ?, ?, ?, ?)")
        var last: Int64?
        for arrival in arrivals {
            guard case .events(let events) = try? WebhookBody(arrival.body) else { continue }
            for event in events {
                guard let id = event.id, let list = event.list else { continue }
                try statement.execute(arguments: [event.merchant, list, id, event.type, event.time])
                last = database.lastInsertedRowID
            }
        }
        guard let last else { return }
        try database.execute(sql: "DELETE FROM notice WHERE id <= ?", arguments: [last - maximumCount])
    }

    /// Feeds notice by the numbers that some are missing.
    static func removeAll(in database: Database) throws {
        try database.execute(sql: "DELETE FROM notice")
    }
}

/// How a session of Hosted Checkout ended, by a webhook whose signature was verified. The spool keeps the latest ones, also
/// after they were delivered.
package struct CheckoutNotice: Sendable, Equatable {
    /// The merchant's ID.
    package let merchant: String
    /// `APPROVED` or `DECLINED`, in capitals; any other as sent.
    package let type: String
    /// The payment's ID; nil if Clover sent none.
    package let payment: String?
    /// As sent, such as `Approved for 100`; nil if Clover sent none, or a long one.
    package let message: String?

    private static let maximumCount: Int64 = 20_000
    private static let longestMessage = 100

    fileprivate init(_ row: Row) {
        merchant = row["merchant"]
        type = row["type"]
        payment = row["payment"]
        message = row["message"]
    }

    static func add(_ arrivals: [WebhookArrival], in database: Database) throws {
        for arrival in arrivals where arrival.isVerified {
            guard case .events(let events) = try? WebhookBody(arrival.body) else { continue }
            for event in events {
                guard let session = event.session else { continue }
                try database.execute(
                    sql: "INSERT INTO checkout (session, merchant, type, payment, message) VALUES (?, ?, ?, ?, ?)",
                    arguments: [session, event.merchant, event.type, event.id, message(of: arrival.body)])
                try database.execute(
                    sql: "DELETE FROM checkout WHERE id <= ?",
                    arguments: [database.lastInsertedRowID - maximumCount])
            }
        }
    }
}

extension CheckoutNotice {
    /// The message of a body of Hosted Checkout, however its name is capitalised.
    private static func message(of body: [UInt8]) -> String? {
        guard case .object(let members) = JSONTree(body) else { return nil }
        let text = members.first { $0.key.lowercased() == "message" }?.value.string
        return text.flatMap { $0.utf8.count <= longestMessage ? $0 : nil }
    }
}

extension WebhookSpool {
    /// What verified webhooks reported about a session of Hosted Checkout, in the order of their arrival.
    package func checkouts(session: String) throws -> [CheckoutNotice] {
        try database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM checkout WHERE session = ? ORDER BY id", arguments: [session]
            ).map { CheckoutNotice($0) }
        }
    }

    /// Where a feed that begins now begins: after the last event that was noted.
    package func end() throws -> WebhookPosition {
        try checkAge()
        return try database.read { try Self.end($0) }
    }

    /// Gives the file a new identity if it is an older copy that was put back: events after it are missing, whatever
    /// numbers a feed has read.
    private func checkAge() throws {
        // The number first: a listener notes it after its transaction.
        let noted = try FileLock.number(at: numberPath)
        guard try database.read({ try Self.end($0).number }) < noted else { return }
        let number = try database.write { database in
            try renewIfOld(in: database)
            return try Self.end(database).number
        }
        try FileLock.note(number, at: numberPath)
    }

    /// The same in a transaction that writes. The number has to be noted after it.
    func renewIfOld(in database: Database) throws {
        guard try Self.end(database).number < FileLock.number(at: numberPath) else { return }
        try database.execute(sql: "UPDATE spool SET identity = random(), has_lost = TRUE")
    }

    static func end(_ database: Database) throws -> WebhookPosition {
        WebhookPosition(
            number: try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'notice'") ?? 0,
            spool: try Int64.fetchOne(database, sql: "SELECT identity FROM spool"))
    }

    /// What was noted after a position, in order.
    ///
    /// - Returns: the notices, the position after them, and whether some after the given one are missing: they were
    ///   removed, or this is another spool, or an older copy of it.
    package func notices(
        after position: WebhookPosition, limit: Int
    ) throws -> (notices: [WebhookNotice], end: WebhookPosition, isGapped: Bool) {
        try checkAge()
        return try database.read { database in
            var end = try Self.end(database)
            var isOther = end.number < position.number
            if let known = position.spool {
                isOther = isOther || known != end.spool
            } else if try Bool.fetchOne(database, sql: "SELECT has_lost FROM spool") ?? false {
                // A feed that knew no file cannot tell which events of it came before the loss.
                isOther = true
            }
            if !isOther, end.number == position.number { return ([], end, false) }
            let start = isOther ? 0 : position.number
            let notices = try Row.fetchAll(
                database, sql: "SELECT * FROM notice WHERE id > ? ORDER BY id LIMIT ?", arguments: [start, limit]
            ).map { WebhookNotice($0) }
            let isGapped = isOther || (notices.first?.number ?? 0) != start + 1
            if let last = notices.last { end.number = last.number }
            return (notices, end, isGapped)
        }
    }
}

/// How far a feed read the notices of a spool.
package struct WebhookPosition: Sendable, Equatable {
    /// That of the last notice; 0 before the first one.
    package var number: Int64
    /// The spool's random identity; nil if there was none yet, or by a version that did not note it.
    package var spool: Int64?

    package init(number: Int64, spool: Int64?) {
        (self.number, self.spool) = (number, spool)
    }
}

/// Reads what a listener with the same state directory noted, for a feed, and notices when something of it is missing.
///
/// All methods block the calling thread. They throw `StateDatabaseError` and `StorageError`.
package struct WebhookNoticeReader: Sendable {
    private let directory: StateDirectory
    private var spool: WebhookSpool?
    /// How far the notices were read; nil if that is not known.
    package private(set) var position: WebhookPosition?

    private static let portion = 1000
    /// Where a feed is while there is no file.
    private static let nowhere = WebhookPosition(number: 0, spool: nil)

    /// - Parameter position: where the feed's last run stopped; nil for a new feed, which has to be started.
    package init(_ directory: StateDirectory, after position: WebhookPosition?) {
        (self.directory, self.position) = (directory, position)
    }

    /// Begins after what is there.
    package mutating func start() throws {
        position = try open()?.end() ?? Self.nowhere
    }

    /// What was noted since the last call.
    ///
    /// - Returns: the notices, and whether some before them are missing. If it throws, some may be missing.
    package mutating func next() throws -> (notices: [WebhookNotice], isGapped: Bool) {
        guard let spool = try open() else {
            // The file was removed, with what was not read yet. Whatever a later listener receives is new.
            defer { position = Self.nowhere }
            return ([], position != Self.nowhere)
        }
        guard let before = position else {
            // The beginning could not be read.
            position = try spool.end()
            return ([], true)
        }
        let (notices, end, isGapped) = try spool.notices(after: before, limit: Self.portion)
        position = end
        return (notices, isGapped)
    }

    /// The listener's file; nil if there is none.
    private mutating func open() throws -> WebhookSpool? {
        if spool?.isInPlace != true { spool = try WebhookSpool.existing(in: directory) }
        return spool
    }
}
