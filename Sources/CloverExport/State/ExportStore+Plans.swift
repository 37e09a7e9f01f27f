import CloverSystem
import FoundationEssentials
import GRDB

extension ExportStore {
    /// The unfinished plan for a key; nil when there is none.
    package func plan(_ request: String, of stream: Int64) async throws -> ExportPlan? {
        try await read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM plans WHERE stream = ? AND request = ?", arguments: [stream, request])
            guard let row else { return nil }
            let windows = try database.rows(
                "SELECT * FROM windows WHERE plan = ? ORDER BY place", [row["place"] as Int64])
            var plan = ExportPlan(
                request: row["request"], startedAt: row["started_at"], finish: row["finish"],
                skipsKnownRecords: row["drops_known"])
            plan.place = row["place"]
            plan.filesBefore = row["files_before"]
            plan.start = row["start"]
            plan.records = row["records"]
            plan.newest = row["newest"]
            plan.content = row["content"]
            plan.windows = windows.map { PlannedWindow(field: $0["field"], from: $0["start"], to: $0["finish"]) }
            plan.done = Set(windows.indices.filter { windows[$0]["is_done"] })
            return plan
        }
    }

    /// The keys of the unfinished plans, by stream.
    package func unfinishedPlans() async throws -> [Int64: [String]] {
        try await read { database in
            let rows = try database.rows("SELECT stream, request FROM plans ORDER BY place", [])
            return Dictionary(grouping: rows) { $0["stream"] as Int64 }.mapValues { $0.map { $0["request"] } }
        }
    }

    /// Deletes a plan: the next run makes another one.
    package func drop(_ plan: ExportPlan) async throws {
        try await execute("DELETE FROM plans WHERE place = ?", [plan.place])
    }

    /// Starts a plan again with the same range. Its requested service exports are kept.
    package func restart(_ plan: ExportPlan) async throws -> ExportPlan {
        try await write { database in
            try database.run("UPDATE windows SET is_done = 0 WHERE plan = ?", [plan.place])
            try database.run("DELETE FROM found_records WHERE plan = ?", [plan.place])
            try database.run(
                "UPDATE plans SET records = 0, newest = NULL, content = NULL WHERE place = ?", [plan.place])
        }
        var plan = plan
        plan.records = 0
        plan.newest = nil
        plan.content = nil
        plan.done = []
        return plan
    }

    package func reopen(_ window: Int, of plan: ExportPlan) async throws {
        try await execute("UPDATE windows SET is_done = 0 WHERE plan = ? AND place = ?", [plan.place, window])
    }

    /// Stores a plan and returns it with its row id. An incremental plan replaces all other incremental plans.
    package func add(_ plan: ExportPlan, to stream: Int64) async throws -> ExportPlan {
        try await write { database in
            var plan = plan
            if plan.skipsKnownRecords {
                try database.run("DELETE FROM plans WHERE stream = ? AND drops_known", [stream])
            }
            plan.filesBefore = try Int64.fetchOne(database, sql: "SELECT max(place) FROM files") ?? 0
            try database.run(
                """
                INSERT INTO plans (stream, request, started_at, start, finish, drops_known, files_before)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    stream, plan.request, plan.startedAt, plan.start, plan.finish, plan.skipsKnownRecords,
                    plan.filesBefore,
                ])
            plan.place = database.lastInsertedRowID
            // The row id may have belonged to a plan that is over.
            try database.run("UPDATE files SET broken_plan = 0 WHERE broken_plan = ?", [plan.place])
            for (place, window) in plan.windows.enumerated() {
                try database.run(
                    "INSERT INTO windows (plan, place, field, start, finish) VALUES (?, ?, ?, ?, ?)",
                    [plan.place, place, window.field, window.from, window.to])
            }
            return plan
        }
    }

    /// Record versions that the last run exported near its end, by id.
    package func knownRecords(of stream: Int64) async throws -> [String: ExportedVersions.Version] {
        try await read { database in
            let rows = try database.rows("SELECT id, time, hash FROM known_records WHERE stream = ?", [stream])
            return Dictionary(
                uniqueKeysWithValues: rows.map {
                    ($0["id"] as String, ExportedVersions.Version(time: $0["time"], hash: $0["hash"]))
                })
        }
    }

    /// Results of a window.
    package struct WindowEnd: Sendable {
        package var files: [PublishedFile] = []
        package var records: Int64 = 0
        package var newest: Int64?
        package var found: [String: ExportedVersions.Version] = [:]
        /// Checksum of a resource exported in full.
        package var content: String?
        /// The resource and its parts that have no records in a window of a continuous run, and so no file.
        package var empty: [String] = []
        /// Revision of a destination that is a database, after the window; nil for any other.
        package var revision: Int64?
        /// The records of a list that is exported in full, by resource or part.
        package var listed: [String: ListedRecords] = [:]

        package init() {}
    }

    /// Records that a window is done and its files are published.
    package func finish(
        _ window: Int, of plan: ExportPlan, in stream: ExportStream, _ end: WindowEnd
    ) async throws {
        try await write { database in
            try database.run("UPDATE windows SET is_done = 1 WHERE plan = ? AND place = ?", [plan.place, window])
            try database.run(
                "UPDATE plans SET records = records + ?, content = ? WHERE place = ?",
                [end.records, end.content, plan.place])
            try Self.raise("newest", of: "plans", at: plan.place, to: end.newest, database)
            for (id, version) in end.found {
                try database.run(
                    "INSERT OR REPLACE INTO found_records (plan, id, time, hash) VALUES (?, ?, ?, ?)",
                    [plan.place, id, version.time, version.hash])
            }
            for file in end.files {
                // The file's line names them.
                try database.run(
                    "UPDATE empty_windows SET is_listed = 1 WHERE stream = ? AND resource = ?",
                    [stream.place, file.resource])
                try Self.add(file, to: stream, database)
                try Self.keep(file.path, in: stream.destination, database)
            }
            for (resource, records) in end.listed {
                try Self.replaceCurrent(records, of: resource, in: stream.place, run: plan.startedAt, database)
            }
            let done = plan.windows[window]
            if let from = done.from, from <= done.to {
                for resource in end.empty {
                    try Self.addEmpty(from..<done.to, of: resource, to: stream.place, database)
                }
            }
            // What is written again in place of a lost file was counted before.
            let isNew = plan.missingFile == nil
            try database.run(
                """
                UPDATE streams SET records = records + ?, files = files + ?, revision = ifnull(?, revision) WHERE place = ?
                """,
                [
                    isNew ? end.records : 0, isNew ? end.files.count { $0.role != .failed } : 0, end.revision,
                    stream.place,
                ])
        }
    }

    /// Raises a column to a value unless it is higher; nil changes nothing.
    private static func raise(
        _ column: String, of table: String, at place: Int64, to value: Int64?, _ database: Database
    ) throws {
        guard let value else { return }
        try database.run(
            "UPDATE \(table) SET \(column) = ? WHERE place = ? AND ifnull(\(column) < ?, 1)", [value, place, value])
    }

    static func add(_ file: PublishedFile, to stream: ExportStream, _ database: Database) throws {
        let makesManifestAnew: Bool
        if file.isFirst {
            // The file replaces another, whose manifest lines must go.
            makesManifestAnew =
                try database.value(
                    "SELECT EXISTS (SELECT 1 FROM files WHERE destination = ? AND path = ?)",
                    [stream.destination, file.path]) ?? false
            if makesManifestAnew { try Self.unlistEmpty(of: stream.place, database) }
        } else {
            // A file with a single window becomes the beginning of a growing file.
            try database.run(
                """
                UPDATE files SET line = json_insert(line, '$.offset', 0)
                WHERE place = (SELECT max(place) FROM files WHERE destination = ? AND path = ?)
                    AND json_extract(line, '$.offset') IS NULL
                """, [stream.destination, file.path])
            makesManifestAnew = database.changesCount > 0
        }
        if makesManifestAnew { try Self.invalidateManifest(in: stream.destination, database) }
        try database.run(
            """
            INSERT INTO files
                (destination, stream, path, base, number, resource, field, start, finish, sha256, line, form,
                choice, is_first, is_tagged, words, role, is_regular)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
            """,
            [
                stream.destination, stream.place, file.path, file.base, file.number, file.resource, file.window.field,
                file.window.from, file.window.to, file.sha256, file.line, file.form, file.choice, file.isFirst,
                file.isTagged,
                try file.words.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
                file.role?.rawValue,
            ])
        if let last = file.mergedUpTo { try Self.merged(upTo: last, of: file, in: stream, database) }
        try database.run("DELETE FROM publishing WHERE destination = ? AND path = ?", [stream.destination, file.path])
    }

    /// What a finished plan leaves for the next run. Times are milliseconds since 1970.
    package struct PlanEnd: Sendable {
        /// Start of the next run's range; nil to keep the bookmark and the known records.
        package var bookmark: Int64?
        /// Milliseconds from the bookmark to the end of the exported range.
        package var overlap: Int64?
        /// Parts whose history before the bookmark is complete.
        package var parts: [String] = []
        /// Changes before this time are exported; nil to keep the value.
        package var coveredTo: Int64?
        /// Form of incremental runs from now on; nil to keep it.
        package var form: ExportForm?
        package var changesForm = false
        /// Key of an unfinished plan of which this run has everything; nil if there can be none.
        package var superseded: String?
        /// Whether the run counts for the interval between runs, which predicts the next one.
        package var isRegular = false

        package init() {}
    }

    /// Finishes a plan: moves the bookmark and deletes the plan in one transaction.
    ///
    /// - Parameter now: milliseconds since 1970. Times after it that an earlier run recorded came from a clock that was
    ///   ahead, and are cleared.
    package func complete(_ plan: ExportPlan, of stream: Int64, _ end: PlanEnd, now: Int64) async throws {
        try await write { database in
            for column in ["succeeded_at", "covered_to"] {
                try database.run(
                    "UPDATE streams SET \(column) = NULL WHERE place = ? AND \(column) > ?", [stream, now])
            }
            if let bookmark = end.bookmark {
                try database.run("DELETE FROM known_records WHERE stream = ?", [stream])
                try database.run(
                    """
                    INSERT INTO known_records (stream, id, time, hash)
                    SELECT ?, id, time, hash FROM found_records WHERE plan = ? AND ifnull(time >= ?, 1)
                    """, [stream, plan.place, bookmark])
                // A part that this run did not export is no longer in step, unless there was nothing new.
                try database.run(
                    """
                    UPDATE parts SET reached = CASE
                        WHEN reached = (SELECT bookmark FROM streams WHERE place = ?1)
                            AND (SELECT records FROM plans WHERE place = ?2) = 0 THEN ?3
                        WHEN reached = ?3 THEN ?3 - 1 ELSE reached END
                    WHERE stream = ?1
                    """, [stream, plan.place, bookmark])
                for part in end.parts { try Self.note(part, of: stream, reached: bookmark, database) }
                // An interrupted earlier run has nothing that is not in this one, and one of another form will not be
                // resumed.
                try database.run(
                    "DELETE FROM plans WHERE stream = ? AND drops_known AND place <> ? AND (finish <= ? OR ?)",
                    [stream, plan.place, plan.finish, end.changesForm])
            }
            if let superseded = end.superseded {
                try database.run(
                    "DELETE FROM plans WHERE stream = ? AND request = ? AND place <> ? AND finish <= ?",
                    [stream, superseded, plan.place, plan.finish])
            }
            // The next incremental run follows these files.
            if end.bookmark != nil || plan.skipsKnownRecords { try Self.markRegular(plan, of: stream, database) }
            if end.isRegular {
                try database.run(
                    "UPDATE streams SET interval = ? - succeeded_at WHERE place = ? AND succeeded_at < ?",
                    [plan.startedAt, stream, plan.startedAt])
            }
            let found = try Row.fetchOne(
                database, sql: "SELECT records, newest, content FROM plans WHERE place = ?", arguments: [plan.place])
            try database.run(
                """
                UPDATE streams SET bookmark = ifnull(?, bookmark), overlap = ifnull(?, overlap), content = ifnull(?, content),
                    last_records = ?, failures = 0, failure = NULL
                WHERE place = ?
                """,
                [end.bookmark, end.overlap, found?["content"] as String?, found?["records"] as Int64? ?? 0, stream])
            if let form = end.form { try Self.keep(form, of: stream, database) }
            if end.changesForm {
                // The other parts were not exported in the new form.
                let known = try String.fetchAll(
                    database, sql: "SELECT name FROM parts WHERE stream = ?", arguments: [stream])
                for part in known where !end.parts.contains(part) {
                    try database.run("DELETE FROM parts WHERE stream = ? AND name = ?", [stream, part])
                }
            }
            try Self.raise("succeeded_at", of: "streams", at: stream, to: plan.startedAt, database)
            try Self.raise("covered_to", of: "streams", at: stream, to: end.coveredTo, database)
            try Self.raise("newest", of: "streams", at: stream, to: found?["newest"], database)
            try database.run("DELETE FROM plans WHERE place = ?", [plan.place])
        }
    }

    /// How far each part was exported along with its records, in milliseconds since 1970: to the bookmark when it is in step.
    /// A part that never was is absent.
    package func parts(of stream: Int64) async throws -> [String: Int64] {
        try await read { database in
            let rows = try database.rows("SELECT name, reached FROM parts WHERE stream = ?", [stream])
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"] as String, $0["reached"] as Int64) })
        }
    }

    /// Marks the files of a finished plan, and those of its windows that an earlier run left, as files of incremental runs.
    private static func markRegular(_ plan: ExportPlan, of stream: Int64, _ database: Database) throws {
        try database.run(
            """
            UPDATE files SET is_regular = 1
            WHERE stream = ? AND NOT is_regular AND EXISTS (
                SELECT 1 FROM windows WHERE plan = ? AND windows.field IS files.field
                    AND windows.start IS files.start AND windows.finish = files.finish)
            """, [stream, plan.place])
    }

    /// Finishes a plan that exported the history of parts.
    ///
    /// - Parameter reached: how far the parts are exported, at most up to the bookmark of the records.
    package func complete(_ plan: ExportPlan, of stream: Int64, parts: [String], reached: Int64) async throws {
        try await write { database in
            for part in parts { try Self.note(part, of: stream, reached: reached, database) }
            try Self.markRegular(plan, of: stream, database)
            try database.run("DELETE FROM plans WHERE place = ?", [plan.place])
        }
    }

    private static func note(_ part: String, of stream: Int64, reached: Int64, _ database: Database) throws {
        try database.run(
            "INSERT OR REPLACE INTO parts (stream, name, reached) VALUES (?, ?, ?)", [stream, part, reached])
    }
}

/// Exports that a run requested from Clover's Export API.
extension ExportStore {
    /// The stored state of a window's exports.
    ///
    /// - Parameters:
    ///   - plan: row id of the plan.
    ///   - window: number of the window in the plan.
    package func serviceExports(_ window: Int, of plan: Int64) async throws -> ExportAPIState {
        let text: String? = try await value(
            "SELECT state FROM service_exports WHERE plan = ? AND place = ?", [plan, window])
        guard let text else { return ExportAPIState() }
        return try JSONDecoder().decode(ExportAPIState.self, from: Data(text.utf8))
    }

    package func keep(_ state: ExportAPIState, _ window: Int, of plan: Int64) async throws {
        let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        try await execute(
            "INSERT OR REPLACE INTO service_exports (plan, place, state) VALUES (?, ?, ?)", [plan, window, text])
    }
}
