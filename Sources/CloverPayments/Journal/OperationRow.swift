import CloverJSON
import FoundationEssentials
import GRDB

/// Converts operations to and from rows of the journal.
enum OperationRow {
    static func insert(_ operation: PaymentOperation, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO operations (id, kind, parent, rail, environment, merchant, idempotency_key, external_id,
                    amount, currency, request, state, outcome, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                operation.id, operation.kind.rawValue, operation.parent, operation.rail.rawValue,
                operation.environment, operation.merchantID, operation.idempotencyKey,
                operation.externalID.map(externalIDValue),
                operation.minorUnits, operation.currencyCode, try BodyText.encode(operation.request),
                operation.state.rawValue, try BodyText.encode(operation.outcome), operation.createdAt,
                operation.updatedAt,
            ])
    }

    static func update(_ operation: PaymentOperation, in database: Database) throws {
        try database.execute(
            sql: "UPDATE operations SET request = ?, state = ?, outcome = ?, updated_at = ? WHERE id = ?",
            arguments: [
                try BodyText.encode(operation.request), operation.state.rawValue,
                try BodyText.encode(operation.outcome), operation.updatedAt,
                operation.id,
            ])
    }

    /// An external ID as a database value. GRDB cuts text at a NUL character, which a hand-off's state may contain, but
    /// returns bytes as the whole text.
    static func externalIDValue(_ text: String) -> DatabaseValue {
        text.utf8.contains(0) ? Data(text.utf8).databaseValue : text.databaseValue
    }

    static func operation(_ row: Row) throws -> PaymentOperation {
        let id: String = row["id"]
        guard let kind = OperationKind(rawValue: row["kind"]), let rail = PaymentRail(rawValue: row["rail"]),
            let state = OperationState(rawValue: row["state"])
        else { throw JournalError.malformed(id: id) }
        var operation: PaymentOperation
        do {
            let plain = plainAmount(row, rail)
            operation = PaymentOperation(
                id: id, kind: kind, parent: row["parent"], rail: rail, environment: row["environment"],
                merchantID: row["merchant"], idempotencyKey: row["idempotency_key"], externalID: row["external_id"],
                amount: plain == nil ? try amount(row) : nil, plainAmount: plain, request: try value(row["request"]),
                now: row["created_at"])
            operation.outcome = try value(row["outcome"])
        } catch {
            throw JournalError.malformed(id: id)
        }
        operation.state = state
        operation.updatedAt = row["updated_at"]
        return operation
    }

    private static func amount(_ row: Row) throws -> Money? {
        guard let minorUnits: Int64 = row["amount"], let code: String = row["currency"] else { return nil }
        return Money(minorUnits: minorUnits, currency: try AmountText.currency(code))
    }

    /// The amount in a currency outside ISO 4217, which only a hand-off can have; otherwise nil.
    private static func plainAmount(_ row: Row, _ rail: PaymentRail) -> RawAmount? {
        guard rail.isHandedOff, let minorUnits: Int64 = row["amount"], let code: String = row["currency"] else {
            return nil
        }
        do throws(AmountError) {
            _ = try AmountText.currency(code)
            return nil
        } catch {
            return RawAmount(minorUnits: minorUnits, currencyCode: code)
        }
    }

    private static func value<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}

/// The tables of the journal. A released migration never changes; changes are new migrations.
enum JournalSchema {
    /// "CLVJ": marks the file as a journal of charges.
    static let applicationID: Int32 = 0x434C_564A

    static let migrations = [
        """
        CREATE TABLE operations (
            place INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            parent TEXT REFERENCES operations (id),
            rail TEXT NOT NULL,
            environment TEXT NOT NULL,
            merchant TEXT NOT NULL,
            idempotency_key TEXT NOT NULL UNIQUE,
            external_id TEXT,
            amount INTEGER,
            currency TEXT,
            request TEXT NOT NULL,
            state TEXT NOT NULL,
            outcome TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE INDEX operations_external ON operations (external_id);
        CREATE INDEX operations_parent ON operations (parent);
        CREATE INDEX operations_unsettled ON operations (state) WHERE state IN ('created', 'sent', 'unknown');
        CREATE TABLE transitions (
            operation TEXT NOT NULL REFERENCES operations (id),
            at INTEGER NOT NULL,
            state TEXT NOT NULL,
            detail TEXT
        );
        CREATE INDEX transitions_operation ON transitions (operation);
        """
    ]
}
