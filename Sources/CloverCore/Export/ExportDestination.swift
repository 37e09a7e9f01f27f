import CloverAPI
import CloverExport
import CloverJSON
import CloverSystem

/// The locked destination of a run, with its state.
struct ExportDestination: Sendable {
    let store: ExportStore
    /// Id of the destination in the state.
    let identifier: String
    /// Nil for standard output.
    let directory: ExportDirectory?
    private let locks: [ExportLock]

    /// Id of standard output.
    private static let outputIdentifier = "-"
    private static let folder = "exports"

    /// Takes the lock and cleans up after runs that were killed.
    ///
    /// - Parameters:
    ///   - merchants: merchants to export. Exports of other merchants or resources to standard output do not conflict.
    ///   - resources: resources to export.
    ///   - names: how files are named.
    /// - Returns: nil when another export there is running and this one is to be skipped.
    static func open(
        _ request: ExportRequest, _ merchants: [ExportMerchant], _ resources: [ResourcePlan], _ names: NameTemplate,
        _ results: ExportResults, in environment: CommandEnvironment
    ) async throws -> ExportDestination? {
        defer { results.waits(for: nil) }
        let state = try environment.stateDirectory()
        guard let path = request.directory else {
            let names = resources.map(\.name).joined(separator: ", ")
            let owners = Set(merchants.map { [$0.connection.environment.name, $0.merchantID, names] })
            let sums = owners.map { StableHash.words(for: $0.joined(separator: "\n")) }
            var locks: [ExportLock] = []
            // All runs take the locks in the same order, so that no two wait for each other.
            for sum in sums.sorted() {
                let lock = try await take("standard output of \(names)", request, results, environment) {
                    try ExportLock.tryAcquire(
                        "standard-output-\(sum).lock", in: state.prepareSubdirectory(folder, rule: .own))
                }
                guard let lock else { return nil }
                locks.append(lock)
            }
            let store = try await ExportStore.open(in: state)
            try await store.add(outputIdentifier, at: "standard output")
            return ExportDestination(store: store, identifier: outputIdentifier, directory: nil, locks: locks)
        }
        let directory = try await DedicatedThread.run { try ExportDirectory(path) }
        guard
            let lock = try await take(directory.path, request, results, environment, { try directory.tryLock() })
        else { return nil }
        // Check the manifest before writing anything here.
        let isKnown = try directory.identifier() != nil
        try await DedicatedThread.run { try directory.checkManifest(mayBeCut: isKnown) }
        let store = try await ExportStore.open(in: state)
        let target = ExportDestination(
            store: store, identifier: try await identify(directory, store, lock), directory: directory, locks: [lock])
        try await target.checkMerchants(merchants, request, names)
        try await target.clearUp(environment.diagnostics)
        return target
    }

    private static func take(
        _ place: String, _ request: ExportRequest, _ results: ExportResults, _ environment: CommandEnvironment,
        _ tryLock: @escaping @Sendable () throws -> ExportLock?
    ) async throws -> ExportLock? {
        var hasNotified = false
        while true {
            if let lock = try await DedicatedThread.run({ try tryLock() }) { return lock }
            switch request.ifRunning {
            case .fail: throw ExportError.busy(path: place)
            case .skip:
                environment.diagnostics.detail("another export to \(place) is running; skipping this one")
                return nil
            case .wait:
                if !hasNotified { environment.diagnostics.detail("waiting for another export to \(place)") }
                hasNotified = true
                results.waits(for: "another export to \(place) is running")
                try await environment.sleep(0.2)
            }
        }
    }

    private static func identify(
        _ directory: ExportDirectory, _ store: ExportStore, _ lock: ExportLock
    ) async throws -> String {
        let known = try directory.identifier()
        if let known {
            guard let path = try await store.destinations()[known] else {
                throw ExportError.foreignDestination(path: directory.path)
            }
            let isCopy = await DedicatedThread.run { directory.isCopy(of: path, identifier: known) }
            guard isCopy else {
                try await store.meet(known, at: directory.path)
                return known
            }
        }
        let identifier = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined(separator: "-")
        // Write the state first: an id that only the directory has would count as another machine's.
        if let known {
            // The original may have changed since: take over the files in the copy, but not how far the export got.
            try await store.copy(
                known, as: identifier, at: directory.path,
                manifestSize: try directory.sizeOfWholeManifest()
            ) { file in try directory.size(of: file.path).map { file.isThere(size: $0) } }
        } else {
            try await store.add(
                identifier, at: directory.path, manifestSize: try directory.size(of: NameTemplate.manifest) ?? 0)
        }
        try await DedicatedThread.run { try directory.setIdentifier(identifier, holding: lock) }
        return identifier
    }

