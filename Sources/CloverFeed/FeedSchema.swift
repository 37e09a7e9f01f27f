/// The database schema of a feed's state. A released migration never changes; changes are new migrations.
enum FeedSchema {
    /// "CLVF": identifies the file as the state of a feed.
    static let applicationID: Int32 = 0x434C_5646

    /// What one run needs. It is not synchronized with the device, which takes most of the time of a small reading.
    static let temporary = """
        -- The records of the current reading.
        CREATE TEMP TABLE seen (id TEXT PRIMARY KEY, time INTEGER) WITHOUT ROWID;
        -- Changes of readings that are not complete, as in pending.
        CREATE TEMP TABLE staged (
            place INTEGER PRIMARY KEY,
            stream INTEGER NOT NULL,
            id TEXT NOT NULL,
            time INTEGER,
            hash INTEGER,
            is_deleted INTEGER NOT NULL,
            at INTEGER NOT NULL,
            change TEXT NOT NULL,
            record BLOB NOT NULL
        ) STRICT;
        CREATE INDEX staged_record ON staged (stream, id);
        """

    static let migrations = [
        """
        CREATE TABLE feed (
            environment TEXT NOT NULL,
            merchant TEXT NOT NULL,
            next_sequence INTEGER NOT NULL,
            output TEXT,
            -- How far the webhooks of a listener were read.
            reported_through INTEGER
        ) STRICT;
        CREATE TABLE streams (
            place INTEGER PRIMARY KEY,
            resource TEXT NOT NULL UNIQUE,
            floor INTEGER,
            position INTEGER,
            deep_position INTEGER,
            has_begun INTEGER NOT NULL DEFAULT 0,
            read_at INTEGER,
            deep_read_at INTEGER,
            complete_at INTEGER,
            is_lost INTEGER NOT NULL DEFAULT 0,
            misses_reports INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        -- The version of each record that was delivered last, or that was there at the beginning.
        CREATE TABLE known (
            stream INTEGER NOT NULL REFERENCES streams (place),
            id TEXT NOT NULL,
            time INTEGER,
            hash INTEGER,
            is_deleted INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (stream, id)
        ) STRICT, WITHOUT ROWID;
        -- Changes that are not delivered yet. Those of a reading that is not complete have no sequence.
        CREATE TABLE pending (
            place INTEGER PRIMARY KEY,
            stream INTEGER NOT NULL REFERENCES streams (place),
            id TEXT NOT NULL,
            time INTEGER,
            hash INTEGER,
            is_deleted INTEGER NOT NULL,
            at INTEGER NOT NULL,
            change TEXT NOT NULL,
            record BLOB NOT NULL,
            sequence INTEGER
        ) STRICT;
        CREATE INDEX pending_sequence ON pending (sequence);
        CREATE INDEX pending_record ON pending (stream, id);
        """,
        """
        -- The listener's file that reported_through counts in, by its random identity.
        ALTER TABLE feed ADD COLUMN reported_by INTEGER;
        """,
        """
        -- Whether the state before this one was lost: a list that is followed later may have been followed before.
        ALTER TABLE feed ADD COLUMN is_lost INTEGER NOT NULL DEFAULT 0;
        """,
    ]
}
