/// The database schema of the export state. A released migration never changes; changes are new migrations.
enum ExportSchema {
    /// "CLVX": identifies the file as export state.
    static let applicationID: Int32 = 0x434C_5658

    static let migrations = [
        """
        CREATE TABLE destinations (
            id TEXT PRIMARY KEY,
            path TEXT NOT NULL,
            manifest_size INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE streams (
            place INTEGER PRIMARY KEY,
            destination TEXT NOT NULL REFERENCES destinations (id),
            environment TEXT NOT NULL,
            merchant TEXT NOT NULL,
            resource TEXT NOT NULL,
            profile TEXT,
            bookmark INTEGER,
            newest INTEGER,
            content TEXT,
            attempted_at INTEGER,
            succeeded_at INTEGER,
            interval INTEGER,
            covered_to INTEGER,
            last_records INTEGER NOT NULL DEFAULT 0,
            records INTEGER NOT NULL DEFAULT 0,
            files INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            failure TEXT,
            UNIQUE (destination, environment, merchant, resource)
        ) STRICT;
        CREATE TABLE plans (
            place INTEGER PRIMARY KEY,
            stream INTEGER NOT NULL REFERENCES streams (place),
            request TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            start INTEGER,
            finish INTEGER NOT NULL,
            drops_known INTEGER NOT NULL,
            records INTEGER NOT NULL DEFAULT 0,
            newest INTEGER,
            content TEXT,
            UNIQUE (stream, request)
        ) STRICT;
        CREATE TABLE windows (
            plan INTEGER NOT NULL REFERENCES plans (place) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            field TEXT,
            start INTEGER,
            finish INTEGER NOT NULL,
            is_done INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (plan, place)
        ) STRICT;
        CREATE TABLE publishing (
            destination TEXT NOT NULL REFERENCES destinations (id),
            path TEXT NOT NULL,
            size INTEGER,
            PRIMARY KEY (destination, path)
        ) STRICT;
        CREATE TABLE known_records (
            stream INTEGER NOT NULL REFERENCES streams (place),
            id TEXT NOT NULL,
            time INTEGER,
            hash INTEGER,
            PRIMARY KEY (stream, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE found_records (
            plan INTEGER NOT NULL REFERENCES plans (place) ON DELETE CASCADE,
            id TEXT NOT NULL,
            time INTEGER,
            hash INTEGER,
            PRIMARY KEY (plan, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE files (
            place INTEGER PRIMARY KEY,
            destination TEXT NOT NULL REFERENCES destinations (id),
            stream INTEGER NOT NULL REFERENCES streams (place),
            path TEXT NOT NULL,
            resource TEXT NOT NULL,
            field TEXT,
            start INTEGER,
            finish INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            line TEXT NOT NULL,
            is_listed INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX files_path ON files (destination, path);
        CREATE INDEX files_unlisted ON files (destination) WHERE is_listed = 0;
        """,
        // Requested exports of Clover's Export API.
        """
        CREATE TABLE service_exports (
            plan INTEGER NOT NULL REFERENCES plans (place) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY (plan, place)
        ) STRICT;
        """,
        // How far a bookmark is before its run's end; how far each part of a resource is exported; the form of a growing
        // file.
        """
        ALTER TABLE streams ADD COLUMN overlap INTEGER;
        UPDATE streams SET overlap = 300000 WHERE bookmark IS NOT NULL;
        CREATE TABLE parts (
            stream INTEGER NOT NULL REFERENCES streams (place),
            name TEXT NOT NULL,
            reached INTEGER NOT NULL,
            PRIMARY KEY (stream, name)
        ) STRICT;
        INSERT INTO parts (stream, name, reached)
            SELECT DISTINCT streams.place, substr(files.resource, length(streams.resource) + 2), streams.bookmark
            FROM files JOIN streams ON files.stream = streams.place
            WHERE files.resource <> streams.resource AND streams.bookmark IS NOT NULL;
        ALTER TABLE files ADD COLUMN form TEXT;
        """,
        // Numbers of files whose names would be the same; the last file before a plan.
        """
        ALTER TABLE files ADD COLUMN base TEXT;
        ALTER TABLE files ADD COLUMN number INTEGER NOT NULL DEFAULT 1;
        UPDATE files SET base = path;
        CREATE INDEX files_base ON files (destination, base);
        ALTER TABLE plans ADD COLUMN files_before INTEGER;
        UPDATE plans SET files_before = (SELECT ifnull(max(place), 0) FROM files);
        """,
        // When each resource was last requested, even if the run did not reach it; creation time of a list's oldest record,
        // for lists that are read in windows from there.
        """
        ALTER TABLE streams ADD COLUMN beginning INTEGER;
        ALTER TABLE streams ADD COLUMN asked_at INTEGER;
        UPDATE streams SET asked_at = attempted_at;
        """,
        // The form of the incremental runs; the form of each file, whether a successful incremental run made it, and
        // whether it is the first content of its file.
        """
        ALTER TABLE streams ADD COLUMN form TEXT;
        ALTER TABLE streams ADD COLUMN form_words TEXT;
        ALTER TABLE files ADD COLUMN choice TEXT;
        ALTER TABLE files ADD COLUMN is_regular INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE files ADD COLUMN is_first INTEGER NOT NULL DEFAULT 0;
        UPDATE files SET is_first = ifnull(json_extract(line, '$.offset'), 0) = 0;
        """,
        // Facts of a file that is about to be published, and its run; the run of files that were published but whose run was
        // interrupted before it recorded that.
        """
        ALTER TABLE publishing ADD COLUMN file TEXT;
        ALTER TABLE publishing ADD COLUMN stream INTEGER;
        ALTER TABLE publishing ADD COLUMN plan INTEGER;
        ALTER TABLE publishing ADD COLUMN drops_known INTEGER;
        ALTER TABLE files ADD COLUMN broken_plan INTEGER;
        ALTER TABLE files ADD COLUMN drops_known INTEGER;
        """,
        // Files that are no longer expected in the destination, because the user took them away.
        """
        ALTER TABLE files ADD COLUMN is_forgotten INTEGER NOT NULL DEFAULT 0;
        """,
        // Whether each record of a file names its merchant; NULL where that is unknown. It is known of the files of
        // incremental runs that all have the form that the stream keeps.
        """
        ALTER TABLE files ADD COLUMN is_tagged INTEGER;
        UPDATE files SET is_tagged = 1
        WHERE is_regular AND (stream, resource) IN (
            SELECT files.stream, files.resource FROM files JOIN streams ON files.stream = streams.place
            WHERE files.is_regular AND (
                streams.form_words LIKE '% --tag-merchant'
                OR streams.form_words LIKE '% --tag-merchant --show-sensitive')
            GROUP BY files.stream, files.resource HAVING count(DISTINCT ifnull(files.choice, '')) = 1);
        """,
        // The default columns of each form. A stream without them may have begun with a version of other columns.
        """
        CREATE TABLE default_columns (
            stream INTEGER NOT NULL REFERENCES streams (place),
            resource TEXT NOT NULL,
            form TEXT NOT NULL,
            columns TEXT NOT NULL,
            PRIMARY KEY (stream, resource, form)
        ) STRICT, WITHOUT ROWID;
        """,
        // Windows without records, which have no file, and whether the manifest names them; earlier ones are unknown, so
        // the whole time of earlier files counts. The words of the run that made a file.
        """
        CREATE TABLE empty_windows (
            stream INTEGER NOT NULL REFERENCES streams (place),
            resource TEXT NOT NULL,
            start INTEGER NOT NULL,
            finish INTEGER NOT NULL,
            is_listed INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (stream, resource, start, finish)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO empty_windows (stream, resource, start, finish, is_listed)
            SELECT files.stream, files.resource, start, max(finish, ifnull(bookmark + overlap, 0)), 1
            FROM (
                SELECT stream, resource, min(start) AS start, max(finish) AS finish FROM files
                WHERE field NOT NULL GROUP BY stream, resource
            ) AS files JOIN streams ON streams.place = files.stream;
        ALTER TABLE files ADD COLUMN words TEXT;
        """,
        // Whether further runs are expected: an export that ran once is not late.
        """
        ALTER TABLE streams ADD COLUMN is_expected INTEGER NOT NULL DEFAULT 0;
        UPDATE streams SET is_expected = 1
        WHERE interval NOT NULL
            OR destination <> '-' AND (succeeded_at IS NULL OR bookmark NOT NULL OR content NOT NULL);
        """,
        // The revision of a destination that is a database, after the last window.
        """
        ALTER TABLE streams ADD COLUMN revision INTEGER;
        """,
        // Current files: the versions of the records in a list that is exported in full, to find its changes; whether a
        // resource has a current file beside its change files; what a file is for, and which current file has its
        // records; files that are being moved.
        """
        CREATE TABLE current_records (
            stream INTEGER NOT NULL REFERENCES streams (place),
            resource TEXT NOT NULL,
            id TEXT NOT NULL,
            hash INTEGER NOT NULL,
            run INTEGER NOT NULL,
            PRIMARY KEY (stream, resource, id)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE streams ADD COLUMN keeps_current INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE files ADD COLUMN role TEXT;
        ALTER TABLE files ADD COLUMN merged_into INTEGER;
        CREATE TABLE moves (
            destination TEXT NOT NULL REFERENCES destinations (id),
            path TEXT NOT NULL,
            new_path TEXT NOT NULL,
            PRIMARY KEY (destination, path)
        ) STRICT;
        """,
    ]
}
