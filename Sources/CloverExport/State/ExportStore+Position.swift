import GRDB

/// How far a resource is exported: what a destination that keeps this itself needs to know, and gives back when its state
/// was lost, or is another one's.
package struct ExportPosition: Sendable, Equatable {
    /// As in `ExportStream`.
    package var bookmark: Int64?
    package var overlap: Int64?
    package var beginning: Int64?
    package var newest: Int64?
    package var content: String?
    package var form: ExportForm?
    /// How far each part is exported, in milliseconds since 1970.
    package var parts: [String: Int64] = [:]

    package init() {}

    /// Up to when the resource or one of its parts is exported, in milliseconds since 1970; nil for nothing.
    package var latest: Int64? { (parts.values + [bookmark].compactMap(\.self)).max() }
}

extension ExportPlan {
    /// Identifies the plan in a destination: no two plans of a resource begin at the same time.
    package var identity: String { "\(request)@\(startedAt)" }
}

extension ExportStore {
    /// The position of a stream, the unfinished plans, and the revision of the destination when it last wrote to it.
    package func position(
        of stream: Int64
    ) async throws -> (position: ExportPosition, plans: [String: Set<Int>], revision: Int64?) {
        try await read { database in
            let found = try Self.stream(database, where: "place = ?", [stream])
            return (
                try Self.position(found, database), try Self.plans(of: stream, database),
                try database.value("SELECT revision FROM streams WHERE place = ?", [stream])
            )
        }
    }

    private static func position(_ stream: ExportStream, _ database: Database) throws -> ExportPosition {
        var position = ExportPosition()
        position.bookmark = stream.bookmark
        position.overlap = stream.overlap
        position.beginning = stream.beginning
        position.newest = stream.newest
        position.content = stream.content
        position.form = stream.form
        for row in try database.rows("SELECT name, reached FROM parts WHERE stream = ?", [stream.place]) {
            position.parts[row["name"]] = row["reached"] as Int64
        }
        return position
    }

    /// Finished windows of the unfinished plans, by plan.
    private static func plans(of stream: Int64, _ database: Database) throws -> [String: Set<Int>] {
        var plans: [String: Set<Int>] = [:]
        let rows = try database.rows(
            """
            SELECT request || '@' || started_at AS identity, windows.place AS "window", is_done
            FROM plans LEFT JOIN windows ON windows.plan = plans.place WHERE stream = ?
            """, [stream])
        for row in rows {
            let plan: String = row["identity"]
            plans[plan, default: []] = plans[plan] ?? []
            if row["is_done"] as Bool? == true { plans[plan]?.insert(row["window"]) }
        }
        return plans
    }

    /// Sets a stream to what its destination says of itself.
    ///
    /// - Parameters:
    ///   - position: empty for a resource of which the destination has nothing.
    ///   - windows: the finished windows that the destination has, by plan. A plan with others is done again.
    package func restore(
        _ position: ExportPosition, revision: Int64?, windows: [String: Set<Int>], of stream: Int64
    ) async throws {
        try await write { database in
            let known = try Self.position(Self.stream(database, where: "place = ?", [stream]), database)
            for (plan, done) in try Self.plans(of: stream, database) {
                // A plan of another position would leave a gap.
                guard known != position || !done.isSubset(of: windows[plan] ?? []) else { continue }
                try database.run(
                    "DELETE FROM plans WHERE stream = ? AND request || '@' || started_at = ?", [stream, plan])
            }
            try database.run(
                """
                UPDATE streams SET bookmark = ?, overlap = ?, beginning = ?, newest = ?, content = ?, form = ?,
                    form_words = ?, revision = ?
                WHERE place = ?
                """,
                [
                    position.bookmark, position.overlap, position.beginning, position.newest, position.content,
                    position.form?.choice, position.form?.words, revision, stream,
                ])
            // They may be versions that the destination does not have.
            try database.run("DELETE FROM known_records WHERE stream = ?", [stream])
            try database.run("DELETE FROM parts WHERE stream = ?", [stream])
            for (part, reached) in position.parts {
                try database.run("INSERT INTO parts (stream, name, reached) VALUES (?, ?, ?)", [stream, part, reached])
            }
        }
    }
}
