import CloverRateLimit
import CloverTables

/// The tables and functions of the shared state, in the schema `clover_state` of a PostgreSQL database.
///
/// The counts of requests are in UNLOGGED tables: they are written often, and mean nothing after a second. A server that
/// lost them, by a crash or a failover, shows no row, and the budget then counts as used up for a second. A logged table
/// with asynchronous commits would show an older row instead, and too many requests would be sent.
package enum FleetSchema {
    /// The version that this program works with.
    package static let version = steps.count

    /// The statements that lead from each version to the next. A step that was released is never changed.
    static let steps = [tables + functions, credentialTables, journalTables, moveTables + exportTables, waiting]

    /// Serializes `init` and `migrate`.
    static let migrationLock = "SELECT pg_advisory_xact_lock(hashtext('clover state'), 0)"

    private static let tables = [
        "CREATE SCHEMA IF NOT EXISTS clover_state",
        "CREATE TABLE clover_state.schema_version (version int NOT NULL)",
        "INSERT INTO clover_state.schema_version VALUES (0)",
        // Times are nanoseconds since 1970 by the server's clock. Moments ascend, and limits belong to them.
        """
        CREATE UNLOGGED TABLE clover_state.budgets (
            name text PRIMARY KEY, moments bigint[] NOT NULL DEFAULT '{}', limits int[] NOT NULL DEFAULT '{}',
            not_before bigint NOT NULL DEFAULT 0, pause_cause text NOT NULL DEFAULT '',
            last_bulk bigint NOT NULL DEFAULT 0, rate_ceiling int NOT NULL DEFAULT 0,
            rate_since bigint NOT NULL DEFAULT 0, slots_ceiling int NOT NULL DEFAULT 0,
            slots_since bigint NOT NULL DEFAULT 0, refusals int NOT NULL DEFAULT 0,
            known_since bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 10)
        """,
        // Who has a slot: the random number of a client. A row whose lock is free was lost with its session, and is kept for
        // the client, whose request may still be in flight.
        """
        CREATE UNLOGGED TABLE clover_state.slots (
            budget text, slot int, holder bigint, lost_at bigint, PRIMARY KEY (budget, slot)
        ) WITH (fillfactor = 10)
        """,
        """
        CREATE UNLOGGED TABLE clover_state.waiters (
            budget text, session int, priority int NOT NULL, since bigint NOT NULL, seen bigint NOT NULL,
            slots int NOT NULL, PRIMARY KEY (budget, session))
        """,
    ]

    /// Version 2: sign-ins. `sealed` is encrypted by the client, and `key_id` names its key; `journal` is the record of a refresh,
    /// and `journal_token` the hash of the token that it is about. `writer` is a random number of the last change, by which a
    /// client recognizes its own after a lost response. No app is `static`.
    private static let credentialTables = [
        "CREATE TABLE clover_state.token_key (is_only bool PRIMARY KEY DEFAULT true CHECK (is_only), id text NOT NULL)",
        """
        CREATE TABLE clover_state.credentials (
            environment text, merchant text, app text, kind text NOT NULL, key_id text NOT NULL, sealed bytea NOT NULL,
            journal text, journal_token text, revision bigint NOT NULL, writer bigint NOT NULL,
            changed_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (environment, merchant, app))
        """,
        """
        CREATE TABLE clover_state.profiles (
            name text PRIMARY KEY, environment text NOT NULL, merchant text NOT NULL, app text NOT NULL)
        """,
        """
        CREATE FUNCTION clover_state.tell_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('clover_tokens', '');
            RETURN NULL;
        END $$
        """,
        """
        CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON clover_state.credentials
        FOR EACH STATEMENT EXECUTE FUNCTION clover_state.tell_tokens()
        """,
        """
        CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON clover_state.profiles
        FOR EACH STATEMENT EXECUTE FUNCTION clover_state.tell_tokens()
        """,
        // The lock of one credential, which ends with the session. Waits at most `most` milliseconds.
        """
        CREATE FUNCTION clover_state.lock_credential(name text, most int) RETURNS bool
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            IF pg_try_advisory_lock(hashtext('clover credential'), hashtext(name)) THEN RETURN true; END IF;
            IF most <= 0 THEN RETURN false; END IF;
            PERFORM set_config('lock_timeout', most || 'ms', true);
            PERFORM pg_advisory_lock(hashtext('clover credential'), hashtext(name));
            RETURN true;
        EXCEPTION WHEN lock_not_available THEN
            RETURN false;
        END $$
        """,
    ]

    static let span = SlidingWindowLimiter.span
    static let margin = SlidingWindowLimiter.margin
    static let memory = 3 * span / 2
    /// Nanoseconds within which a notification may not reach every machine before it sends: no grant that is nearer is overtaken.
    private static let noticeTime: Int64 = 250_000_000
    /// Nanoseconds for which the slots of a lost session are kept for its client, which connects anew at once.
    private static let slotGrace: Int64 = 500_000_000

    /// The law of `SlidingWindowLimiter`, so that one round trip grants a request at a token's and its app's budget.
    private static let functions = [
        """
        CREATE FUNCTION clover_state.now_ns() RETURNS bigint LANGUAGE sql VOLATILE AS
        $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000 $$
        """,
        """
        CREATE FUNCTION clover_state.effective(configured int, ceiling int, since bigint, now bigint) RETURNS int
        LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE WHEN ceiling <= 0 THEN configured ELSE least(configured,
                least(ceiling, configured) + greatest(0, now - since) / \(AdaptiveLimit.recovery))::int END
        $$
        """,
        // The first time at which a limit allows one more request.
        """
        CREATE FUNCTION clover_state.bound_moment(b clover_state.budgets, bound int, now bigint) RETURNS bigint
        LANGUAGE sql STABLE AS $$
            SELECT e.m + \(span) FROM unnest(b.moments, b.limits) e(m, l) WHERE e.l <= bound ORDER BY e.m DESC
            OFFSET clover_state.effective(bound, b.rate_ceiling, b.rate_since, now) - 1 LIMIT 1
        $$
        """,
        """
        CREATE FUNCTION clover_state.next_moment(b clover_state.budgets, own int, now bigint, is_bulk bool)
        RETURNS bigint LANGUAGE plpgsql STABLE AS $$
        DECLARE
            moment bigint := greatest(now, b.not_before); bound int; free bigint; newest bigint;
        BEGIN
            FOR bound IN SELECT own UNION SELECT l FROM unnest(b.limits) l WHERE l > own LOOP
                free := clover_state.bound_moment(b, bound, now);
                CONTINUE WHEN free IS NULL;
                moment := greatest(moment, free);
                IF is_bulk AND now - (free - \(span)) < \(memory) THEN
                    SELECT max(e.m) INTO newest FROM unnest(b.moments, b.limits) e(m, l) WHERE e.l <= bound;
                    moment := greatest(moment, newest
                        + \(span) / (2 * clover_state.effective(bound, b.rate_ceiling, b.rate_since, now)));
                END IF;
            END LOOP;
            SELECT max(e.m) INTO newest FROM unnest(b.moments, b.limits) e(m, l) WHERE e.l >= own;
            RETURN greatest(moment, newest + 1);
        END $$
        """,
        // The first time from `start` on that is preceded by fewer than N grants within a span. Later ones are checked again.
        """
        CREATE FUNCTION clover_state.earliest(b clover_state.budgets, own int, start bigint, now bigint)
        RETURNS bigint LANGUAGE plpgsql STABLE AS $$
        DECLARE
            moment bigint := greatest(start, b.not_before); before bigint; bound int; free bigint;
        BEGIN
            LOOP
                before := moment;
                FOR bound IN SELECT own UNION SELECT l FROM unnest(b.limits) l WHERE l > own LOOP
                    SELECT e.m + \(span) INTO free FROM unnest(b.moments, b.limits) e(m, l)
                    WHERE e.l <= bound AND e.m <= moment ORDER BY e.m DESC
                    OFFSET clover_state.effective(bound, b.rate_ceiling, b.rate_since, now) - 1 LIMIT 1;
                    moment := greatest(moment, free);
                END LOOP;
                EXIT WHEN moment = before;
            END LOOP;
            RETURN moment;
        END $$
        """,
        // The later grants that would follow N others within a span if one more were granted at `moment`.
        """
        CREATE FUNCTION clover_state.overtaken(b clover_state.budgets, own int, moment bigint, now bigint)
        RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
            SELECT k.m FROM (SELECT own AS l UNION SELECT e.l FROM unnest(b.limits) e(l) WHERE e.l > own) bound,
                LATERAL (
                    SELECT e.m, lag(e.m, clover_state.effective(bound.l, b.rate_ceiling, b.rate_since, now))
                        OVER (ORDER BY e.m) AS earlier
                    FROM unnest(b.moments || moment, b.limits || own) e(m, l) WHERE e.l <= bound.l
                ) k
            WHERE k.m > moment AND k.m < k.earlier + \(span)
        $$
        """,
        // Whether a request should ask later: `SlidingWindowLimiter.retryTime`.
        """
        CREATE FUNCTION clover_state.is_early(b clover_state.budgets, own int, now bigint, priority int)
        RETURNS bool LANGUAGE plpgsql STABLE AS $$
        DECLARE newest bigint;
        BEGIN
            IF own < ANY (b.limits)
                AND clover_state.bound_moment(b, own, now) - greatest(now, b.not_before) > \(margin)
            THEN RETURN true; END IF;
            IF priority > \(RequestPriority.bulk.rawValue) THEN RETURN false; END IF;
            SELECT max(e.m) INTO newest FROM unnest(b.moments, b.limits) e(m, l) WHERE e.l >= own;
            RETURN coalesce(newest > now, false) AND clover_state.next_moment(b, own, now, true) > now;
        END $$
        """,
        // One request at all its budgets, at one time. `olds` are the times that it has already, or 0.
        """
        CREATE FUNCTION clover_state.admit(
            names text[], own int[], olds bigint[], priority int, lead bigint, is_clock_set bool,
            OUT moment bigint, OUT now bigint, OUT has_forgotten bool, OUT pause text, OUT refusals int
        ) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            b clover_state.budgets; loaded clover_state.budgets[] := '{}'; place int; is_new bool;
            moves bool[] := '{}'; before bigint; behind bigint;
        BEGIN
            has_forgotten := false; refusals := 0;
            -- All callers lock in this order, and the queue of an advisory lock is fair.
            FOR i IN 1..cardinality(names) LOOP
                PERFORM pg_advisory_xact_lock(hashtext('clover budget'), hashtext(names[i]));
            END LOOP;
            now := clover_state.now_ns();
            moment := now + lead;
            FOR i IN 1..cardinality(names) LOOP
                SELECT * INTO b FROM clover_state.budgets WHERE name = names[i];
                is_new := b.name IS NULL;
                IF is_new THEN
                    INSERT INTO clover_state.budgets (name, known_since) VALUES (names[i], now) RETURNING * INTO b;
                END IF;
                -- A history that cannot be true was written before the server's clock was set back.
                IF is_new OR is_clock_set OR b.not_before > now + \(SlidingWindowLimiter.longestPause + span)
                    OR b.moments[cardinality(b.moments)]
                        > greatest(now, b.not_before) + (cardinality(b.moments) + 60)::bigint * 1000000000
                THEN
                    UPDATE clover_state.budgets SET moments = '{}', limits = '{}', last_bulk = 0,
                        not_before = CASE WHEN not_before BETWEEN now + \(span)
                            AND now + \(SlidingWindowLimiter.longestPause) THEN not_before ELSE now + \(span) END
                    WHERE name = names[i] RETURNING * INTO b;
                    has_forgotten := true;
                END IF;
                is_new := olds[i] = 0;
                IF is_new AND clover_state.is_early(b, own[i], now, priority) THEN
                    moment := NULL;
                    RETURN;
                END IF;
                place := array_position(b.moments, olds[i]);
                IF place IS NOT NULL THEN
                    b.moments := b.moments[:place - 1] || b.moments[place + 1:];
                    b.limits := b.limits[:place - 1] || b.limits[place + 1:];
                END IF;
                moves := moves || (place IS NOT NULL);
                IF place IS NULL THEN
                    moment := greatest(moment, clover_state.next_moment(
                        b, own[i], now, is_new AND priority = \(RequestPriority.bulk.rawValue)));
                END IF;
                IF b.not_before > now AND b.pause_cause <> '' THEN pause := b.pause_cause; END IF;
                refusals := greatest(refusals, b.refusals);
                loaded := array_append(loaded, b);
            END LOOP;
            -- One that has a time keeps its turn: `SlidingWindowLimiter.confirm`.
            LOOP
                before := moment;
                FOR i IN 1..cardinality(names) LOOP
                    CONTINUE WHEN NOT moves[i];
                    moment := clover_state.earliest(loaded[i], own[i], moment, now);
                    -- A request that is about to be sent can no longer learn that another one went before it.
                    SELECT max(k) + 1 INTO behind FROM clover_state.overtaken(loaded[i], own[i], moment, now) k
                    WHERE k < now + \(noticeTime);
                    moment := greatest(moment, behind);
                END LOOP;
                WHILE EXISTS (SELECT FROM unnest(loaded) x WHERE moment = ANY (x.moments)) LOOP
                    moment := moment + 1;
                END LOOP;
                EXIT WHEN moment = before;
            END LOOP;
            FOR i IN 1..cardinality(names) LOOP
                b := loaded[i];
                SELECT array_agg(k.m ORDER BY k.m), array_agg(k.l ORDER BY k.m) INTO b.moments, b.limits
                FROM (
                    SELECT e.m, e.l FROM unnest(b.moments || moment, b.limits || own[i]) e(m, l)
                    WHERE e.m > now - \(memory) ORDER BY e.m DESC LIMIT \(SlidingWindowLimiter.historyLimit)
                ) k;
                UPDATE clover_state.budgets SET moments = b.moments, limits = b.limits, last_bulk =
                    CASE WHEN olds[i] = 0 AND priority = \(RequestPriority.bulk.rawValue) THEN moment
                    ELSE last_bulk END
                WHERE name = names[i];
                -- Requests that were granted later times are checked again if they are now too close to it.
                IF moves[i] AND EXISTS (SELECT FROM clover_state.overtaken(loaded[i], own[i], moment, now)) THEN
                    PERFORM pg_notify('clover_' || names[i], 'check');
                END IF;
            END LOOP;
        END $$
        """,
        // Moves a grant to the time at which it was sent, or removes it.
        """
        CREATE FUNCTION clover_state.move(budget text, was bigint, becomes bigint) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtext('clover budget'), hashtext(budget));
            UPDATE clover_state.budgets b SET (moments, limits) = (
                SELECT coalesce(array_agg(k.m ORDER BY k.m), '{}'), coalesce(array_agg(k.l ORDER BY k.m), '{}')
                FROM (
                    SELECT CASE WHEN e.m = was THEN becomes ELSE e.m END AS m, e.l
                    FROM unnest(b.moments, b.limits) e(m, l)
                ) k WHERE k.m IS NOT NULL)
            WHERE name = budget AND was = ANY (b.moments);
            -- Requests that were granted later times may now be too close to it.
            IF becomes IS NOT NULL THEN PERFORM pg_notify('clover_' || budget, 'check'); END IF;
        END $$
        """,
        // A slot, as a lock of this session; -1 if none is free. `held` are those that it has: a session could lock them again.
        // `is_again`: for a request in flight, whose slot was lost with an earlier session of this client.
        """
        CREATE FUNCTION clover_state.take_slot(
            name_ text, configured int, held int[], priority_ int, is_newcomer bool, since_ bigint, client bigint,
            is_again bool, OUT slot int, OUT ceiling int, OUT ceiling_since bigint, OUT has_forgotten bool,
            OUT opens_at bigint, OUT now bigint
        ) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE b clover_state.budgets; kept clover_state.slots; most int; reserved int; s int;
        BEGIN
            slot := -1; now := clover_state.now_ns(); has_forgotten := false;
            SELECT * INTO b FROM clover_state.budgets WHERE name = name_;
            IF b.name IS NULL THEN
                INSERT INTO clover_state.budgets (name, not_before, known_since) VALUES (name_, now + \(span), now)
                ON CONFLICT DO NOTHING;
                has_forgotten := FOUND;
                SELECT * INTO b FROM clover_state.budgets WHERE name = name_;
            END IF;
            ceiling := coalesce(b.slots_ceiling, 0); ceiling_since := coalesce(b.slots_since, 0);
            -- Of a server that lost its tables, requests in flight take their slots first. Nothing may be sent yet anyway.
            IF NOT is_again AND now BETWEEN b.known_since AND b.known_since + \(span) - \(margin) THEN
                opens_at := b.known_since + \(span) - \(margin);
                RETURN;
            END IF;
            most := clover_state.effective(configured, ceiling, ceiling_since, now);
            SELECT coalesce(max(w.slots), 0) INTO reserved FROM clover_state.waiters w
            WHERE w.budget = name_ AND w.session <> pg_backend_pid() AND abs(now - w.seen) <= \(LedgerClient.credit)
                AND (w.priority > priority_ OR w.priority = priority_ AND (
                    is_newcomer OR w.slots < most AND w.since < since_))
                AND EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = w.session);
            IF priority_ = \(RequestPriority.bulk.rawValue) AND NOT is_newcomer
                AND now - coalesce(b.last_bulk, 0) >= \(span)
            THEN reserved := 0; END IF;
            FOR s IN
                SELECT g.s FROM generate_series(reserved, most - 1) g(s)
                LEFT JOIN clover_state.slots k ON k.budget = name_ AND k.slot = g.s
                ORDER BY k.holder IS NOT DISTINCT FROM client DESC, g.s DESC
            LOOP
                CONTINUE WHEN s = ANY (held) OR NOT pg_try_advisory_lock(hashtext('clover slot ' || name_), s);
                SELECT * INTO kept FROM clover_state.slots k WHERE k.budget = name_ AND k.slot = s;
                IF kept.holder <> client AND kept.lost_at IS NULL THEN
                    -- Waits for the transaction of a client that has just given it back.
                    UPDATE clover_state.slots k SET lost_at = now
                    WHERE k.budget = name_ AND k.slot = s AND k.holder = kept.holder AND k.lost_at IS NULL;
                    IF FOUND THEN kept.lost_at := now; END IF;
                END IF;
                IF kept.holder <> client AND now - kept.lost_at BETWEEN 0 AND \(slotGrace) THEN
                    PERFORM pg_advisory_unlock(hashtext('clover slot ' || name_), s);
                    CONTINUE;
                END IF;
                INSERT INTO clover_state.slots VALUES (name_, s, client, NULL)
                ON CONFLICT ON CONSTRAINT slots_pkey DO UPDATE SET holder = excluded.holder, lost_at = NULL;
                slot := s;
                RETURN;
            END LOOP;
        END $$
        """,
        // Gives a slot back, and tells those who wait for it.
        """
        CREATE FUNCTION clover_state.give_slot(name_ text, slot_ int) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            UPDATE clover_state.slots k SET holder = NULL, lost_at = NULL WHERE k.budget = name_ AND k.slot = slot_;
            PERFORM pg_advisory_unlock(hashtext('clover slot ' || name_), slot_);
            IF EXISTS (SELECT FROM clover_state.waiters w WHERE w.budget = name_) THEN
                PERFORM pg_notify('clover_' || name_, 'slot');
            END IF;
        END $$
        """,
        """
        CREATE FUNCTION clover_state.earlier(name_ text, priority_ int, since_ bigint, most int) RETURNS int
        LANGUAGE sql VOLATILE AS $$
            SELECT least(count(*), most)::int FROM clover_state.waiters w
            WHERE w.budget = name_ AND w.session <> pg_backend_pid() AND w.slots > 0
                AND abs(clover_state.now_ns() - w.seen) <= \(LedgerClient.credit)
                AND (w.priority > priority_ OR w.priority = priority_ AND w.since < since_)
                AND EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = w.session)
        $$
        """,
    ]
}
