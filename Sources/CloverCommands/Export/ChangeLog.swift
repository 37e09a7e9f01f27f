import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem

/// The changes of a list that is exported in full since the last run: a line for each record that was added, changed or
/// removed, in a file that is not published yet. The log of a list, replayed from its first line, gives the current file.
///
/// One task at a time may use it.
final class ChangeLog {
    /// Path of the log relative to the destination.
    let path: String
    /// The resource, or `RESOURCE.PART`.
    let resource: String
    /// All records of the list.
    let listed: ListedRecords
    private let store: ExportStore
    private let stream: Int64
    /// Start of the run in ISO 8601.
    private let time: String
    /// Whether lines have the records: where the files have them whole, too.
    private let hasRecords: Bool
    private let file: LogFile

    /// The file, which another thread writes.
    private final class LogFile: @unchecked Sendable {
        // Only one call at a time uses it: `add`, `finish` and `discard` wait for the thread that they start.
        let file: ExportFile
        var digest = SHA256()
        var size = 0
        var lines = 0

        init(_ file: ExportFile) { self.file = file }

        func write(_ line: String) throws(ExportError) {
            let bytes = Array((line + "\n").utf8)
            try file.write(bytes, at: size)
            digest.update(bytes)
            size += bytes.count
            lines += 1
        }
    }

    init(
        _ path: String, of resource: String, _ file: ExportFile, at time: String, hasRecords: Bool, stream: Int64,
        in store: ExportStore
    ) throws {
        self.path = path
        self.resource = resource
        self.file = LogFile(file)
        self.time = time
        self.hasRecords = hasRecords
        self.stream = stream
        self.store = store
        listed = try ListedRecords()
    }

    var lines: Int { file.lines }
    var bytes: Int { file.size }
    var unpublished: ExportFile { file.file }

    /// SHA-256 of its lines, in hexadecimal digits.
    var sha256: String {
        file.digest.finalize().hexadecimalDigits
    }

    /// Adds records of the list.
    func add(_ batch: RecordBatch) async throws {
        let versions = batch.records.map { ListedRecords.Version(batch, $0) }
        let changes = try await store.changes(versions, of: resource, in: stream)
        try await DedicatedThread.run { [listed, file, time, hasRecords] in
            try listed.add(versions)
            for (place, change) in changes.enumerated() {
                guard let change else { continue }
                let record =
                    hasRecords ? String(decoding: batch.bytes[batch.records[place].range], as: UTF8.self) : nil
                try file.write(Self.line(change, versions[place].id, record, at: time))
            }
        }
    }

    /// Adds the records that are not in the list any more.
    func finish() async throws {
        try await store.removed(from: listed, of: resource, in: stream) { [file, time] id in
            try file.write(Self.line(.removed, id, nil, at: time))
        }
    }

    func discard() async throws {
        try await DedicatedThread.run { [file] in try file.file.discard() }
    }

    private static func line(
        _ change: ExportStore.RecordChange, _ id: String, _ record: String?, at time: String
    ) -> String {
        var line = JSONLine()
        line.add("at", time)
        line.add("change", change.rawValue)
        // Ids have no slash.
        let names = id.split(separator: "/", maxSplits: 1).map(String.init)
        if names.count == 2 { line.add("parentId", names[0]) }
        line.add("id", names.last)
        if let record { line.add("record", json: record) }
        return line.text
    }
}

extension ListedRecords.Version {
    /// - Parameter record: with an id, unless its bytes have to identify it.
    fileprivate init(_ batch: RecordBatch, _ record: Record) {
        let hash = StableHash.value(of: batch, record)
        let id = batch.id(of: record) ?? "#\(UInt64(bitPattern: hash))"
        self.init(id: batch.value(of: "parentId", in: record).map { "\($0)/\(id)" } ?? id, hash: hash)
    }
}

extension DirectoryDestination {
    /// Number of the unpublished file, which no other has.
    private static let logNumber = 3_000_000

