/// The tables of the journal. A script that was released never changes: a new one is added.
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
