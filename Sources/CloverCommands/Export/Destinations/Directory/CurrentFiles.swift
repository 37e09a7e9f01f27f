import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverSystem

/// What a current file of change files is made for.
struct CurrentUpdate: Sendable {
    let stream: ExportStream
    /// Member with the time of change of a record.
    let field: String?
    /// Path of a new current file relative to the destination.
    let path: String
    /// Whether this run exported everything, so that change files which are not there any more have nothing of their own.
    var isFull = false
    /// Whether the current file was lost, and is made again of all change files.
    var rebuilds = false
    var words: [String]?
    /// Milliseconds since 1970.
    let now: Int64
}

/// Current files of resources whose changes are in files of their own.
extension DirectoryDestination {
    func updateCurrent(_ export: ResourceExport) async throws {
        guard export.keepsCurrent, let names = export.names.current else { return }
        let values = NameTemplate.Values(
            resource: export.resource.name, merchant: export.merchant.merchantID, profile: export.merchant.profile,
            window: PlannedWindow(field: nil, from: nil, to: export.now), day: nil, date: nil, format: "ndjson",
            suffix: "")
        let stream = try await store.stream(export.stream.place)
        let file = try await updateCurrent(
            CurrentUpdate(
                stream: stream, field: export.resource.tracking.field, path: try names.file(values),
                isFull: export.request.range.selection == .full, rebuilds: export.rebuildsCurrent,
                words: export.request.words,
                now: export.environment.clock.wall()))
        guard let file else { return }
        export.results.change(export.place) { entry in
            entry.files += 1
            entry.bytes += Int(file.contents.bytes)
        }
    }

    /// Number of the unpublished file, which no other has.
    private static let currentNumber = 2_000_000

    /// Merges change files into the current file.
    ///
    /// - Returns: nil when it has all of them already, or when it was taken away, which the end of the run reports.
    func updateCurrent(
        _ update: CurrentUpdate
    ) async throws -> (file: PublishedFile, contents: CurrentMerge.Result, merged: Int)? {
        let stream = update.stream
        var base = try await store.currentFile(of: stream.resource, in: stream.place)
        if let found = base, try directory.size(of: found.path) != found.end {
            guard update.isFull || update.rebuilds else { return nil }
            base = nil
        }
        let sources = try await store.changeFiles(of: stream.resource, in: stream.place, after: base?.place)
        guard let last = sources.last else { return nil }
        for source in sources where !source.path.hasSuffix(".ndjson") || !source.hasRecords {
            throw ExportError.currentSource(path: source.path, .form)
        }
        let path = base?.path ?? update.path
        try await claim(path, for: stream, size: try directory.size(of: path))
        let (file, contents) = try await DedicatedThread.run { [directory, base] in
            var merge = try CurrentMerge(directory, field: update.field)
            for source in sources {
                do {
                    try merge.add(source)
                } catch ExportError.currentSource(_, .missing) where update.isFull {
                    continue
                }
            }
            let file = try directory.makeFile(Self.currentNumber, isPrivate: merge.isPrivate)
            return (file, try merge.write(after: base, to: file))
        }
        var record = PublishedFile(
            path: path, resource: PublishedFile.Role.current.name(of: stream.resource),
            window: PlannedWindow(field: nil, from: nil, to: update.now))
        record.role = .current
        record.sha256 = contents.sha256
        record.mergedUpTo = last.place
        record.choice = last.choice ?? ""
        record.words = update.words ?? last.words
        record.isTagged = base?.isTagged ?? last.isTagged
        record.line = roleLine(
            record, merchant: stream.merchant, environment: stream.environment, contents, offset: nil, at: update.now)
        let plan = ExportPlan(
            request: "current", startedAt: update.now, finish: update.now, skipsKnownRecords: true)
        try await store.intend(toPublish: record, of: plan, in: stream)
        try await DedicatedThread.run { [record] in try file.publish(as: record.path) }
        try await store.add(current: record, to: stream)
        try await listFiles()
        return (record, contents, sources.count)
    }
}

/// Moves of files.
extension DirectoryDestination {
    /// Moves files in the destination. A run that is killed meanwhile leaves the rest to the next one.
    func move(_ moves: [ExportStore.Move]) async throws {
        guard !moves.isEmpty else { return }
        try await store.intend(moves, in: identifier)
        try await completeMoves()
    }

    /// Completes the moves that the state has.
    func completeMoves() async throws {
        let moves = try await store.moves(in: identifier)
        guard !moves.isEmpty else { return }
        let done = try await DedicatedThread.run { [directory] in
            try moves.filter { try directory.move($0.path, to: $0.newPath) }
        }
        try await store.settle(done, in: identifier)
        try await store.drop(moves, in: identifier)
    }
}
