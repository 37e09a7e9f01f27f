extension FleetSchema {
    /// Exports whose work machines share.
    ///
    /// A round is what the runs of one command that overlap do together, and has a unit for each resource of each merchant.
    /// `owner` is the random number of the client that works on a unit; `alive_at` is when it was last recorded to live.
    static let exportTables = [
        """
        CREATE TABLE clover_state.export_rounds (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, destination text NOT NULL,
            begun_at timestamptz NOT NULL DEFAULT clock_timestamp())
        """,
        """
        CREATE TABLE clover_state.export_runs (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            round bigint NOT NULL REFERENCES clover_state.export_rounds (id) ON DELETE CASCADE, machine text NOT NULL,
            owner bigint NOT NULL, alive_at timestamptz, begun_at timestamptz NOT NULL DEFAULT clock_timestamp())
        """,
        """
        CREATE TABLE clover_state.export_units (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            round bigint NOT NULL REFERENCES clover_state.export_rounds (id) ON DELETE CASCADE,
            environment text NOT NULL, merchant text NOT NULL, profile text, resource text NOT NULL,
            state text NOT NULL DEFAULT 'waiting', attempts int NOT NULL DEFAULT 0, owner bigint, machine text,
            alive_at timestamptz, begun_at timestamptz, ended_at timestamptz, records bigint NOT NULL DEFAULT 0,
            status int, message text, UNIQUE (round, environment, merchant, resource))
        """,
        // Whether a process that recorded this may still live; it could not while the server was away.
        """
        CREATE FUNCTION clover_state.is_alive(at timestamptz) RETURNS bool LANGUAGE sql VOLATILE AS $$
            SELECT coalesce(clock_timestamp() <= greatest(at, pg_postmaster_start_time(),
                (SELECT s.at FROM clover_state.server_start s)) + interval '\(operationGrace) s', false)
            WHERE at IS NOT NULL
        $$
        """,
        // Joins the round of a run that is alive, or begins one.
        """
        CREATE FUNCTION clover_state.join_exports(
            name_ text, destination_ text, machine_ text, client bigint, OUT round_ bigint, OUT run_ bigint
        ) LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtext('clover exports'), hashtext(name_));
            INSERT INTO clover_state.server_start DEFAULT VALUES ON CONFLICT DO NOTHING;
            SELECT r.round INTO round_ FROM clover_state.export_runs r
            JOIN clover_state.export_rounds d ON d.id = r.round
            WHERE d.name = name_ AND clover_state.is_alive(r.alive_at) ORDER BY r.round DESC LIMIT 1;
            IF round_ IS NULL THEN
                DELETE FROM clover_state.export_rounds
                WHERE name = name_ AND begun_at < clock_timestamp() - interval '7 days';
                INSERT INTO clover_state.export_rounds (name, destination) VALUES (name_, destination_)
                RETURNING id INTO round_;
            END IF;
            INSERT INTO clover_state.export_runs (round, machine, owner, alive_at)
            VALUES (round_, machine_, client, clock_timestamp()) RETURNING id INTO run_;
        END $$
        """,
        // The next unit that no process works on; null if there is none.
        """
        CREATE FUNCTION clover_state.take_export(wanted bigint[], machine_ text, client bigint) RETURNS bigint
        LANGUAGE plpgsql VOLATILE AS $$
        DECLARE unit bigint;
        BEGIN
            FOR unit IN
                SELECT id FROM clover_state.export_units WHERE id = ANY (wanted)
                    AND (state = 'waiting' OR state = 'running' AND clover_state.is_alive(alive_at) IS NOT TRUE)
                ORDER BY attempts, id
            LOOP
                CONTINUE WHEN NOT clover_state.lock_export(unit);
                UPDATE clover_state.export_units SET state = 'running', owner = client, machine = machine_,
                    alive_at = clock_timestamp(), begun_at = clock_timestamp(), ended_at = NULL, records = 0,
                    status = NULL, message = NULL, attempts = attempts + 1
                WHERE id = unit
                    AND (state = 'waiting' OR state = 'running' AND clover_state.is_alive(alive_at) IS NOT TRUE);
                IF FOUND THEN RETURN unit; END IF;
                PERFORM clover_state.unlock_export(unit);
            END LOOP;
            RETURN NULL;
        END $$
        """,
        """
        CREATE FUNCTION clover_state.lock_export(unit bigint) RETURNS bool LANGUAGE sql VOLATILE AS $$
            SELECT pg_try_advisory_lock(hashtext('clover export'), (unit % 2147483647)::int)
        $$
        """,
        """
        CREATE FUNCTION clover_state.unlock_export(unit bigint) RETURNS bool LANGUAGE sql VOLATILE AS $$
            SELECT pg_advisory_unlock(hashtext('clover export'), (unit % 2147483647)::int)
        $$
        """,
        // A unit that did not end is left to others.
        """
        CREATE FUNCTION clover_state.give_export(unit bigint, client bigint) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            UPDATE clover_state.export_units SET state = 'waiting', owner = NULL, alive_at = NULL
            WHERE id = unit AND owner = client AND state = 'running';
            PERFORM clover_state.unlock_export(unit);
        END $$
        """,
        """
        CREATE FUNCTION clover_state.keep_exports(client bigint) RETURNS void LANGUAGE sql VOLATILE AS $$
            UPDATE clover_state.export_runs SET alive_at = clock_timestamp() WHERE owner = client AND alive_at IS NOT NULL;
            UPDATE clover_state.export_units SET alive_at = clock_timestamp() WHERE owner = client AND state = 'running'
        $$
        """,
    ]
}
