extension FleetSchema {
    /// Seconds for which an operation is left to the process that worked on it, after its session ended: it may have lost only
    /// that, and connects anew at once.
    static let operationGrace = 10
    /// Milliseconds between two times that a process records that it works on an operation.
    static let beat: Int32 = 2000

    /// Version 3: the journal of charges. Its columns are those of the file, and statements find them by `search_path`.
    ///
    /// `owner` is the random number of the client that works on an operation, which only then may send it; `alive_at` is when
    /// it was last recorded to live. `journal_writes` has a random number of each change, by which a client learns whether a change took
    /// place whose response was lost. `server_start` is unlogged: after a crash it is empty, and the next client fills it.
    static let journalTables = [
        """
        CREATE TABLE clover_state.operations (
            place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, kind text NOT NULL,
            parent text REFERENCES clover_state.operations (id), rail text NOT NULL, environment text NOT NULL,
            merchant text NOT NULL, idempotency_key text NOT NULL UNIQUE, external_id text, amount bigint, currency text,
            request json NOT NULL, state text NOT NULL, outcome json NOT NULL, created_at bigint NOT NULL,
            updated_at bigint NOT NULL, recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(), owner bigint,
            alive_at timestamptz)
        """,
        "CREATE INDEX operations_external ON clover_state.operations (external_id)",
        "CREATE INDEX operations_parent ON clover_state.operations (parent)",
        """
        CREATE INDEX operations_unsettled ON clover_state.operations (state)
        WHERE state IN ('created', 'sent', 'unknown')
        """,
        """
        CREATE TABLE clover_state.transitions (
            rowid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            operation text NOT NULL REFERENCES clover_state.operations (id), at bigint NOT NULL, state text NOT NULL,
            detail text)
        """,
        "CREATE INDEX transitions_operation ON clover_state.transitions (operation)",
        """
        CREATE TABLE clover_state.journal_writes (
            writer bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())
        """,
        "CREATE INDEX journal_writes_at ON clover_state.journal_writes (at)",
        """
        CREATE UNLOGGED TABLE clover_state.server_start (
            is_only bool PRIMARY KEY DEFAULT true CHECK (is_only), at timestamptz NOT NULL DEFAULT clock_timestamp())
        """,
        // As SQLite's: truths are 1 and 0.
        """
        CREATE FUNCTION clover_state.json_extract(document json, path text) RETURNS text
        LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE json_typeof(part) WHEN 'boolean' THEN (part #>> '{}')::bool::int::text ELSE part #>> '{}' END
            FROM (SELECT document #> string_to_array(substr(path, 3), '.') AS part) parts
        $$
        """,
        """
        CREATE INDEX operations_payment ON clover_state.operations (clover_state.json_extract(outcome, '$.paymentID'))
        """,
        """
        CREATE FUNCTION clover_state.lock_place(place bigint) RETURNS bool LANGUAGE sql VOLATILE AS $$
            SELECT pg_try_advisory_lock(hashtext('clover operation'), (place % 2147483647)::int)
        $$
        """,
        """
        CREATE FUNCTION clover_state.unlock_place(place bigint) RETURNS bool LANGUAGE sql VOLATILE AS $$
            SELECT pg_advisory_unlock(hashtext('clover operation'), (place % 2147483647)::int)
        $$
        """,
        // Takes an operation that no process works on. One whose client did not give it back is left alone for a while; while the
        // server was away, that client could not say that it lives.
        """
        CREATE FUNCTION clover_state.take_operation(own_place bigint, client bigint) RETURNS bool
        LANGUAGE plpgsql VOLATILE AS $$
        DECLARE up timestamptz;
        BEGIN
            IF NOT clover_state.lock_place(own_place) THEN RETURN false; END IF;
            INSERT INTO clover_state.server_start DEFAULT VALUES ON CONFLICT DO NOTHING;
            SELECT greatest(at, pg_postmaster_start_time()) INTO up FROM clover_state.server_start;
            UPDATE clover_state.operations SET owner = client, alive_at = clock_timestamp()
            WHERE place = own_place AND (owner IS NULL OR owner = client
                OR clock_timestamp() > greatest(alive_at, up) + interval '\(operationGrace) s');
            IF FOUND THEN RETURN true; END IF;
            PERFORM clover_state.unlock_place(own_place);
            RETURN false;
        END $$
        """,
        """
        CREATE FUNCTION clover_state.give_operation(own_place bigint, client bigint) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            UPDATE clover_state.operations SET owner = NULL, alive_at = NULL
            WHERE place = own_place AND owner = client;
            PERFORM clover_state.unlock_place(own_place);
        END $$
        """,
        // A row that is being changed is left out: who changes it says so, too.
        """
        CREATE FUNCTION clover_state.keep_operations(places bigint[], client bigint) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            PERFORM set_config('synchronous_commit', 'off', true);
            UPDATE clover_state.operations SET alive_at = clock_timestamp() WHERE place IN (
                SELECT place FROM clover_state.operations WHERE place = ANY (places) AND owner = client
                FOR UPDATE SKIP LOCKED);
        END $$
        """,
    ]
}
