import CloverFleet
import CloverHTTP
import CloverRateLimit
import CloverSystem
import CloverTestSupport
import ProbeSupport
import Synchronization
import Testing

/// A database with the tables of the shared state, or a directory in its place.
struct FleetWorld {
    enum Store: CaseIterable, Sendable { case files, postgreSQL }

    let server: PostgreSQLServer
    let name: String
    var url: String { server.url(name) }
    let notices = Notices()

    /// What the ledgers reported.
    final class Notices: Sendable {
        private let all = Mutex<[LedgerNotice]>([])

        var notices: [LedgerNotice] { all.withLock(\.self) }
        @Sendable func record(_ notice: LedgerNotice) { all.withLock { $0.append(notice) } }
    }

    /// A database of the shared server with the tables, to be copied: that is faster than to create them.
    private static let original: Task<String, any Error> = Task {
        let server = try await PostgreSQLServer.shared
        let name = try await server.makeDatabase()
        _ = try FleetMigration(server.url(name)).migrate(creates: true)
        return name
    }

    init(own: Bool = false, isEmpty: Bool = false) async throws {
        server = own ? try await PostgreSQLServer() : try await PostgreSQLServer.shared
        let original: String? = own || isEmpty ? nil : try await Self.original.value
        name = try await server.makeDatabase(copyOf: original)
        if own, !isEmpty { _ = try FleetMigration(url).migrate(creates: true) }
    }

    static func scope(_ token: String) -> LedgerScope { LedgerScope(service: "A/\(token)", token: Secret("token")) }

    func ledger(
        _ token: String = "a", limits: RateLimits = RateLimits(), app: RateLimits? = nil
    ) -> RateLedger {
        RateLedger(
            fleet: url, token: RateBudget(Self.scope(token), limits: limits),
            app: app.map { RateBudget(LedgerScope(service: "x", appID: "A"), limits: $0) }, onNotice: notices.record)
    }

    func rows(_ sql: String) async throws -> [String] { try await server.rows(sql, in: name) }
}
