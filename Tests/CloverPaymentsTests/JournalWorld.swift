import CloverFleet
import CloverPayments
import CloverSystem
import CloverTestSupport
import Testing

/// A journal in a file or in a database, as several processes see it.
final class JournalWorld {
    enum Store: CaseIterable, Sendable { case file, postgreSQL }

    let journal: ChargeJournal
    private let directory: TemporaryDirectory
    private let url: String?
    /// Locks of operations, held to the end as by their processes.
    private var locks: [OperationLock?] = []

    static func run(_ store: Store, _ body: (JournalWorld) async throws -> Void) async throws {
        try await body(try await JournalWorld(store))
    }

    private init(_ store: Store) async throws {
        directory = try TemporaryDirectory()
        switch store {
        case .file: url = nil
        case .postgreSQL:
            let server = try await PostgreSQLServer.shared
            let made = server.url(try await server.makeDatabase())
            _ = try FleetMigration(made).migrate(creates: true)
            url = made
        }
        journal = try await Self.open(url, directory)
    }

    private static func open(_ url: String?, _ directory: TemporaryDirectory) async throws -> ChargeJournal {
        let state = StateDirectory(path: directory["state"])
        guard let url else { return try await ChargeJournal.open(in: state) }
        return ChargeJournal(FleetJournal(url, state: state))
    }

    /// The same journal as another process opens it.
    func other() async throws -> ChargeJournal { try await Self.open(url, directory) }

    /// Records an operation, whose lock this process keeps.
    func add(_ operation: PaymentOperation) async throws { locks.append(try await journal.add(operation)) }
}
