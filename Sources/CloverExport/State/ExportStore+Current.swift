import GRDB

/// Current files: one row per record, beside the change files of a resource.
extension ExportStore {
    /// Records that a resource has a current file from now on.
    package func keepCurrent(of stream: Int64) async throws {
        try await execute("UPDATE streams SET keeps_current = 1 WHERE place = ?", [stream])
    }

    /// Whether any file of a stream was published.
    package func hasFiles(of stream: Int64) async throws -> Bool {
        try await read {
            try $0.value("SELECT EXISTS (SELECT 1 FROM files WHERE stream = ?)", [stream]) ?? false
        }
    }

    /// The current file of a resource that is made of change files; nil when there is none, or when the user took it away.
    package func currentFile(of resource: String, in stream: Int64) async throws -> StoredFile? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT * FROM files WHERE stream = ? AND resource = ? AND role = 'current' AND NOT is_forgotten
                    ORDER BY place DESC LIMIT 1
                    """, arguments: [stream, PublishedFile.Role.current.name(of: resource)]
            ).map(StoredFile.init)
        }
    }

    /// The change files of continuous runs that a current file lacks, oldest first. A file that another of the same name
    /// replaced is not among them.
    ///
    /// - Parameter base: row id of the current file; nil for all change files.
    package func changeFiles(of resource: String, in stream: Int64, after base: Int64?) async throws -> [StoredFile] {
        try await read { try Self.changeFiles(of: resource, in: stream, after: base, $0).map(StoredFile.init) }
    }

    private static func changeFiles(
        of resource: String, in stream: Int64, after base: Int64?, _ database: Database
    ) throws -> [Row] {
        try database.rows(
            """
            SELECT * FROM files WHERE stream = ? AND resource = ? AND \(isChangeFile)
                AND (merged_into IS NULL OR ? IS NULL OR merged_into > ?)
                AND NOT EXISTS (
                    SELECT 1 FROM files AS other
                    WHERE other.destination = files.destination AND other.path = files.path AND other.is_first
                        AND other.place > files.place)
            ORDER BY place
            """, [stream, resource, base, base])
    }

    /// The current files that lack change files of complete runs, with the number of these, by path.
    static func outdatedCurrentFiles(in destination: String, _ database: Database) throws -> [String: Int] {
        let files = try database.rows(
            """
            SELECT path, stream, resource, max(place) AS place FROM files
            WHERE destination = ? AND role = 'current' AND NOT is_forgotten GROUP BY stream, resource
            """, [destination])
        var outdated: [String: Int] = [:]
        for file in files {
            let rows = try changeFiles(
                of: PublishedFile.Role.current.resource(file["resource"]), in: file["stream"], after: file["place"],
                database)
            let path: String = file["path"]
            let count = rows.count { $0["is_regular"] as Bool && !($0["is_forgotten"] as Bool) }
            if count > 0 { outdated[path] = count }
        }
        return outdated
    }

    /// The condition of a row of `files` with changes of records, which a current file is made of. A file that replaced one
    /// of a continuous run has its window, also where the run that wrote it was interrupted.
    private static let isChangeFile = """
        field NOT NULL AND role IS NULL AND broken_plan IS NULL AND (is_regular OR is_first AND EXISTS (
            SELECT 1 FROM files AS former
            WHERE former.destination = files.destination AND former.path = files.path AND former.is_regular
                AND former.role IS NULL AND former.place < files.place))
        """

    /// Records a current file that was published.
    package func add(current file: PublishedFile, to stream: ExportStream) async throws {
        try await write { database in
            try Self.add(file, to: stream, database)
            try Self.keep(file.path, in: stream.destination, database)
        }
    }

    /// Marks the change files whose records are in the current file that was just added, and has later runs keep it up to
    /// date, also where the run that made it was interrupted.
    static func merged(
        upTo last: Int64, of file: PublishedFile, in stream: ExportStream, _ database: Database
    ) throws {
        let place = database.lastInsertedRowID
        try database.run(
            "UPDATE files SET merged_into = ? WHERE stream = ? AND resource = ? AND place <= ? AND \(isChangeFile)",
            [place, stream.place, PublishedFile.Role.current.resource(file.resource), last])
        try database.run("UPDATE streams SET keeps_current = 1 WHERE place = ?", [stream.place])
    }

    /// Prepares for the loss of a file: a lost log begins again with all records, and the change files of a lost current
    /// file are merged again.
    static func goBackCurrent(_ stream: Int64, before file: Row, _ database: Database) throws {
        let role = (file["role"] as String?).flatMap(PublishedFile.Role.init)
        if role == .log {
            try database.run(
                "DELETE FROM current_records WHERE stream = ? AND resource = ?",
                [stream, PublishedFile.Role.log.resource(file["resource"])])
        }
        try database.run(
            "UPDATE files SET merged_into = NULL WHERE stream = ? AND merged_into = ?",
            [stream, file["place"] as Int64])
    }

    /// Number of records in the current files of streams; none for a stream without a current file.
    package func recordCounts(of streams: [Int64]) async throws -> [Int64: Int64] {
        try await read { database in
            var counts: [Int64: Int64] = [:]
            for stream in streams {
                counts[stream] = try database.value(
                    """
                    SELECT json_extract(line, '$.records') FROM files JOIN streams ON streams.place = files.stream
                    WHERE files.stream = ? AND role = 'current' AND keeps_current
                        AND files.resource IN (streams.resource, streams.resource || '.current')
                    ORDER BY files.place DESC LIMIT 1
                    """, [stream])
            }
            return counts
        }
    }
}

/// Files that get another path: the state has the move before it happens, so that the next run completes it.
extension ExportStore {
    /// A file that is being moved in its destination.
    package struct Move: Sendable, Equatable {
        package var path: String
        package var newPath: String

        package init(path: String, newPath: String) {
            self.path = path
            self.newPath = newPath
        }
    }

    /// Records that files are about to be moved.
    package func intend(_ moves: [Move], in destination: String) async throws {
        try await write { database in
            for move in moves {
                try database.run(
                    "INSERT OR REPLACE INTO moves (destination, path, new_path) VALUES (?, ?, ?)",
                    [destination, move.path, move.newPath])
            }
        }
    }

    /// Moves that are not recorded as done.
    package func moves(in destination: String) async throws -> [Move] {
        try await read { try Self.moves(in: destination, $0) }
    }

    static func moves(in destination: String, _ database: Database) throws -> [Move] {
        try database.rows("SELECT path, new_path FROM moves WHERE destination = ? ORDER BY path", [destination])
            .map { Move(path: $0["path"], newPath: $0["new_path"]) }
    }

    /// Records that the moves are done. The manifest is then written anew.
    package func settle(_ moves: [Move], in destination: String) async throws {
        guard !moves.isEmpty else { return }
        try await write { database in
            for move in moves {
                try database.run(
                    """
                    UPDATE files SET path = ?1, base = ?1, line = json_set(line, '$.file', ?1)
                    WHERE destination = ?2 AND path = ?3
                    """, [move.newPath, destination, move.path])
                try database.run("DELETE FROM moves WHERE destination = ? AND path = ?", [destination, move.path])
            }
            try Self.invalidateManifest(in: destination, database)
        }
    }

    /// Drops moves of files that are not there.
    package func drop(_ moves: [Move], in destination: String) async throws {
        try await write { database in
            for move in moves {
                try database.run("DELETE FROM moves WHERE destination = ? AND path = ?", [destination, move.path])
            }
        }
    }

    /// Turns a file with a whole list into the list's current file, in the records of the state.
    package func makeCurrent(_ place: Int64) async throws {
        try await write { database in
            try database.run(
                "UPDATE files SET role = 'current', line = json_set(line, '$.role', 'current') WHERE place = ?",
                [place])
            let destination: String? = try database.value("SELECT destination FROM files WHERE place = ?", [place])
            if let destination { try Self.invalidateManifest(in: destination, database) }
        }
    }
}
