import CloverStorage
import GRDB

extension ExportStore {
    /// Writes down what a run was asked for, at its beginning: what it does not reach is known, too.
    package func ask(
        _ resources: [String], destination: String, environment: String, merchant: String, profile: String?, now: Int64
    ) async throws {
        try await write { database in
            for resource in resources {
                try database.execute(
                    sql: """
                        INSERT INTO streams (destination, environment, merchant, resource, profile, asked_at)
                        VALUES (?, ?, ?, ?, ?, ?)
                        ON CONFLICT (destination, environment, merchant, resource)
                        DO UPDATE SET asked_at = excluded.asked_at, profile = excluded.profile
                        """, arguments: [destination, environment, merchant, resource, profile, now])
            }
        }
    }

    /// The stream of a resource, made where there is none, and that it is being tried now.
    package func begin(
        destination: String, environment: String, merchant: String, resource: String, profile: String?, now: Int64
    ) async throws -> ExportStream {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO streams (destination, environment, merchant, resource) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """, arguments: [destination, environment, merchant, resource])
            try database.execute(
                sql: """
                    UPDATE streams SET attempted_at = ?, profile = ?
                    WHERE destination = ? AND environment = ? AND merchant = ? AND resource = ?
                    """, arguments: [now, profile, destination, environment, merchant, resource])
            return try Self.stream(
                database,
                where: "destination = ? AND environment = ? AND merchant = ? AND resource = ?",
                [destination, environment, merchant, resource])
        }
    }

    /// Keeps where the list of a stream begins, so that nobody looks for it again.
    package func keep(beginning: Int64, of stream: Int64) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE streams SET beginning = ? WHERE place = ?", arguments: [beginning, stream])
        }
    }

    /// Keeps what the runs that follow each other write.
    package func keep(_ form: ExportForm, of stream: Int64) async throws {
        try await write { try Self.keep(form, of: stream, $0) }
    }

    static func keep(_ form: ExportForm, of stream: Int64, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE streams SET form = ?, form_words = ? WHERE place = ?",
            arguments: [form.choice, form.words, stream])
    }

    /// Whether a run for what changed is under way of which something is exported.
    package func hasBegun(_ stream: Int64) async throws -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM windows JOIN plans ON windows.plan = plans.place
                        WHERE plans.stream = ? AND plans.drops_known AND windows.is_done)
                    """, arguments: [stream]) ?? false
        }
    }

    /// The merchants that have files in a destination that do not say whose they are, by their names or in each record; with
    /// the sign-in's name of the last run.
    package func merchants(of destination: String) async throws -> [(merchant: String, profile: String?)] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT merchant, profile FROM streams JOIN files ON files.stream = streams.place
                    WHERE streams.destination = ? AND instr(path, merchant) = 0
                        AND ifnull(form_words, '') NOT LIKE '%--tag-merchant%'
                    ORDER BY merchant, profile
                    """, arguments: [destination]
            ).map { ($0["merchant"], $0["profile"]) }
        }
    }

    /// The stream as it is now.
    package func stream(_ place: Int64) async throws -> ExportStream {
        try await read { try Self.stream($0, where: "place = ?", [place]) }
    }

    /// All streams, by destination, merchant and resource.
    package func streams() async throws -> [ExportStream] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM streams ORDER BY destination, merchant, environment, resource"
            ).map(Self.stream)
        }
    }

    /// Writes down that a run failed, or ended before it came to this. A stream that no run was asked for stays unknown.
    package func fail(
        _ text: String, destination: String, environment: String, merchant: String, resource: String
    ) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE streams SET failures = failures + 1, failure = ?
                    WHERE destination = ? AND environment = ? AND merchant = ? AND resource = ?
                    """, arguments: [text, destination, environment, merchant, resource])
        }
    }

    static func stream(
        _ database: Database, where condition: String, _ arguments: StatementArguments
    ) throws -> ExportStream {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM streams WHERE \(condition)", arguments: arguments)
        guard let row else { throw StateDatabaseError.damaged(path: "exports.sqlite") }
        return stream(row)
    }

    private static func form(_ row: Row) -> ExportForm? {
        (row["form"] as String?).map { ExportForm(choice: $0, words: row["form_words"] ?? "") }
    }

    private static func stream(_ row: Row) -> ExportStream {
        ExportStream(
            place: row["place"], destination: row["destination"], environment: row["environment"],
            merchant: row["merchant"], resource: row["resource"], profile: row["profile"],
            bookmark: row["bookmark"], overlap: row["overlap"],
            beginning: row["beginning"], form: form(row), newest: row["newest"], content: row["content"],
            askedAt: row["asked_at"], attemptedAt: row["attempted_at"], succeededAt: row["succeeded_at"],
            interval: row["interval"],
            coveredTo: row["covered_to"], lastRecords: row["last_records"], records: row["records"],
            files: row["files"], failures: row["failures"], failure: row["failure"])
    }
}