    /// Refuses a merchant whose records could not be told from those of another one that is here.
    private func checkMerchants(
        _ merchants: [ExportMerchant], _ request: ExportRequest, _ names: NameTemplate
    ) async throws {
        guard let directory else { return }
        let known = try await store.merchants(of: identifier)
        for merchant in merchants {
            let rival = known.rival(
                of: merchant.merchantID, profile: merchant.profile, names, isTagged: request.tagsMerchant)
            guard let rival else { continue }
            throw ExportError.otherMerchant(path: directory.path, known: rival, merchant: merchant.merchantID)
        }
    }

    private func clearUp(_ diagnostics: Diagnostics) async throws {
        guard let directory else { return }
        let intentions = try await store.intentions(in: identifier)
        let published = try await DedicatedThread.run { () -> Set<String> in
            try directory.removeLeftovers(holding: locks[0])
            var published = Set<String>()
            for intention in intentions {
                switch intention {
                case .add(let path, let size): try directory.cutBack(path, to: size)
                case .publish(let file):
                    if try directory.sha256(of: file.path) == file.sha256 { published.insert(file.path) }
                }
            }
            return published
        }
        if !intentions.isEmpty { try await store.settle(published: published, in: identifier) }
        // Before the manifest changes.
        try await goBackToBackup(diagnostics)
        try await removeSuperseded()
        try await listFiles()
    }

    /// Exports again what a directory restored from a backup lacks.
    ///
    /// A consumer that takes files away leaves the manifest unchanged, or takes it too; an older manifest means a backup.
    /// A file of a killed run that the manifest does not list yet was not taken by a consumer that follows the manifest.
    private func goBackToBackup(_ diagnostics: Diagnostics) async throws {
        guard let directory, try directory.size(of: NameTemplate.manifest) ?? 0 > 0,
            let last = try await store.lastListed(in: identifier)
        else { return }
        let isLast = try last.size.map { try directory.manifestHas(last.line, before: $0) } ?? false
        if isLast, try await store.unlisted(in: identifier).lines.isEmpty { return }
        if !isLast { try await store.invalidateManifest(in: identifier) }
        let files = try await store.files(in: identifier)
        let lost = try await DedicatedThread.run { () -> [ExportStore.KnownFile] in
            let lines = try directory.manifestLines()
            // A manifest that lost its beginning, or that was rewritten, is not a backup's.
            let count = files.firstIndex { lines.contains($0.line) } ?? files.prefix { !$0.isListed }.count
            var found = Set<String>()
            return try files.prefix(count).filter { file in
                // A killed run may have published the file before the backup and listed it after.
                let isThere =
                    if let end = file.end {
                        try directory.size(of: file.path) ?? 0 >= end
                    } else {
                        try directory.sha256(of: file.path) == file.sha256
                    }
                if isThere { found.insert(file.path) }
                return !isThere && !found.contains(file.path)
            }
        }
        guard !lost.isEmpty else { return }
        let count = Set(lost.map(\.path)).count
        var words = ["\(directory.path) is older than the last export to it, as if restored from a backup"]
        words.append(count == 1 ? "1 file of a later run is missing" : "\(count) files of later runs are missing")
        if lost.contains(where: { $0.isRegular || $0.isWhole }) { words.append("exporting later changes again") }
        if lost.contains(where: { !$0.isRegular && !$0.isWhole }) {
            words.append("to restore files of --day or another range, run that export again")
        }
        diagnostics.warning(words[0] + ": " + words.dropFirst().joined(separator: "; "))
        try await store.goBack(before: lost.map(\.place), in: identifier)
    }

    /// Removes files of interrupted runs whose records are now in other files.
    func removeSuperseded() async throws {
        guard let directory else { return }
        let files = try await store.superseded(in: identifier)
        guard !files.isEmpty else { return }
        try await DedicatedThread.run {
            // Leave a file alone that was changed meanwhile.
            for (path, sha256) in files where try directory.sha256(of: path) == sha256 { try directory.remove(path) }
        }
        try await store.forget(brokenOff: files.map(\.path), in: identifier)
        try await listFiles()
    }

    /// The streams' published files that are missing or have another size, by stream row.
    func lostFiles(of streams: [ExportStream]) async throws -> [Int64: [ExportDirectory.LostFile]] {
        guard let directory else { return [:] }
        let expected = try await store.expectedFiles(of: streams.map(\.place))
        return try await DedicatedThread.run { try expected.mapValues { try directory.lost(among: $0) } }
    }

    /// Brings the manifest up to date.
    func listFiles() async throws {
        guard let directory else { return }
        let unlisted = try await store.unlisted(in: identifier)
        let found = try directory.size(of: NameTemplate.manifest) ?? 0
        guard !unlisted.lines.isEmpty || found != unlisted.size else { return }
        let size = try await DedicatedThread.run {
            try directory.addToManifest(unlisted.lines, at: unlisted.size) {
                try store.manifestLines(of: identifier)
            }
        }
        try await store.listed(upTo: unlisted.last, size: size, in: identifier)
    }
}
