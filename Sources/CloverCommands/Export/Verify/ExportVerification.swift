import CloverAuth
import CloverCore
import CloverExport
import CloverSystem

/// Checks one destination.
struct ExportVerification: Sendable {
    /// The destination: a path with links resolved, or the name of an object store.
    let path: String
    /// Nil for a directory.
    let address: ObjectAddress?
    let ignoresForeign: Bool
    let environment: CommandEnvironment

    struct Result: Sendable {
        var findings: [ExportFinding]
        /// What was checked, for people: `3 files with 120 rows, 45678 bytes`.
        var text: String
        /// Whether there is no export that could be checked.
        var isEmpty = false
        /// What this machine's state knows of a directory; nil when it knows nothing.
        var known: KnownDestination?
        /// What can be compared with Clover; nothing when this machine's state does not have it.
        var sources: [ServiceVerification.Source] = []
    }

    /// - Throws: `ExportFailure.exportRuns`, and `ExportError` when the destination cannot be read at all.
    func run() async throws -> Result {
        if let address { return try await run(address) }
        guard let lock = await DedicatedThread.run({ [path] in ExportDirectory.inspectionLock(path) }) else {
            throw ExportFailure.exportRuns(directory: path)
        }
        let (known, identity) = try await known()
        if known == nil {
            environment.diagnostics.notice(
                "this machine has no state of \(path): checking it against its manifest alone")
        }
        let (findings, counts) = try await DedicatedThread.run { [path] in
            var check = try DestinationCheck(path, known)
            let findings = try check.run()
            return (findings, check.counts)
        }
        withExtendedLifetime(lock) {}
        var sources: [ServiceVerification.Source] = []
        if let known { sources.append(.directory(path, known)) }
        return result(findings, identity, counts, known, sources: sources)
    }

    private func result(
        _ found: [ExportFinding], _ identity: ExportFinding?, _ counts: DestinationCheck.Counts,
        _ known: KnownDestination?,
        sources: [ServiceVerification.Source]
    ) -> Result {
        if known?.isUnfinished == true {
            environment.diagnostics.notice(
                "an export to \(path), or 'clover export compact', was interrupted; to complete it, run it again")
        }
        let findings = [identity].compactMap(\.self) + found.filter { !ignoresForeign || $0.kind != .foreign }
        return Result(
            findings: findings,
            text: "\(Self.count(counts.files, "file")) with \(Self.count(counts.rows, "row")), \(counts.bytes) bytes",
            isEmpty: Self.isEmpty(findings, counts, known), known: known, sources: sources)
    }

    /// Whether there is no file, and no complete run without records.
    private static func isEmpty(
        _ findings: [ExportFinding], _ counts: DestinationCheck.Counts, _ known: KnownDestination?
    ) -> Bool {
        guard counts.files == 0, !(known?.hasSucceeded ?? false) else { return false }
        // Of a destination of another machine, the manifest is all that can be known.
        return findings.allSatisfy { finding in known == nil && !counts.hasManifest && finding.kind == .manifest }
    }

    static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Checks the objects, each of which is read.
    private func run(_ address: ObjectAddress) async throws -> Result {
        let directory = try await ObjectMirror.directory(of: address, in: environment)
        guard let lock = try directory.tryLock() else { throw ExportFailure.exportRuns(directory: path) }
        let objects = try await ObjectMirror(address, directory, lock, ConnectionChoice(), in: environment)
        let identifier = try await objects.identifier()
        guard try await objects.show() || identifier != nil else {
            throw ExportFailure.nothingExported(directory: path)
        }
        let (known, identity) = try await known(identifier)
        if known == nil {
            environment.diagnostics.notice(
                "this machine has no state of \(path): checking it against its manifest alone")
        }
        let ends = try await DedicatedThread.run { try DestinationCheck(directory.path, known).ends() }
        var contents: [String: ObjectContents] = [:]
        for (name, ends) in ends.sorted(by: { $0.key < $1.key }) {
            contents[name] = try await objects.contents(of: name, partsEndingAt: ends)
        }
        let (findings, counts) = try await DedicatedThread.run { [contents] in
            var check = try DestinationCheck(directory.path, known, objects: contents)
            let findings = try check.run()
            return (findings, check.counts)
        }
        withExtendedLifetime(lock) {}
        // Objects are not compared with Clover.
        return result(findings, identity, counts, known, sources: [])
    }

    /// What the state knows, and what is wrong with the id by which it recognizes the destination.
    ///
    /// - Parameter found: the id of an object store.
    private func known(_ found: String? = nil) async throws -> (KnownDestination?, ExportFinding?) {
        guard let store = try await ExportStore.existing(in: environment.stateDirectory()) else { return (nil, nil) }
        let destinations = try await store.destinations()
        let identifier = address == nil ? ExportDirectory.identifier(at: path) : found
        if let identifier, let known = destinations[identifier] {
            // A copy has its own history from its next run on; until then its manifest says what it has.
            if ExportDirectory.isCopy(path, of: known, identifier: identifier) { return (nil, nil) }
            return (try await store.known(identifier), nil)
        }
        guard let here = destinations.first(where: { $0.value == path })?.key else { return (nil, nil) }
        let folder = ExportDirectory.folder
        return (
            try await store.known(here),
            ExportFinding(
                .identity, file: "\(folder)/id",
                identifier == nil
                    ? "\(folder)/id is missing, so the next run would start over"
                    : "\(folder)/id is that of another destination")
        )
    }
}
