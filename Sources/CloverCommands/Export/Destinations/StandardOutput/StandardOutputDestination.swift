import ArgumentParser
import CloverAPI
import CloverCore
import CloverExport
import CloverSystem

/// Standard output. It keeps nothing, so that nothing can be resumed; but the state knows what was written.
struct StandardOutputDestination: ExportDestination {
    let store: ExportStore
    private let locks: [ExportLock]

    static let keepsFiles = false
    private static let folder = "exports"

    var identifier: String { "-" }
    var name: String { "standard output" }

    static func isMeant(by address: String?) -> Bool { address == nil }

    static func check(_ command: Export.Run) throws {
        if command.resources.count > 1 { throw ValidationError("several resources need --to DIRECTORY") }
        if command.merchants.isGiven, !command.merchants.tagsMerchant {
            throw ValidationError(
                "--profiles to standard output needs --tag-merchant, so that each record says whose it is; "
                    + "or --to DIRECTORY")
        }
        try Export.Run.refuse(command.fileOptions, "needs --to DIRECTORY")
    }

    /// Exports of other merchants or resources do not conflict with these.
    static func open(_ run: ExportOpening) async throws -> StandardOutputDestination? {
        let state = try run.environment.stateDirectory()
        let names = run.resources.map(\.name).joined(separator: ", ")
        let owners = Set(run.merchants.map { [$0.connection.environment.name, $0.merchantID, names] })
        let sums = owners.map { StableHash.words(for: $0.joined(separator: "\n")) }
        var locks: [ExportLock] = []
        // All runs take the locks in the same order, so that no two wait for each other.
        for sum in sums.sorted() {
            let lock = try await run.lock("standard output of \(names)") {
                try ExportLock.tryAcquire(
                    "standard-output-\(sum).lock", in: state.prepareSubdirectory(folder, rule: .own))
            }
            guard let lock else { return nil }
            locks.append(lock)
        }
        let target = StandardOutputDestination(store: try await ExportStore.open(in: state), locks: locks)
        try await target.store.add(target.identifier, at: target.name)
        return target
    }
}
