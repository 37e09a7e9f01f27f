import CloverTestSupport
import Foundation
import GRDB

/// The journal as it is on the disk, for the judge alone: a copy is read, so that no process finds it changed.
struct ModelJournal: Sendable {
    struct Operation: Sendable, Equatable {
        let id: String
        let kind: String
        let parent: String?
        let rail: String
        let key: String
        let state: String
        let isByHand: Bool
        /// Cents; nil where there are none.
        var amount: Int?
        /// States, the oldest first, with why.
        let transitions: [Transition]

        var isFinal: Bool { !["created", "sent", "unknown"].contains(state) }
    }

    struct Transition: Sendable, Equatable {
        let state: String
        let detail: String

        /// Entered by a person, not found by the program.
        var isByHand: Bool { detail.contains("by hand") }
    }

    let operations: [Operation]

    func operation(key: String) -> Operation? { operations.first { $0.key == key } }

    /// Follow-ups on card charges that a person recorded as carried out, and has not confirmed since, although the service shows
    /// their payments without them.
    ///
    /// - Parameter payments: the payments of charges by the charges' ids.
    func undone(_ money: ModelMoney, on payments: [String: String]) -> [Operation] {
        operations.filter { operation in
            guard operation.isByHand, operation.state == "approved",
                !operation.transitions.contains(where: { $0.detail.contains("it stays as it is recorded") }),
                let payment = operation.parent.flatMap({ payments[$0] }).flatMap(money.payment),
                payment.rail == .ecommerce, !payment.isHidden
            else { return false }
            // A charge that is contradicted itself is named instead.
            let charge = operations.first { $0.id == operation.parent }
            if charge?.transitions.contains(where: { $0.detail.contains("ed later") }) ?? true { return false }
            switch operation.kind {
            case "capture": return !payment.isCaptured
            case "refund":
                // Amounts cannot tell several refunds apart.
                let refunds = operations.filter {
                    $0.kind == "refund" && $0.parent == operation.parent && $0.state == "approved"
                }
                return payment.refunded < refunds.compactMap(\.amount).reduce(0, +)
            default: return false
            }
        }
    }

    /// Copies the journal of a state folder and reads it; nil where there is none, or where it changed meanwhile.
    static func read(_ folder: String, copyingTo copy: String) throws -> ModelJournal? {
        let files = FileManager.default
        try? files.removeItem(atPath: copy)
        try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
        let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix("journal.sqlite") {
            // One that ended with its transaction is not needed.
            _ = try? files.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy)/\(name)")
        }
        guard files.fileExists(atPath: "\(copy)/journal.sqlite") else { return nil }
        do {
            return try DatabaseQueue(path: "\(copy)/journal.sqlite").read { database in
                guard try database.tableExists("operations") else { return nil }
                return ModelJournal(operations: try operations(database))
            }
        } catch is DatabaseError {
            return nil
        }
    }

    /// Reads the journal of a database.
    static func read(_ database: ServedDatabase) async throws -> ModelJournal {
        let lines = try await database.rows(
            """
            SELECT json_build_object('id', id, 'kind', kind, 'parent', parent, 'rail', rail, 'key', idempotency_key,
                'state', state, 'amount', amount, 'hand', clover_state.json_extract(outcome, '$.isByHand') = '1',
                'transitions', (
                    SELECT json_agg(json_build_object('state', t.state, 'detail', coalesce(t.detail, '')) ORDER BY rowid)
                    FROM clover_state.transitions t WHERE t.operation = o.id))
            FROM clover_state.operations o ORDER BY place
            """)
        return ModelJournal(
            operations: try lines.map { line in
                let row = try JSONValue(line)
                func text(_ name: String) -> String { row[name]?.string ?? "" }
                return Operation(
                    id: text("id"), kind: text("kind"), parent: row["parent"]?.string, rail: text("rail"),
                    key: text("key"), state: text("state"), isByHand: row["hand"] == .bool(true),
                    amount: row["amount"]?.integer,
                    transitions: (row["transitions"]?.elements ?? []).map {
                        Transition(state: $0["state"]?.string ?? "", detail: $0["detail"]?.string ?? "")
                    })
            })
    }

    private static func operations(_ database: Database) throws -> [Operation] {
        var transitions: [String: [Transition]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT operation, state, detail FROM transitions ORDER BY rowid") {
            let detail: String? = row["detail"]
            transitions[row["operation"], default: []].append(
                Transition(state: row["state"], detail: detail ?? ""))
        }
        let sql = """
            SELECT *, json_extract(outcome, '$.isByHand') AS hand FROM operations ORDER BY place
            """
        return try Row.fetchAll(database, sql: sql).map { row in
            let hand: Bool? = row["hand"]
            return Operation(
                id: row["id"], kind: row["kind"], parent: row["parent"], rail: row["rail"],
                key: row["idempotency_key"], state: row["state"], isByHand: hand ?? false,
                amount: row["amount"], transitions: transitions[row["id"]] ?? [])
        }
    }
}
