extension FleetSchema {
    /// Version 4: moves of sign-ins and charges between a machine's directory and the database.
    ///
    /// `moves` has those that came from a directory, so that a move whose response was lost is known. `moved` has a row after, or
    /// during, a move to a directory. Triggers then refuse all changes: also those of programs that connected before.
    static let moveTables = [
        """
        CREATE TABLE clover_state.moves (
            id text PRIMARY KEY, place text NOT NULL, sign_ins int NOT NULL, names int NOT NULL, charges int NOT NULL,
            at timestamptz NOT NULL DEFAULT clock_timestamp())
        """,
        """
        CREATE TABLE clover_state.moved (
            is_only bool PRIMARY KEY DEFAULT true CHECK (is_only), id text NOT NULL, place text NOT NULL,
            is_complete bool NOT NULL DEFAULT false)
        """,
        // The program that moves has its identifier as a setting of its session.
        """
        CREATE FUNCTION clover_state.refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE other text;
        BEGIN
            SELECT place INTO other FROM clover_state.moved
            WHERE id IS DISTINCT FROM current_setting('clover.move', true);
            IF other IS NOT NULL THEN
                RAISE EXCEPTION 'the sign-ins and charges were moved to %', other USING ERRCODE = '\(movedCode)';
            END IF;
            RETURN NULL;
        END $$
        """,
    ]

    /// The SQLSTATE of a change that is refused because the state is in a directory.
    static let movedCode = "CL001"

    /// Tables that nothing may change after a move to a directory. Without budgets and slots, no request is sent.
    static let closedTables = [
        "operations", "transitions", "credentials", "profiles", "token_key", "budgets", "slots",
    ].map { "clover_state." + $0 }

    /// Refuses changes of these tables from now on.
    static let close = closedTables.map {
        """
        CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE ON \($0)
        FOR EACH STATEMENT EXECUTE FUNCTION clover_state.refuse_moved()
        """
    }

    static let reopen = closedTables.map { "DROP TRIGGER IF EXISTS moved ON \($0)" }
}
