import CloverJSON
import FoundationEssentials

/// Converts operations to and from rows of the journal.
enum OperationRow {
    /// - Returns: the row number.
    static func insert(_ operation: PaymentOperation, into database: any JournalTransaction) throws -> Int64 {
        let row = try database.rows(
            """
            INSERT INTO operations (id, kind, parent, rail, environment, merchant, idempotency_key, external_id,
                amount, currency, request, state, outcome, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING place
            """,
            [
                .text(operation.id), .text(operation.kind.rawValue), JournalValue(operation.parent),
                .text(operation.rail.rawValue), .text(operation.environment), .text(operation.merchantID),
                .text(operation.idempotencyKey), JournalValue(operation.externalID),
                JournalValue(operation.minorUnits), JournalValue(operation.currencyCode),
                .json(try BodyText.encode(operation.request)), .text(operation.state.rawValue),
                .json(try BodyText.encode(operation.outcome)), .integer(operation.createdAt),
                .integer(operation.updatedAt),
            ]
        ).first
        guard let place = row?.first?.integer else { throw JournalError.missing(id: operation.id) }
        return place
    }

    static func update(_ operation: PaymentOperation, in database: any JournalTransaction) throws {
        try database.execute(
            "UPDATE operations SET request = $1, state = $2, outcome = $3, updated_at = $4, amount = $5 WHERE id = $6",
            [
                .json(try BodyText.encode(operation.request)), .text(operation.state.rawValue),
                .json(try BodyText.encode(operation.outcome)), .integer(operation.updatedAt),
                JournalValue(operation.minorUnits), .text(operation.id),
            ])
    }

    /// What `operation` reads.
    static let columns = """
        id, kind, parent, rail, environment, merchant, idempotency_key, external_id, amount, currency, request, state,
        outcome, created_at, updated_at
        """

    static func operation(_ row: [JournalValue]) throws -> PaymentOperation {
        let id = row[0].text ?? ""
        guard row.count == 15, let kind = row[1].text.flatMap({ OperationKind(rawValue: $0) }),
            let rail = row[3].text.flatMap({ PaymentRail(rawValue: $0) }),
            let state = row[11].text.flatMap({ OperationState(rawValue: $0) }), let environment = row[4].text,
            let merchant = row[5].text, let key = row[6].text, let createdAt = row[13].integer,
            let updatedAt = row[14].integer
        else { throw JournalError.malformed(id: id) }
        var operation: PaymentOperation
        do {
            let plain = plainAmount(row[8], row[9], rail)
            operation = PaymentOperation(
                id: id, kind: kind, parent: row[2].text, rail: rail, environment: environment, merchantID: merchant,
                idempotencyKey: key, externalID: row[7].text, amount: plain == nil ? try amount(row[8], row[9]) : nil,
                plainAmount: plain, request: try value(row[10]), now: createdAt)
            operation.outcome = try value(row[12])
        } catch {
            throw JournalError.malformed(id: id)
        }
        operation.state = state
        operation.updatedAt = updatedAt
        return operation
    }

    private static func amount(_ minorUnits: JournalValue, _ code: JournalValue) throws -> Money? {
        guard let minorUnits = minorUnits.integer, let code = code.text else { return nil }
        return Money(minorUnits: minorUnits, currency: try AmountText.currency(code))
    }

    /// The amount in a currency outside ISO 4217, which only a hand-off can have; otherwise nil.
    private static func plainAmount(
        _ minorUnits: JournalValue, _ code: JournalValue, _ rail: PaymentRail
    ) -> RawAmount? {
        guard rail.isHandedOff, let minorUnits = minorUnits.integer, let code = code.text else { return nil }
        do throws(AmountError) {
            _ = try AmountText.currency(code)
            return nil
        } catch {
            return RawAmount(minorUnits: minorUnits, currencyCode: code)
        }
    }

    private static func value<Value: Decodable>(_ column: JournalValue) throws -> Value {
        // A database that cannot keep the escape of a NUL gives the character, which JSON cannot have.
        let text = (column.text ?? "").replacing("\0", with: "\\u0000")
        return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
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
