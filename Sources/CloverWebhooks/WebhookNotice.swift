import CloverSystem
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

extension WebhookSpool {
    /// The number of the last event that was noted; 0 if there was none.
    package func lastNotice() throws -> Int64 {
        try database.read { try Self.lastNotice($0) }
    }

    private static func lastNotice(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'notice'") ?? 0
    }

    /// What was noted after the one with this number, in order.
    ///
    /// - Returns: the notices, and whether some after that number are missing: they were removed, or this is another
    ///   spool.
    package func notices(after number: Int64, limit: Int) throws -> (notices: [WebhookNotice], isGapped: Bool) {
        try database.read { database in
            let last = try Self.lastNotice(database)
            if last == number { return ([], false) }
            let isOther = last < number
            let start = isOther ? 0 : number
            let notices = try Row.fetchAll(
                database, sql: "SELECT * FROM notice WHERE id > ? ORDER BY id LIMIT ?", arguments: [start, limit]
            ).map { WebhookNotice($0) }
            return (notices, isOther || (notices.first?.number ?? 0) != start + 1)
        }
    }
}
