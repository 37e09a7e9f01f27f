import ArgumentParser
import CloverAuth
import CloverCore
import CloverExport
import CloverSystem

/// Exports what is missing from a destination again, and nothing else.
struct ExportRepair: Sendable {
    /// The destination, with links resolved.
    let path: String
    let environment: CommandEnvironment

    /// Files that the same words exported from the same merchant.
    private struct Group: Hashable {
        var words: [String]
        var profile: String?
    }

    /// Repairs what it can. A file that someone changed is never replaced: it is kept under another name, or stays.
    ///
    /// - Returns: why something could not be exported again; nil when nothing failed.
    /// - Throws: `ExportFailure.notRepairable`, and errors that concern the whole destination.
    func run(_ result: ExportVerification.Result) async throws -> (any Error)? {
        guard let known = result.known, let store = try await ExportStore.existing(in: environment.stateDirectory())
        else { throw ExportFailure.notRepairable(directory: path) }
        try await restoreManifest(result.findings, known.identifier, in: store)
        let paths = Set(result.findings.filter { [.missing, .shortened].contains($0.kind) }.compactMap(\.file))
        var groups: [Group: Set<String>] = [:]
        for file in try await store.files(of: paths, in: known.identifier) {
            guard let words = file.words else {
                environment.diagnostics.warning(
                    "\(file.path) was exported by an older version: run its export again with --export-missing")
                continue
            }
            let stream = try await store.stream(file.stream)
            groups[Group(words: words, profile: stream.profile), default: []].insert(file.path)
        }
        var failure: (any Error)?
        for (group, files) in groups.sorted(by: { $0.value.min() ?? "" < $1.value.min() ?? "" }) {
            do {
                try await RunExports(try await request(group, files), in: environment).run()
            } catch {
                guard !(error is CancellationError) else { throw error }
                failure = failure ?? error
            }
        }
        return failure
    }

    /// The export that made the files, limited to them.
    private func request(_ group: Group, _ files: Set<String>) async throws -> ExportRequest {
        var request = try await Export.Run.parse(group.words).request(in: environment)
        request.words = group.words
        // An object store's name has its endpoint.
        request.address = path
        request.missingFiles = .repair(files)
        request.ifRunning = .wait
        request.jitter = nil
        request.writesSummary = false
        guard let profile = group.profile else { return request }
        if request.hasManyMerchants {
            request.profiles = [profile]
        } else if request.connection.merchantID == nil {
            request.connection.profile = profile
        }
        return request
    }

    /// Restores the id, and writes the manifest anew from the state. A damaged manifest is kept under another name.
    private func restoreManifest(
        _ findings: [ExportFinding], _ identifier: String, in store: ExportStore
    ) async throws {
        let kinds = Set(findings.map(\.kind))
        guard !kinds.isDisjoint(with: [.identity, .manifest]) else { return }
        let path = path
        let directory: ExportDirectory
        let address = try ObjectAddress.parsed(path, of: "--to")
        if let address {
            directory = try await ObjectMirror.directory(of: address, in: environment)
        } else {
            directory = try await DedicatedThread.run { try ExportDirectory(path) }
        }
        guard let lock = try directory.tryLock() else { throw ExportFailure.exportRuns(directory: path) }
        var objects: ObjectMirror?
        if let address {
            objects = try await ObjectMirror(address, directory, lock, ConnectionChoice(), in: environment)
            try await objects?.claim(identifier)
            _ = try await objects?.show()
        }
        let aside = try await DedicatedThread.run { () -> String? in
            if try directory.identifier() == nil { try directory.setIdentifier(identifier, holding: lock) }
            if kinds.contains(.manifest), try directory.isObstructed(NameTemplate.manifest) {
                return try directory.setAside(NameTemplate.manifest)
            }
            try directory.adoptManifest(mayBeCut: true)
            guard kinds.contains(.manifest), try directory.size(of: NameTemplate.manifest) ?? 0 > 0 else { return nil }
            return try directory.setAside(NameTemplate.manifest)
        }
        if let aside {
            try await objects?.move(NameTemplate.manifest, to: aside)
            _ = try await objects?.show()
            environment.diagnostics.warning("\(NameTemplate.manifest): what was there is now \(aside)")
        }
        guard kinds.contains(.manifest) else { return }
        try await store.invalidateManifest(in: identifier)
        try await store.listFiles(of: identifier, in: directory)
        try await objects?.uploadManifest()
    }
}
