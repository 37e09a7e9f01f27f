package import CloverJSON
import CloverSystem
import GRDB
import Glibc

/// Compares the records of a destination with those that the service lists, by their ids and the time of their last change.
///
/// The ids are in a temporary database, so that memory stays flat. One thread at a time may use a comparison.
package struct ListComparison: Sendable {
    private let database: TemporaryDatabase
    private let resource: String
    private let merchant: String
    /// Member with the time of the last change, and the one that divides the history; nil for a list without.
    private let changed: String?
    private let history: String?
    /// Member with the time since when there is the record; nil for a list without.
    private let since: String?
    private var missing = Names()
    private var outdated = Names()
    private var newer = Names()
    /// Records that came or changed since the last export.
    package private(set) var later = 0
    /// Records of the destination without an id.
    private var unnamed = 0

    /// Ids of a kind of finding: the first ones, and how many there are.
    private struct Names: Sendable {
        var first: [String] = []
        var count = 0

        mutating func add(_ id: String) {
            count += 1
            if first.count < 100 { first.append(id) }
        }
    }

    package init(_ resource: String, merchant: String, changed: String?, history: String?, since: String?) throws {
        (self.resource, self.merchant) = (resource, merchant)
        (self.changed, self.history, self.since) = (changed, history, since)
        database = try TemporaryDatabase(
            """
            CREATE TABLE here (id TEXT PRIMARY KEY, time INTEGER, origin INTEGER, is_listed INTEGER NOT NULL DEFAULT 0)
            STRICT, WITHOUT ROWID
            """)
    }

    /// Adds records of the destination; of several versions, the newest one counts.
    ///
    /// - Parameter areFailed: whether they are kept as records on which a program failed. Those of a list that is exported
    ///   in full may be of an earlier run, so that they are not expected at the service.
    package mutating func add(_ batch: RecordBatch, areFailed: Bool = false) throws {
        let unnamed = try database.write { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO here (id, time, origin, is_listed) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
                    SET time = excluded.time, origin = excluded.origin
                    WHERE ifnull(excluded.time, 0) >= ifnull(time, 0)
                    """)
            var unnamed = 0
            for record in batch.records {
                guard let id = batch.id(of: record) else {
                    unnamed += 1
                    continue
                }
                try statement.execute(
                    arguments: [
                        id, Self.time(changed, batch, record), Self.time(history, batch, record),
                        areFailed && history == nil,
                    ])
            }
            return unnamed
        }
        self.unnamed += unnamed
    }

    private static func time(_ field: String?, _ batch: RecordBatch, _ record: CloverJSON.Record) -> Int64? {
        field.flatMap { batch.value(of: $0, in: record) }.flatMap { Int64($0) }
    }

    /// Number of the destination's records, and the earliest of the times that divide the history.
    package func facts() throws -> (records: Int64, earliest: Int64?) {
        try database.read { database in
            let row = try Row.fetchOne(database, sql: "SELECT count(*) AS records, min(origin) AS earliest FROM here")
            return (row?["records"] ?? 0, row?["earliest"])
        }
    }

    /// Why the records cannot be compared; nil when they can.
    package var obstacle: String? {
        unnamed > 0 ? "\(unnamed) of its records have no id" : nil
    }

    /// Compares records that the service listed.
    ///
    /// - Parameter end: changes before this time, in milliseconds since 1970, are exported.
    package mutating func compare(_ batch: RecordBatch, exportedTo end: Int64) throws {
        let (changed, history, since) = (changed, history, since)
        let found = try database.write { database in
            let known = try database.cachedStatement(sql: "SELECT time FROM here WHERE id = ?")
            let mark = try database.cachedStatement(sql: "UPDATE here SET is_listed = 1 WHERE id = ?")
            return try batch.records.compactMap { record -> (id: String, here: Known, isLater: Bool)? in
                guard let id = batch.id(of: record) else { return nil }
                let time = Self.time(changed, batch, record) ?? Self.time(history, batch, record)
                let isLater = (time ?? Self.time(since, batch, record)).map { $0 >= end } ?? false
                guard let row = try Row.fetchOne(known, arguments: [id]) else { return (id, .missing, isLater) }
                try mark.execute(arguments: [id])
                guard let time, let here = row["time"] as Int64?, time != here else { return nil }
                return (id, time > here ? .older : .newer, isLater)
            }
        }
        for record in found {
            switch record.here {
            case .newer: newer.add(record.id)
            case .missing where record.isLater, .older where record.isLater: later += 1
            case .missing: missing.add(record.id)
            case .older: outdated.add(record.id)
            }
        }
    }

    /// What the destination has of a record, compared with the service.
    private enum Known { case missing, older, newer }

    /// What differs, after the whole list was compared.
    package func findings() throws -> [ExportFinding] {
        var gone = Names()
        try database.read { database in
            // The service does not list a record without the time that it is asked for.
            let ids = try String.fetchCursor(
                database, sql: "SELECT id FROM here WHERE NOT is_listed AND (origin NOT NULL OR ?) ORDER BY id",
                arguments: [history == nil])
            while let id = try ids.next() { gone.add(id) }
        }
        return findings(.missing, missing) { "\($0) is at Clover, and missing here" }
            + findings(.changed, outdated) { "\($0) was changed at Clover before the last export, and is older here" }
            + findings(.changed, newer) { "\($0) has a later time of change here than at Clover" }
            + findings(.gone, gone) { "\($0) is here, and not in the list that Clover returned" }
    }

    private func findings(
        _ kind: ExportFinding.Kind, _ names: Names, _ sentence: (String) -> String
    ) -> [ExportFinding] {
        var sentences = names.first.map { sentence("\(resource) \($0)") }
        let rest = names.count - names.first.count
        if rest > 0 { sentences.append("the same of \(rest) more records of \(resource)") }
        return sentences.map { ExportFinding(kind, resource: resource, merchant: merchant, $0) }
    }
}

/// The records in the files of a directory.
package enum ExportedRecords {
    /// Passes the records of one resource to `body`, in the order in which they were exported, and then those on which a
    /// program failed.
    ///
    /// - Returns: why some cannot be read; nil when all were.
    /// - Throws: `ExportError` when a file cannot be read; one that is not there is passed over.
    package static func read(
        of resource: String, merchant: String, in path: String, _ known: KnownDestination,
        _ body: (_ records: RecordBatch, _ areFailed: Bool) throws -> Void
    ) throws -> String? {
        let reason = try readFiles(of: resource, areFailed: false, merchant: merchant, in: path, known) {
            try body($0, false)
        }
        if let reason { return reason }
        let failed = PublishedFile.Role.failed.name(of: resource)
        return try readFiles(of: failed, areFailed: true, merchant: merchant, in: path, known) { lines in
            var records = RecordBatch()
            for line in lines.records {
                // A record that is not JSON is text there; the line has its id.
                guard let record = lines.object("record", in: line) else {
                    records.append(line, of: lines)
                    continue
                }
                record.withUnsafeBytes { records.append($0) }
            }
            try body(records, true)
        }
    }

    private static func readFiles(
        of resource: String, areFailed: Bool, merchant: String, in path: String, _ known: KnownDestination,
        _ body: (RecordBatch) throws -> Void
    ) throws -> String? {
        let place = try DestinationFiles(path)
        var lines = known.lines.filter { !$0.isInterrupted }.compactMap { ManifestLine(parsing: $0.text) }
            .filter { $0.resource == resource && $0.merchant == merchant }
        // Of a list that is exported in full, the last file has all records. A line of failed records has no window.
        if !areFailed, let last = lines.last, last.span == nil { lines = [last] }
        for line in lines {
            let isCompressed = line.file.hasSuffix(".ndjson.gz")
            guard isCompressed || line.file.hasSuffix(".ndjson") else {
                return "\(line.file) is not NDJSON, uncompressed or with gzip"
            }
            guard let file = try place.open(line.file, flags: O_RDONLY) else { continue }
            let decoder = isCompressed ? try GzipDecoder() : nil
            var rest: [UInt8] = []
            var offset = line.offset ?? 0
            while offset < line.end {
                let piece = try ExportError.attempt(.read, place.shown(line.file)) { () throws(ErrorNumber) in
                    try file.read(limit: Int(min(line.end - offset, 1 << 20)), at: Int(offset))
                }
                guard !piece.isEmpty else { break }
                offset += Int64(piece.count)
                guard let decoder else {
                    rest += piece
                    try pass(&rest, to: body)
                    continue
                }
                decoder.feed(piece)
                while let bytes = try decoder.next() {
                    rest += bytes
                    try pass(&rest, to: body)
                }
            }
        }
        return nil
    }

    /// Passes the whole lines to `body`.
    private static func pass(_ rest: inout [UInt8], to body: (RecordBatch) throws -> Void) throws {
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
        var batch = RecordBatch()
        for line in rest[..<end].split(separator: UInt8(ascii: "\n")) {
            line.withUnsafeBytes { batch.append($0) }
        }
        rest.removeSubrange(...end)
        try body(batch)
    }
}
