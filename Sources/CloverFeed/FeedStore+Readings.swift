import CloverJSON
import GRDB

// A reading: records are taken page by page, and become changes when the reading is complete.

extension FeedStore {
    /// Begins a reading of a list. What an earlier one left that was not completed is dropped.
    package func begin(_ stream: FeedStream) async throws {
        let resource = stream.resource
        try await write { database in
            let place = try Self.place(of: resource, database)
            try database.run("DELETE FROM staged WHERE stream = ?", [place])
            try database.run("DELETE FROM seen", [])
        }
    }

    /// Takes records: what is known is dropped, the rest becomes changes.
    ///
    /// - Parameter now: this machine's time when the reading began; the order of records without a time of change.
    /// - Returns: the number of changes.
    package func take(
        _ records: [SeenRecord], of stream: FeedStream, _ poll: FeedPoll, at now: Int64
    ) async throws -> Int {
        let (resource, rules, floor) = (stream.resource, stream.rules, stream.state.floor)
        let isFirst = !stream.state.hasBegun
        let isLost = stream.state.isLost
        guard !records.isEmpty else { return 0 }
        return try await write { database in
            let place = try Self.place(of: resource, database)
            var count = 0
            for record in records {
                // A later page may show an older copy of a record.
                if let time = record.time,
                    let newest = try Int64.fetchOne(
                        database.cachedStatement(sql: "SELECT time FROM seen WHERE id = ?"), arguments: [record.id]),
                    newest > time
                {
                    continue
                }
                try database.run("INSERT OR REPLACE INTO seen (id, time) VALUES (?, ?)", [record.id, record.time])
                let known = try Version.known(record.id, in: place, database)
                if let known, !known.isNews(record, in: poll, at: now) { continue }
                // What was delivered as deleted and is there again is news, however old it is.
                guard poll.delivers(record) || known?.isDeleted == true else {
                    try database.run(
                        "INSERT OR REPLACE INTO known (stream, id, time, hash, is_deleted) VALUES (?, ?, ?, ?, ?)",
                        [place, record.id, record.time, record.hash, record.isDeleted])
                    continue
                }
                let staged = try Version.staged(record.id, in: place, database)
                if let staged, !staged.isNews(record, in: poll, at: now) { continue }
                let kind: FeedChange.Kind =
                    if record.isDeleted { .deleted } else if let before = staged ?? known {
                        before.isDeleted ? .created : .updated
                    } else if isLost {
                        // Whether an earlier feed delivered it is unknown, and it was there before this one.
                        .updated
                    } else if rules.changeField == nil || rules.hasBaseline {
                        // A list that is read for the first time: what was made since the floor came after it.
                        isFirst && record.created ?? .min < floor ?? .max ? .updated : .created
                    } else {
                        // Seen for the first time; before the floor it was there already, as far as it says so.
                        record.created ?? .max >= floor ?? .min ? .created : .updated
                    }
                try database.run(
                    """
                    INSERT INTO staged (stream, id, time, hash, is_deleted, at, change, record)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        place, record.id, record.time, record.hash, record.isDeleted, record.time ?? now, kind.rawValue,
                        record.bytes.data,
                    ])
                count += 1
            }
            return count
        }
    }

    /// The ids of the known records that a complete reading did not see.
    package func missing(of stream: FeedStream, _ poll: FeedPoll) async throws -> [String] {
        let resource = stream.resource
        return try await write { database in
            let place = try Self.place(of: resource, database)
            // A record without an id was replaced rather than deleted.
            try database.run(
                "DELETE FROM known WHERE stream = ? AND id GLOB '#*' AND id NOT IN (SELECT id FROM seen)", [place])
            return try String.fetchAll(
                database,
                sql: """
                    SELECT id FROM known WHERE stream = ? AND NOT is_deleted AND (time IS NULL OR time >= ?)
                    AND id NOT IN (SELECT id FROM seen)
                    """, arguments: [place, poll.from ?? .min])
        }
    }

    /// Makes changes of records that a complete reading did not see.
    ///
    /// - Returns: their number.
    package func takeMissing(_ ids: [String], of stream: FeedStream, at now: Int64) async throws -> Int {
        guard !ids.isEmpty else { return 0 }
        let resource = stream.resource
        return try await write { database in
            let place = try Self.place(of: resource, database)
            for id in ids { try Self.addDeletion(of: id, time: nil, at: now, in: place, database) }
            return ids.count
        }
    }

    /// Makes a change of a record that is known to be deleted, such as from a webhook. A version of it that was changed
    /// before is not delivered any more.
    ///
    /// - Parameter at: when it was deleted, in milliseconds since 1970.
    /// - Returns: whether that is news.
    package func takeDeletion(of id: String, in stream: FeedStream, at: Int64) async throws -> Bool {
        let resource = stream.resource
        return try await write { database in
            let place = try Self.place(of: resource, database)
            let last = try Version.staged(id, in: place, database) ?? Version.known(id, in: place, database)
            guard last?.isDeleted != true else { return false }
            try Self.addDeletion(of: id, time: at, at: at, in: place, database)
            return true
        }
    }

    /// Whether the latest version of a record that is known is its deletion.
    package func knowsDeletion(of id: String, in stream: FeedStream) async throws -> Bool {
        let resource = stream.resource
        return try await read { database in
            let place = try Self.place(of: resource, database)
            let last = try Version.staged(id, in: place, database) ?? Version.known(id, in: place, database)
            return last?.isDeleted == true
        }
    }

    private static func addDeletion(
        of id: String, time: Int64?, at: Int64, in place: Int64, _ database: Database
    ) throws {
        let record = #"{"id":\#(JSONString.quoted(id))}"#
        try database.run(
            """
            INSERT INTO staged (stream, id, time, hash, is_deleted, at, change, record)
            VALUES (?, ?, ?, NULL, TRUE, ?, ?, ?)
            """, [place, id, time, at, FeedChange.Kind.deleted.rawValue, Array(record.utf8).data])
    }

    /// Publishes the changes of complete readings, in order of change, with the new state of their lists: from now on they
    /// are delivered, whatever happens.
    ///
    /// - Parameter position: how far the reports of others were taken; nil leaves it as it is.
    /// - Returns: the number of changes.
    package func publish(_ streams: [FeedStream], reportedThrough position: FeedReport.Position? = nil) async throws
        -> Int
    {
        guard !streams.isEmpty || position != nil else { return 0 }
        let count = try await write { database in
            if let position {
                try database.run(
                    "UPDATE feed SET reported_through = ?, reported_by = ?", [position.number, position.source])
            }
            var places: [Int64] = []
            for stream in streams {
                let state = stream.state
                try database.run(
                    """
                    UPDATE streams SET floor = ?, position = ?, deep_position = ?, has_begun = ?, read_at = ?,
                    deep_read_at = ?, complete_at = ?, is_lost = ?, misses_reports = ? WHERE resource = ?
                    """,
                    [
                        state.floor, state.position, state.deepPosition, state.hasBegun, state.readAt, state.deepReadAt,
                        state.completeAt, state.isLost, state.missesReports, stream.resource,
                    ])
                places.append(try Self.place(of: stream.resource, database))
            }
            var sequence = try Int64.fetchOne(database, sql: "SELECT next_sequence FROM feed") ?? 1
            let list = places.map(String.init).joined(separator: ",")
            try database.execute(
                sql: """
                    INSERT INTO pending (stream, id, time, hash, is_deleted, at, change, record, sequence)
                    SELECT stream, id, time, hash, is_deleted, at, change, record,
                        ? - 1 + row_number() OVER (ORDER BY at, place)
                    FROM staged WHERE stream IN (\(list)) ORDER BY at, place
                    """, arguments: [sequence])
            let count = database.changesCount
            guard count > 0 else { return 0 }
            sequence += Int64(count)
            try database.run("UPDATE feed SET next_sequence = ?", [sequence])
            try database.execute(sql: "DELETE FROM staged WHERE stream IN (\(list))")
            return count
        }
        try await noteNumber()
        return count
    }
}

extension FeedPoll {
    /// Whether a record that is not known is delivered, or only noted.
    fileprivate func delivers(_ record: SeenRecord) -> Bool {
        guard let deliversFrom else { return true }
        // Of a list that was asked for its changes, one that does not show its time may be one of them.
        return (record.time ?? record.created).map { $0 >= deliversFrom } ?? (purpose == .changes && from != nil)
    }
}

/// The version of a record that is known.
private struct Version {
    var time: Int64?
    var hash: Int64?
    var isDeleted: Bool

    static func known(_ id: String, in place: Int64, _ database: Database) throws -> Version? {
        try one("SELECT time, hash, is_deleted FROM known WHERE stream = ? AND id = ?", [place, id], database)
    }

    /// The latest version that is not delivered yet.
    static func staged(_ id: String, in place: Int64, _ database: Database) throws -> Version? {
        for table in ["staged", "pending"] {
            let sql =
                "SELECT time, hash, is_deleted FROM \(table) WHERE stream = ? AND id = ? ORDER BY place DESC LIMIT 1"
            if let version = try one(sql, [place, id], database) { return version }
        }
        return nil
    }

    private static func one(_ sql: String, _ arguments: StatementArguments, _ database: Database) throws -> Version? {
        try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments).map {
            Version(time: $0[0], hash: $0[1], isDeleted: $0[2])
        }
    }

    /// Whether the record is another version.
    ///
    /// - Parameter now: this machine's time when the reading began.
    func isNews(_ record: SeenRecord, in poll: FeedPoll, at now: Int64) -> Bool {
        // A tombstone: what was changed before the deletion is a late view of it.
        guard let hash else { return time.map { record.time ?? .max > $0 } ?? true }
        // One of the service's machines may be behind. If the record was really set back, a complete reading delivers it.
        // A time in the future is followed by earlier ones.
        if poll.purpose == .changes, let time, time <= now, record.time ?? .max < time { return false }
        return hash != record.hash || time != record.time
    }
}
