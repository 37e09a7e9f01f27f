import CloverJSON
import CloverSystem
import GRDB
import Glibc

/// Makes a current file: one row per record, sorted by the bytes of the ids, from an earlier current file and the change
/// files after it. Records are NDJSON with an `id`.
///
/// Memory stays flat: the changes are indexed in a temporary database, and the earlier file is read once, piece by piece.
/// All methods block on disk access.
package struct CurrentMerge {
    /// What was written.
    package struct Result: Sendable, Equatable {
        package var records: Int64 = 0
        package var bytes: Int64 = 0
        /// In hexadecimal digits.
        package var sha256 = ""
        package var firstID: String?
        package var lastID: String?

        package init(records: Int64 = 0, bytes: Int64 = 0, sha256: String = "") {
            self.records = records
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    private let directory: ExportDirectory
    /// Member with the time by which versions are compared; nil where the later file has the newer version.
    private let field: String?
    private let index: TemporaryDatabase
    private var sources: [Source] = []

    private struct Source {
        var path: String
        var file: OpenFile
    }

    /// A file that values can share.
    private final class OpenFile {
        let descriptor: Descriptor
        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    /// - Parameter field: member with a record's time of change, in milliseconds.
    package init(_ directory: ExportDirectory, field: String?) throws {
        self.directory = directory
        self.field = field
        index = try TemporaryDatabase(
            """
            CREATE TABLE changes (
                id TEXT PRIMARY KEY, time INTEGER NOT NULL, source INTEGER NOT NULL, offset INTEGER NOT NULL,
                length INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """)
    }

    /// Whether only the owner may read one of the change files, so that the current file has to be private, too.
    package private(set) var isPrivate = false

    /// Reads a change file. Of several versions of a record, the one with the latest time wins, and of the same time that
    /// of the file that is added last.
    ///
    /// - Throws: `ExportError.currentSource` when it is not there as it was exported, or its records have no id.
    package mutating func add(_ file: StoredFile) throws {
        guard let opened = try directory.place.open(file.path, flags: O_RDONLY) else {
            throw ExportError.currentSource(path: file.path, .missing)
        }
        let facts = try ExportError.attempt(.read, file.path) { () throws(ErrorNumber) in try opened.status() }
        if facts.st_mode & 0o077 == 0 { isPrivate = true }
        let source = Source(path: file.path, file: OpenFile(opened))
        let number = sources.count
        sources.append(source)
        var digest = SHA256()
        let field = field
        try index.write { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO changes VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE
                    SET time = ?2, source = ?3, offset = ?4, length = ?5 WHERE ?2 >= time
                    """)
            try Self.read(source, file.bounds) { batch, start in
                digest.update(batch.bytes)
                for record in batch.records {
                    guard let id = batch.id(of: record) else {
                        throw ExportError.currentSource(path: file.path, .noIdentifier)
                    }
                    let time = field.flatMap { batch.value(of: $0, in: record) }.flatMap { Int64($0) } ?? .min
                    try statement.execute(
                        arguments: [id, time, number, start + Int64(record.range.lowerBound), record.range.count])
                }
            }
        }
        guard digest.finalize().hexadecimalDigits == file.sha256 else {
            throw ExportError.currentSource(path: file.path, .changed)
        }
    }

    /// Writes the current file.
    ///
    /// - Parameter base: the earlier current file; nil to start from the change files alone.
    /// - Throws: `ExportError.currentSource` when the earlier file is not as it was exported.
    package mutating func write(after base: StoredFile?, to file: ExportFile) throws -> Result {
        var writer = Writer(file)
        let (index, field, sources) = (index, field, sources)
        try index.read { database in
            var changes = Changes(try Row.fetchCursor(database, sql: "SELECT * FROM changes ORDER BY id"), sources)
            try changes.move()
            if let base {
                guard let opened = try directory.place.open(base.path, flags: O_RDONLY) else {
                    throw ExportError.currentSource(path: base.path, .missing)
                }
                var digest = SHA256()
                var last: [UInt8] = []
                try Self.read(Source(path: base.path, file: OpenFile(opened)), base.bounds) { batch, _ in
                    digest.update(batch.bytes)
                    for record in batch.records {
                        guard let id = batch.id(of: record) else {
                            throw ExportError.currentSource(path: base.path, .noIdentifier)
                        }
                        let key = Array(id.utf8)
                        guard last.isEmpty || last.lexicographicallyPrecedes(key) else {
                            throw ExportError.currentSource(path: base.path, .changed)
                        }
                        last = key
                        while let next = changes.key, next.lexicographicallyPrecedes(key) {
                            try changes.write(to: &writer)
                            try changes.move()
                        }
                        let bytes = Array(batch.bytes[record.range])
                        guard changes.key == key else {
                            try writer.add(bytes, id)
                            continue
                        }
                        let time = field.flatMap { batch.value(of: $0, in: record) }.flatMap { Int64($0) } ?? .min
                        // A file that was exported again may have an older version than the current file.
                        if time > changes.time { try writer.add(bytes, id) } else { try changes.write(to: &writer) }
                        try changes.move()
                    }
                }
                guard digest.finalize().hexadecimalDigits == base.sha256 else {
                    throw ExportError.currentSource(path: base.path, .changed)
                }
            }
            while changes.key != nil {
                try changes.write(to: &writer)
                try changes.move()
            }
        }
        return try writer.finish()
    }

    private static let pieceSize = 1 << 20

    /// Passes the lines of a part of a file to `body`, in batches, with the offset of each batch in the file.
    private static func read(
        _ source: Source, _ bounds: Range<Int64>, _ body: (RecordBatch, Int64) throws -> Void
    ) throws {
        var (offset, rest) = (bounds.lowerBound, [UInt8]())
        while offset < bounds.upperBound || !rest.isEmpty {
            let wanted = Int(min(Int64(pieceSize), bounds.upperBound - offset))
            let piece = try ExportError.attempt(.read, source.path) { () throws(ErrorNumber) in
                try source.file.descriptor.read(limit: wanted, at: Int(offset))
            }
            let start = offset - Int64(rest.count)
            offset += Int64(piece.count)
            rest += piece
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")).map({ $0 + 1 }), !piece.isEmpty else {
                // A line that is longer than a piece, or one that has lost its end.
                if piece.isEmpty { throw ExportError.currentSource(path: source.path, .changed) }
                continue
            }
            var batch = RecordBatch()
            batch.bytes = Array(rest[..<end])
            var first = 0
            while let length = batch.bytes[first...].firstIndex(of: UInt8(ascii: "\n")) {
                batch.records.append(Record(range: first..<length))
                first = length + 1
                if first == end { break }
            }
            rest.removeSubrange(..<end)
            try body(batch, start)
        }
    }

    /// The changes, in the order of their ids.
    private struct Changes {
        private let rows: RowCursor
        private let sources: [Source]
        private var row: (id: String, source: Int, offset: Int64, length: Int)?
        private(set) var key: [UInt8]?
        private(set) var time: Int64 = .min

        init(_ rows: RowCursor, _ sources: [Source]) {
            self.rows = rows
            self.sources = sources
        }

        mutating func move() throws {
            guard let next = try rows.next() else {
                (row, key) = (nil, nil)
                return
            }
            let id: String = next["id"]
            row = (id, next["source"], next["offset"], next["length"])
            key = Array(id.utf8)
            time = next["time"]
        }

        func write(to writer: inout Writer) throws {
            guard let row else { return }
            let source = sources[row.source]
            let bytes = try ExportError.attempt(.read, source.path) { () throws(ErrorNumber) in
                try source.file.descriptor.read(limit: row.length, at: Int(row.offset))
            }
            try writer.add(bytes, row.id)
        }
    }

    /// Writes lines in large pieces.
    private struct Writer {
        private let file: ExportFile
        private var result = Result()
        private var digest = SHA256()
        private var pending: [UInt8] = []

        init(_ file: ExportFile) { self.file = file }

        mutating func add(_ line: [UInt8], _ id: String) throws(ExportError) {
            if result.records == 0 { result.firstID = id }
            result.lastID = id
            result.records += 1
            pending += line
            pending.append(UInt8(ascii: "\n"))
            if pending.count >= CurrentMerge.pieceSize { try flush() }
        }

        mutating func finish() throws(ExportError) -> Result {
            try flush()
            result.sha256 = digest.finalize().hexadecimalDigits
            return result
        }

        private mutating func flush() throws(ExportError) {
            try file.write(pending, at: Int(result.bytes))
            digest.update(pending)
            result.bytes += Int64(pending.count)
            pending.removeAll(keepingCapacity: true)
        }
    }
}
