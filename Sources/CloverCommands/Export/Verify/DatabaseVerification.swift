import CloverAuth
import CloverCore
import CloverExport
import CloverSystem
import CloverTables

/// Checks one database.
struct DatabaseVerification: Sendable {
    let address: DatabaseAddress
    let environment: CommandEnvironment

    /// Checks the schemas, too, to which `--profiles` wrote the records of each merchant.
    func runWithSchemas() async throws -> ExportVerification.Result {
        let known = try await ExportStore.existing(in: environment.stateDirectory())?.destinations()
        let names = Set((known ?? [:]).values)
        let schemas = names.sorted().compactMap { name in address.schema(of: name).map { (name: name, schema: $0) } }
        guard !schemas.isEmpty else { return try await run() }
        var all = ExportVerification.Result(findings: [], text: "", isEmpty: true)
        var texts: [String] = []
        if names.contains(address.name) {
            let result = try await run()
            if !result.isEmpty {
                all = result
                texts.append(result.text)
            }
        }
        for (name, schema) in schemas {
            let own = DatabaseVerification(address: .postgreSQL(url: name), environment: environment)
            let result = try await own.run()
            guard !result.isEmpty else { continue }
            all.isEmpty = false
            all.findings += result.findings.map { finding in
                var finding = finding
                finding.file = finding.file.map { "\(schema).\($0)" }
                finding.sentence = "in \(schema): \(finding.sentence)"
                return finding
            }
            all.sources += result.sources
            texts.append("\(schema): \(result.text)")
        }
        all.text = texts.joined(separator: "; ")
        return all
    }

    /// - Throws: `ExportFailure.exportRuns`, and why the database cannot be read.
    func run() async throws -> ExportVerification.Result {
        let address = await DedicatedThread.run { [address] in address.resolved }
        let state = try environment.stateDirectory()
        let lock = try await DedicatedThread.run {
            try ExportLock.tryAcquire(
                address.lockName,
                in: state.prepareSubdirectory(ExportStatus.lockFolder, rule: .own))
        }
        guard let lock else { throw ExportFailure.exportRuns(directory: address.name) }
        let store = try await ExportStore.existing(in: state)
        let known = try await store?.destinations().first { $0.value == address.name }?.key
        let result = await DedicatedThread.run {
            Result { () throws(TableError) in try TableDatabase.verify(address) }
        }
        var found: TableDatabase.Verification
        switch result {
        case .success(let verification): found = verification
        case .failure(.missing(let path)) where known != nil:
            found = TableDatabase.Verification(findings: [
                ExportFinding(.missing, file: path, "the database is gone")
            ])
        case .failure(.notDatabase(let path)):
            found = TableDatabase.Verification(findings: [
                ExportFinding(.unreadable, file: path, "the file is not an SQLite database, or is damaged")
            ])
        case .failure(.notFile(let path)):
            found = TableDatabase.Verification(findings: [
                ExportFinding(.notFile, file: path, "the database is not a regular file")
            ])
        case .failure(.readOnly(let path)):
            found = TableDatabase.Verification(findings: [
                ExportFinding(.unreadable, file: path, "the file cannot be opened: no permission")
            ])
        case .failure(let error): throw error
        }
        withExtendedLifetime(lock) {}
        if let store, let known {
            // Without an id, the next run takes it for this destination.
            let isSame = found.identifier == known || found.hasLostIdentifier
            if !isSame, found.findings.isEmpty, try await hasWritten(store, to: known) {
                found.findings.append(
                    ExportFinding(
                        .identity, file: "clover_export_database",
                        "the database is not the one that was exported to, so the next run would start over"))
                found.findings += try await gaps(found, store, known)
            }
            if isSame { found.findings += try await gaps(found, store, known) }
        } else {
            environment.diagnostics.notice(
                "this machine has no state of \(address.name): checking it against its own sums alone")
        }
        for marker in found.markers where !marker.isForged {
            let now = environment.clock.wall() + RangePlan.clockSlack
            guard let later = DatabaseDestination.later(marker, than: now) else { continue }
            found.findings.append(
                ExportFinding(
                    .changed, file: "clover_export", resource: marker.resource,
                    "\(marker.resource) is exported up to \(later), later than this machine's clock: it is slow, or the "
                        + "clock of that export was fast"))
        }
        var sources: [ServiceVerification.Source] = []
        if let identifier = found.identifier, identifier == known {
            sources.append(.database(address, identifier: identifier))
        }
        return ExportVerification.Result(
            findings: found.findings,
            text: "\(ExportVerification.count(found.tables, "table")) with "
                + ExportVerification.count(found.rows, "row"),
            isEmpty: found.identifier == nil && found.findings.isEmpty,
            sources: sources)
    }

    /// Whether an export got as far as to write to the database.
    private func hasWritten(_ store: ExportStore, to identifier: String) async throws -> Bool {
        for stream in try await store.streams() where stream.destination == identifier {
            if try await store.position(of: stream.place).revision != nil { return true }
        }
        return false
    }

    /// Resources of which the database has less than the state wrote to it, or says that it has more.
    private func gaps(
        _ found: TableDatabase.Verification, _ store: ExportStore, _ identifier: String
    ) async throws -> [ExportFinding] {
        var findings: [ExportFinding] = []
        for stream in try await store.streams() where stream.destination == identifier {
            let known = try await store.position(of: stream.place)
            let marker = found.markers.first { $0.resource == stream.resource }
            let isLost = marker == nil && found.identifier != identifier
            if let marker, marker.revision == known.revision, !marker.isForged, let time = known.position.latest,
                let later = DatabaseDestination.later(marker, than: time)
            {
                findings.append(
                    ExportFinding(
                        .changed, file: "clover_export", resource: stream.resource, merchant: stream.merchant,
                        "others changed clover_export: \(stream.resource) is exported up to \(later) by it, and up to "
                            + "\(InstantText.utc(milliseconds: time)) by this machine's state, which the next run writes again"
                    ))
            }
            guard let revision = known.revision, revision != marker?.revision,
                isLost || DatabaseDestination.isBehind(marker, known.position, known.plans)
            else { continue }
            findings.append(
                ExportFinding(
                    .gap, resource: stream.resource, merchant: stream.merchant,
                    isLost
                        ? "the database has nothing of \(stream.resource), which was exported to it"
                        : "the database has less of \(stream.resource) than was exported to it, as if restored from a "
                            + "backup; the next run exports the rest again"))
        }
        return findings
    }
}
