import FoundationEssentials
import GRDB

/// The service's own exports that a run has asked for.
extension ExportStore {
    /// What an earlier try at a window has left.
    ///
    /// - Parameters:
    ///   - plan: its row.
    ///   - window: its number in the plan.
    package func serviceExports(_ window: Int, of plan: Int64) async throws -> ExportAPIState {
        let text = try await read {
            try String.fetchOne(
                $0, sql: "SELECT state FROM service_exports WHERE plan = ? AND place = ?", arguments: [plan, window])
        }
        guard let text else { return ExportAPIState() }
        return try JSONDecoder().decode(ExportAPIState.self, from: Data(text.utf8))
    }

    package func keep(_ state: ExportAPIState, _ window: Int, of plan: Int64) async throws {
        let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        try await write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO service_exports (plan, place, state) VALUES (?, ?, ?)",
                arguments: [plan, window, text])
        }
    }
}