    func changeLog(
        of output: ExportOutput, _ request: ExportRequest, _ number: Int, in window: WindowExport
    ) async throws -> ChangeLog? {
        guard window.window.field == nil, let names = window.names.current, output.staged != nil else { return nil }
        let path = try names.log(values(of: output.resource, window.window, in: window))
        let file = try await DedicatedThread.run { [directory] in
            try directory.makeFile(Self.logNumber + number, isPrivate: request.showsSensitive)
        }
        return try ChangeLog(
            path, of: output.resource, file, at: InstantText.utc(milliseconds: window.plan.startedAt),
            hasRecords: request.program == nil && request.format.fields.isEmpty
                && request.format.format ?? .ndjson == .ndjson,
            stream: window.stream.place, in: store)
    }

    func publish(_ log: ChangeLog, in window: WindowExport) async throws -> PublishedFile? {
        try await log.finish()
        guard log.lines > 0 else {
            try await log.discard()
            return nil
        }
        let size = try directory.size(of: log.path) ?? 0
        try await claim(log.path, for: window.stream, size: size)
        if let last = try await additions(to: log.path).last {
            try checkEnd(of: log.path, after: last, of: window.stream, isText: objects == nil)
        }
        let offset = try await append(log.unpublished, to: log.path, of: size)
        var record = PublishedFile(
            path: log.path, resource: PublishedFile.Role.log.name(of: log.resource), window: window.window)
        record.role = .log
        record.sha256 = log.sha256
        record.isFirst = offset == 0
        record.isTagged = window.request.tagsMerchant
        record.words = window.request.words
        record.line = roleLine(
            record, merchant: window.merchant.merchantID, environment: window.merchant.connection.environment.name,
            CurrentMerge.Result(records: Int64(log.lines), bytes: Int64(log.bytes), sha256: log.sha256), offset: offset,
            at: window.environment.clock.wall())
        return record
    }

    /// Appends to a file of this size. In an object store, a longer object replaces the one that is there.
    ///
    /// - Returns: offset where its bytes begin.
    private func append(_ file: ExportFile, to path: String, of size: Int64) async throws -> Int64 {
        try await store.intend(toAddTo: path, of: size, in: identifier)
        guard let objects else {
            let isOpen = try directory.endsInLine(path)
            if isOpen { diagnostics.warning("\(directory.shown(path)) did not end with a newline; added one") }
            return try await DedicatedThread.run { try file.append(to: path, at: size, endingLine: isOpen) }
        }
        let longer = try await objects.beginning(of: path, size)
        try await DedicatedThread.run {
            try longer.write(file.read(Int(file.size()), at: 0), at: Int(size))
            try file.discard()
        }
        try await publish(longer, as: path)
        return size
    }

    /// Removes what a run that was killed added to a file of this size.
    func cutBack(_ path: String, to size: Int64) async throws {
        guard let objects, try directory.size(of: path) ?? 0 > size else {
            return try await DedicatedThread.run { [directory] in try directory.cutBack(path, to: size) }
        }
        guard size == 0 else { return try await publish(objects.beginning(of: path, size), as: path) }
        try await objects.store.remove(path)
        try await DedicatedThread.run { [directory] in try directory.remove(path) }
    }

    /// Refuses a file that no export of this stream made.
    func claim(_ path: String, for stream: ExportStream, size: Int64?) async throws {
        guard size ?? 0 > 0 else { return }
        guard let owner = try await store.owner(of: path, in: identifier) else {
            throw ExportError.foreignFile(path: directory.shown(path))
        }
        guard owner.stream == stream.place else {
            throw ExportError.nameTaken(path: directory.shown(path), by: owner.resource)
        }
    }

    /// The manifest's line about a file that has not the records of a window.
    func roleLine(
        _ record: PublishedFile, merchant: String, environment: String, _ contents: CurrentMerge.Result,
        offset: Int64?, at now: Int64
    ) -> String {
        var line = JSONLine()
        line.add("file", record.path)
        line.add("resource", record.resource)
        line.add("role", record.role?.rawValue)
        line.add("merchant", merchant)
        line.add("environment", environment)
        line.add("to", instant: record.window.to)
        line.add("records", contents.records)
        line.add("results", contents.records)
        line.add("firstId", contents.firstID)
        line.add("lastId", contents.lastID)
        if let offset { line.add("offset", offset) }
        line.add("bytes", contents.bytes)
        line.add("sha256", record.sha256)
        line.add("publishedAt", instant: now)
        line.add("version", CloverVersion.text)
        return line.text
    }
}
