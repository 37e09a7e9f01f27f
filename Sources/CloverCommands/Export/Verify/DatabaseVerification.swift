import CloverCore
import CloverExport
import CloverSystem
import CloverTables

/// Checks one database.
struct DatabaseVerification: Sendable {
    let address: DatabaseAddress
    let environment: CommandEnvironment

    /// - Throws: `ExportFailure.exportRuns`, and why the database cannot be read.
    func run() async throws -> ExportVerification.Result {
        let address = try await DedicatedThread.run { [address] () throws(TableError) in
            try TableDatabase.resolved(address)
        }
        let state = try environment.stateDirectory()
        let lock = try await DedicatedThread.run {
            try ExportLock.tryAcquire(
                ExportStatus.lockName(ofDatabase: address.name),
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
        case .failure(.notDatabase(let path)) where known != nil:
            found = TableDatabase.Verification(findings: [
                ExportFinding(.unreadable, file: path, "the file is not an SQLite database any more")
            ])
        case .failure(let error): throw error
        }
        withExtendedLifetime(lock) {}
        if let store, let known {
            if let identifier = found.identifier, identifier == known {
                found.findings += try await gaps(found.markers, store, known)
            } else if found.findings.isEmpty {
                found.findings.append(
                    ExportFinding(
                        .identity, file: "clover_export_database",
                        "the database is not the one that was exported to, so the next run would start over"))
            }
        } else {
            environment.diagnostics.notice(
                "this machine has no state of \(address.name): checking it against its own sums alone")
        }
        return ExportVerification.Result(
            findings: found.findings,
            text: "\(ExportVerification.count(found.tables, "table")) with "
                + ExportVerification.count(found.rows, "row"),
            isEmpty: found.identifier == nil && found.findings.isEmpty,
            source: found.identifier.flatMap { $0 == known ? .database(address, identifier: $0) : nil })
    }

    /// Resources of which the database has less than the state wrote to it.
    private func gaps(
        _ markers: [TableDatabase.Marker], _ store: ExportStore, _ identifier: String
    ) async throws -> [ExportFinding] {
        var findings: [ExportFinding] = []
        for stream in try await store.streams() where stream.destination == identifier {
            let known = try await store.position(of: stream.place)
            let marker = markers.first { $0.resource == stream.resource }
            guard let revision = known.revision, revision != marker?.revision,
                DatabaseDestination.isBehind(marker, known.position, known.plans)
            else { continue }
            findings.append(
                ExportFinding(
                    .gap, resource: stream.resource, merchant: stream.merchant,
                    "the database has less of \(stream.resource) than was exported to it, as if restored from a backup; "
                        + "the next run exports the rest again"))
        }
        return findings
    }
}
