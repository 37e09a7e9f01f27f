import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem

extension Export {
    /// `clover export compact`.
    struct Compact: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "compact",
            abstract: "Make a file of each resource with one row per record, from the files of earlier exports",
            discussion: """
                Examples:
                  clover export compact ~/exports
                  clover export compact ~/exports --json
                  clover export compact ~/exports --jq .file

                Each resource gets {resource}/current.ndjson with the newest version of every record. Its change files \
                move to {resource}/changes, and so do the earlier versions of a list that is exported in full; nothing is \
                deleted. Later runs keep the current files up to date. Files that were named with --name stay where \
                they are. The service is not asked.

                Records that were deleted at Clover stay in a current file of change files, such as that of orders; a \
                list that is exported in full, such as tenders, has only those that exist.

                A resource stays as it is if its files are not uncompressed NDJSON with whole records, or if it is \
                exported with --append or --with.

                Exit statuses:
                  0   done
                  64  wrong usage
                  66  there is no such directory, or nothing was exported to it
                  73  a current file cannot be created
                  75  an export to it is running
                  78  this machine has no state of it
                  79  a change file is missing or was changed: the files of its resource
                      stay where they are
                  82  some resources stay as they are
                """
        )

        @Argument(
            help: ArgumentHelp("Directory of the exports.", valueName: "destination"), completion: .directory)
        var destination: String

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try OutputPath.check(destination, of: "the destination")
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            guard let path = ExportDirectory.existing(destination), ExportDirectory.isDestination(path) else {
                throw ExportFailure.nothingExported(directory: destination)
            }
            let directory = try await DedicatedThread.run { try ExportDirectory(path) }
            guard let lock = try directory.tryLock() else { throw ExportFailure.exportRuns(directory: path) }
            guard try await ExportStore.existing(in: environment.stateDirectory()) != nil else {
                throw ExportError.foreignDestination(path: path)
            }
            let target = try await DirectoryDestination.open(directory, lock, in: environment)
            try await target.clearUp(at: environment.clock.wall())
            var (done, left) = ([Compaction.Done](), [String]())
            for stream in try await target.store.streams() where stream.destination == target.identifier {
                let compaction = Compaction(target: target, stream: stream, now: environment.clock.wall())
                if let reason = try await compaction.obstacle() {
                    left.append(stream.resource)
                    environment.diagnostics.warning(
                        "\(stream.resource) of \(stream.merchant) stays as it is: \(reason)")
                } else {
                    done += try await compaction.run()
                }
            }
            let list = OwnList(
                lines: done.map(\.json), columns: ["resource", "merchant", "file", "records", "merged", "moved"])
            let status = try await list.print(output, messages, in: environment) { _ in
                AlignedRows.text(
                    head: ["RESOURCE", "MERCHANT", "FILE", "RECORDS", "FILES MERGED", "FILES MOVED"],
                    done.map(\.cells),
                    meanings: [
                        "MERCHANT": .identifier, "RECORDS": .amount, "FILES MERGED": .amount, "FILES MOVED": .amount,
                    ], in: environment)
            }
            guard left.isEmpty else { throw ExportFailure.notCompacted(left, directory: path) }
            return status
        }
    }
}

/// Makes the current files of one resource of one merchant.
struct Compaction {
    let target: DirectoryDestination
    let stream: ExportStream
    /// Milliseconds since 1970.
    let now: Int64

    /// A current file.
    struct Done: Sendable {
        var resource: String
        var merchant: String
        var file: String
        /// Nil when unknown.
        var records: Int64?
        /// Number of change files that were merged into it, and of files that got another path.
        var merged = 0
        var moved = 0

        var json: String {
            var line = JSONLine()
            line.add("resource", resource)
            line.add("merchant", merchant)
            line.add("file", file)
            line.add("records", records)
            line.add("merged", Int64(merged))
            line.add("moved", Int64(moved))
            return line.text
        }

        var cells: [String] {
            [resource, merchant, file, records.map { "\($0)" } ?? "-", "\(merged)", "\(moved)"]
                .map { Diagnostics.printable($0) }
        }
    }

    private func files() async throws -> [StoredFile] {
        try await target.store.files(in: target.identifier).filter { $0.stream == stream.place && !$0.isInterrupted }
    }

