import CloverAuth
import CloverCore
import CloverExport
import CloverSystem

/// A directory, or an object store: a file for each window, and a manifest that lists them.
struct DirectoryDestination: ExportDestination {
    let store: ExportStore
    let identifier: String
    let directory: ExportDirectory
    /// The objects that the directory shows; nil for a directory of files.
    let objects: ObjectMirror?
    let diagnostics: Diagnostics
    private let lock: ExportLock

    static let keepsFiles = true

    var name: String { directory.name }

    static func isMeant(by address: String?) -> Bool { address != nil }

    static func check(_ command: Export.Run) throws {
        guard let address = command.destination.directory, ObjectAddress.isMeant(by: address) else { return }
        try Export.Run.refuse(
            [(command.destination.appends, "--append"), (command.singer.keepsCurrent, "--state current")],
            "needs files that grow, which an object store does not have")
    }

    static func open(_ run: ExportOpening) async throws -> DirectoryDestination? {
        let address = try ObjectAddress.parsed(run.request.address ?? ".", of: "--to")
        let directory: ExportDirectory
        if let address {
            directory = try await ObjectMirror.directory(of: address, in: run.environment)
        } else {
            directory = try await DedicatedThread.run { try ExportDirectory(run.request.address ?? ".") }
        }
        guard let lock = try await run.lock(directory.name, { try directory.tryLock() }) else { return nil }
        let objects =
            if let address {
                try await ObjectMirror(address, directory, lock, run.request.connection, waitingFor: run)
            } else { nil as ObjectMirror? }
        // The claim on an object store shows whose it is.
        if objects == nil, try directory.identifier() == nil { try await checkUnknownFiles(of: directory, run) }
        let target = try await open(directory, lock, objects, in: run.environment)
        try await target.checkMerchants(run)
        try await target.clearUp(at: run.environment.clock.wall())
        return target
    }

    /// Opens a directory whose lock is held.
    static func open(
        _ directory: ExportDirectory, _ lock: ExportLock, _ objects: ObjectMirror? = nil,
        in environment: CommandEnvironment
    ) async throws -> DirectoryDestination {
        try await objects?.take(environment)
        // Check the manifest before writing anything here.
        let isKnown = try directory.identifier() != nil
        try await DedicatedThread.run {
            try directory.adoptManifest(mayBeCut: isKnown)
            try directory.checkManifest(mayBeCut: isKnown)
        }
        let store = try await ExportStore.open(in: environment.stateDirectory())
        let identifier = try await identify(directory, store, lock)
        try await objects?.claim(identifier)
        return DirectoryDestination(
            store: store, identifier: identifier, directory: directory, objects: objects,
            diagnostics: environment.diagnostics, lock: lock)
    }

    private static func identify(
        _ directory: ExportDirectory, _ store: ExportStore, _ lock: ExportLock
    ) async throws -> String {
        let known = try directory.identifier()
        if let known {
            guard let path = try await store.destinations()[known] else {
                throw ExportError.foreignDestination(path: directory.name)
            }
            let isCopy = await DedicatedThread.run { directory.isCopy(of: path, identifier: known) }
            guard isCopy else {
                try await store.meet(known, at: directory.name)
                return known
            }
        }
        let identifier = ExportDestinations.newIdentifier()
        // Write the state first: an id that only the directory has would count as another machine's.
        if let known {
            // The original may have changed since: take over the files in the copy, but not how far the export got.
            try await store.copy(
                known, as: identifier, at: directory.name,
                manifestSize: try directory.sizeOfWholeManifest()
            ) { file in try directory.size(of: file.path).map { file.isThere(size: $0) } }
        } else {
            try await store.add(
                identifier, at: directory.name, manifestSize: try directory.size(of: NameTemplate.manifest) ?? 0)
        }
        try await DedicatedThread.run { try directory.setIdentifier(identifier, holding: lock) }
        return identifier
    }