    /// Why the resource cannot have current files; nil when it can.
    func obstacle() async throws -> String? {
        let files = try await files().filter { $0.role == nil }
        if files.contains(where: { $0.window.field != nil && $0.resource != stream.resource }) {
            return "its nested lists (--with) have no current file"
        }
        if files.contains(where: \.grows) { return "it is exported with --append" }
        let changes = files.filter { $0.window.field != nil && $0.isRegular }
        guard let other = changes.first(where: { !$0.path.hasSuffix(".ndjson") || !$0.hasRecords }) else { return nil }
        return "\(other.path) is not uncompressed NDJSON with a row for each record"
    }

    func run() async throws -> [Done] {
        let files = try await files()
        let changes = files.filter { $0.resource == stream.resource && $0.window.field != nil }
        guard changes.isEmpty else { return try await merge(changes) }
        let whole = Dictionary(
            grouping: files.filter { $0.window.field == nil && [nil, .current].contains($0.role) }, by: \.resource)
        var done: [Done] = []
        for (resource, versions) in whole.sorted(by: { $0.key < $1.key }) {
            if let current = try await replace(resource, versions) { done.append(current) }
        }
        return done
    }

    /// Merges change files, and then moves them: where one of them was changed, everything stays as it is.
    private func merge(_ files: [StoredFile]) async throws -> [Done] {
        let plan = try ResourcePlan(stream.resource, expand: [], parts: [], by: .lists, merchantID: stream.merchant)
        let folder = folder(of: files) ?? stream.resource
        let update = CurrentUpdate(
            stream: stream, field: plan.tracking.field, path: "\(folder)/current.ndjson", now: now)
        let made: (file: PublishedFile, contents: CurrentMerge.Result, merged: Int)?
        do {
            made = try await target.updateCurrent(update)
        } catch ExportError.currentSource(let path, let fault) {
            throw ExportFailure.compactSource(stream.resource, path: path, fault)
        }
        try await target.store.keepCurrent(of: stream.place)
        let moved = try await move(files.map(\.path), of: stream.resource)
        if let made {
            return [
                Done(
                    resource: stream.resource, merchant: stream.merchant, file: made.file.path,
                    records: made.contents.records, merged: made.merged, moved: moved)
            ]
        }
        guard let current = try await target.store.currentFile(of: stream.resource, in: stream.place) else { return [] }
        return [
            Done(
                resource: stream.resource, merchant: stream.merchant, file: current.path, records: current.records,
                moved: moved)
        ]
    }

    /// Makes the newest version of a list in full its current file, unless it has one.
    ///
    /// - Parameter versions: newest first.
    private func replace(_ resource: String, _ versions: [StoredFile]) async throws -> Done? {
        if resource == stream.resource { try await target.store.keepCurrent(of: stream.place) }
        if let current = versions.first(where: { $0.role == .current }) {
            let moved = try await move(versions.filter { $0.role == nil }.map(\.path), of: resource)
            return Done(
                resource: resource, merchant: stream.merchant, file: current.path, records: current.records,
                moved: moved)
        }
        guard let newest = versions.first, let place = Self.place(newest.path, resource) else { return nil }
        let path = "\(place.folder)/current\(place.suffix)"
        let moved = try await move(versions.map(\.path).filter { $0 != newest.path }, of: resource)
        try await target.move([ExportStore.Move(path: newest.path, newPath: path)])
        try await target.store.makeCurrent(newest.place)
        try await target.listFiles()
        return Done(
            resource: resource, merchant: stream.merchant, file: path, records: newest.records, moved: moved + 1)
    }

    /// Moves files that have their usual names out of the way of the current file.
    ///
    /// - Returns: their number.
    private func move(_ paths: [String], of resource: String) async throws -> Int {
        var moves: [ExportStore.Move] = []
        for path in Set(paths).sorted() {
            guard let place = Self.place(path, resource), try target.directory.size(of: path) != nil else { continue }
            moves.append(ExportStore.Move(path: path, newPath: "\(place.folder)/changes/\(place.name)"))
        }
        try await target.move(moves)
        try await target.listFiles()
        return moves.count
    }

    private func folder(of files: [StoredFile]) -> String? {
        files.lazy.compactMap { Self.place($0.path, stream.resource)?.folder }.first
    }

    /// The parts of a path below a folder that is named by its resource; nil for any other path.
    private static func place(_ path: String, _ resource: String) -> (folder: String, name: String, suffix: String)? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = String(path[..<slash])
        let name = String(path[path.index(after: slash)...])
        guard folder.split(separator: "/").last == resource.replacing("/", with: ".")[...] else { return nil }
        let dots = [".ndjson", ".csv", ".tsv"].lazy.compactMap { name.ranges(of: $0).last?.lowerBound }
        return (folder, name, String(name[(dots.first ?? name.endIndex)...]))
    }
}