    /// Refuses to export again, or for another merchant, to a directory whose manifest is all that is left of its exports.
    private static func checkUnknownFiles(of directory: ExportDirectory, _ run: ExportOpening) async throws {
        let owners = try await DedicatedThread.run { try directory.manifestOwners() }
        let merchants = Set(run.merchants.map(\.merchantID))
        let resources = Set(run.resources.map(\.name))
        for owner in owners.all.sorted() where merchants.contains(owner.merchant) {
            let resource = String(owner.resource.prefix { $0 != "." })
            guard resources.contains(resource) || resources.contains(owner.resource) else { continue }
            throw ExportError.unknownExports(path: directory.name, resource: owner.resource)
        }
        guard !run.names.has(.merchant), !run.names.has(.profile) else { return }
        for merchant in run.merchants {
            guard let rival = owners.mixed.sorted().first(where: { $0.merchant != merchant.merchantID }) else {
                continue
            }
            throw ExportError.otherMerchant(path: directory.name, known: rival.merchant, merchant: merchant.merchantID)
        }
    }

    /// Refuses a merchant whose records could not be distinguished from those of another one that is here.
    private func checkMerchants(_ run: ExportOpening) async throws {
        let known = try await store.merchants(of: identifier)
        for merchant in run.merchants {
            let rival = known.rival(
                of: merchant.merchantID, profile: merchant.profile, run.names, isTagged: run.request.tagsMerchant)
            guard let rival else { continue }
            throw ExportError.otherMerchant(path: name, known: rival, merchant: merchant.merchantID)
        }
    }

    /// Cleans up after runs that were killed.
    ///
    /// - Parameter now: milliseconds since 1970.
    func clearUp(at now: Int64) async throws {
        let intentions = try await store.intentions(in: identifier)
        try await DedicatedThread.run { try directory.removeLeftovers(holding: lock) }
        var published = Set<String>()
        for intention in intentions {
            switch intention {
            case .add(let path, let size): try await cutBack(path, to: size)
            case .publish(let file):
                if try await sha256(of: file.path) == file.sha256 { published.insert(file.path) }
            }
        }
        if !intentions.isEmpty { try await store.settle(published: published, in: identifier) }
        try await completeMoves()
        // Before the manifest changes.
        try await goBackToBackup()
        try await removeSuperseded()
        try await adoptFailures(at: now)
        try await listFiles()
    }

    /// Takes over files of failed records that an earlier version left and did not list. They stay as they are, because
    /// these errors may be nowhere else.
    private func adoptFailures(at now: Int64) async throws {
        guard objects == nil else { return }
        let known = try await store.failedPaths(in: identifier)
        let found = await DedicatedThread.run { [directory] in directory.unlistedFailures(besides: known) }
        guard !found.isEmpty else { return }
        let streams = try await store.streams().filter { $0.destination == identifier }
        for file in found {
            let owner = streams.first { $0.resource == file.resource && $0.merchant == file.merchant }
            guard let owner else { continue }
            var record = PublishedFile(
                path: file.path, resource: PublishedFile.Role.failed.name(of: owner.resource),
                window: PlannedWindow(field: nil, from: nil, to: now))
            record.role = .failed
            record.sha256 = file.contents.sha256
            record.line = roleLine(
                record, merchant: owner.merchant, environment: owner.environment, file.contents, offset: nil, at: now)
            try await store.adopt(record, in: owner)
            diagnostics.detail("an earlier version left \(file.path); the manifest lists it from now on")
        }
    }

    /// Exports again what a directory restored from a backup lacks.
    ///
    /// A consumer that takes files away leaves the manifest unchanged, or takes it too; an older manifest means a backup.
    /// A file of a killed run that the manifest does not list yet was not taken by a consumer that follows the manifest.
    private func goBackToBackup() async throws {
        guard try directory.size(of: NameTemplate.manifest) ?? 0 > 0,
            let last = try await store.lastListed(in: identifier)
        else { return }
        let isLast = try last.size.map { try directory.manifestHas(last.line, before: $0) } ?? false
        if isLast, try await store.unlisted(in: identifier).lines.isEmpty { return }
        if !isLast { try await store.invalidateManifest(in: identifier) }
        let files = try await store.files(in: identifier)
        let lines = try await DedicatedThread.run { try directory.manifestLines() }
        let texts = lines.compactMap { text in ManifestLine(parsing: text).map { (line: $0, text: text) } }
        let listed = texts.map(\.line)
        try await move(movedBack(files, listed))
        let contents = Set(listed.map(\.contents))
        // A manifest that lost its beginning, or that was rewritten, is not a backup's.
        let count =
            files.firstIndex { ManifestLine(parsing: $0.line).map { contents.contains($0.contents) } ?? false }
            ?? files.prefix { !$0.isListed }.count
        var found = Set<String>()
        var lost: [StoredFile] = []
        for file in files.prefix(count) {
            // A killed run may have published the file before the backup and listed it after.
            let isThere =
                if file.grows {
                    try directory.size(of: file.path) ?? 0 >= file.end
                } else {
                    try await sha256(of: file.path) == file.sha256
                }
            if isThere { found.insert(file.path) }
            if isThere || found.contains(file.path) { continue }
            // A backup of before a repair has the window as it was exported first.
            let line = ManifestLine(parsing: file.line)
            let former = texts.first { former in line.map { former.line.isOfSameWindow(as: $0) } ?? false }
            if let former, try await sha256(of: file.path) == former.line.sha256 {
                try await store.put(former.text, former.line, at: file.place)
                found.insert(file.path)
            } else {
                lost.append(file)
            }
        }
        guard !lost.isEmpty else { return }
        let lostCount = Set(lost.map(\.path)).count
        var words = ["\(name) is older than the last export to it, as if restored from a backup"]
        words.append(
            lostCount == 1 ? "1 file of a later run is missing" : "\(lostCount) files of later runs are missing")
        if lost.contains(where: { $0.isRegular || $0.isWhole }) { words.append("exporting later changes again") }
        if lost.contains(where: { !$0.isRegular && !$0.isWhole }) {
            words.append("to restore files of --day or another range, run that export again")
        }
        diagnostics.warning(words[0] + ": " + words.dropFirst().joined(separator: "; "))
        try await store.goBack(before: lost.map(\.place), in: identifier)
    }

    /// Moves of files that have the names of before an earlier move, as in a backup of before `export compact`.
    private func movedBack(_ files: [StoredFile], _ listed: [ManifestLine]) throws -> [ExportStore.Move] {
        let known = Set(files.map(\.path))
        let former = Dictionary(listed.map { ($0.contents, $0.file) }) { first, _ in first }
            .filter { !known.contains($0.value) }
        return try files.compactMap { file in
            guard let line = ManifestLine(parsing: file.line), let path = former[line.contents],
                try directory.size(of: file.path) == nil, try directory.size(of: path) == file.end
            else { return nil }
            return ExportStore.Move(path: path, newPath: file.path)
        }
    }

    func removeSuperseded() async throws {
        let files = try await store.superseded(in: identifier)
        guard !files.isEmpty else { return }
        // Leave a file alone that was changed meanwhile.
        for (path, sum) in files where try await sha256(of: path) == sum {
            try await objects?.store.remove(path)
            try await DedicatedThread.run { try directory.remove(path) }
        }
        try await store.forget(brokenOff: files.map(\.path), in: identifier)
        try await listFiles()
    }

    func lostFiles(of streams: [ExportStream]) async throws -> [Int64: [ExportDirectory.LostFile]] {
        let expected = try await store.expectedFiles(of: streams.map(\.place))
        return try await DedicatedThread.run { try expected.mapValues { try directory.lost(among: $0) } }
    }

    func setAside(_ file: ExportDirectory.LostFile) async throws -> String {
        let aside = try await DedicatedThread.run { try directory.setAside(file.path) }
        try await objects?.move(file.path, to: aside)
        return aside
    }

    /// SHA-256 of a file, in hexadecimal digits; nil when there is no such file.
    func sha256(of path: String) async throws -> String? {
        if let objects { return try await objects.contents(of: path)?.sha256 }
        return try await DedicatedThread.run { try directory.sha256(of: path) }
    }

    /// Publishes a file under a name, replacing an existing one.
    func publish(_ file: ExportFile, as name: String) async throws {
        try await objects?.upload(file, as: name)
        try await DedicatedThread.run { try file.publish(as: name) }
    }

    /// A plan of another range than that of the last run must have all of its files: windows whose files are missing are
    /// done again. Files of an incremental run may be taken away by their consumer.
    func resumed(_ plan: ExportPlan, of stream: ExportStream) async throws -> ExportPlan? {
        guard !plan.skipsKnownRecords else { return plan }
        var plan = plan
        for index in plan.done.sorted() {
            let paths = try await store.paths(of: plan.windows[index], of: stream.place)
            if try paths.allSatisfy({ try directory.size(of: $0) != nil }) { continue }
            plan.done.remove(index)
            try await store.reopen(index, of: plan)
        }
        return plan
    }

    func listFiles() async throws {
        try await store.listFiles(of: identifier, in: directory)
        try await objects?.uploadManifest()
    }
}
