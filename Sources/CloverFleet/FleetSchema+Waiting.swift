import CloverRateLimit

extension FleetSchema {
    /// Nanoseconds that grants of bulk work may lie ahead. With none, as on one machine, the next of many waiters would have to ask
    /// at the right millisecond for each grant, or a part of the budget is lost.
    package static let bulkAhead: Int64 = 100_000_000

    /// What a channel of a budget says: requests that were granted later times are to check them.
    static let check = "check"
    /// The channel of a session is this and its process ID. It says how many others were notified of a free slot before.
    static let sessionChannel = "clover_session_"

    /// Version 5: waiting that costs the server less.
    static let waiting = [
        // Whether a session is there. It keeps a lock from its beginning to its end; `pg_stat_activity` would be
        // copied as a whole for each look. Costly, and no SQL function, so that other conditions are checked first.
        """
        CREATE FUNCTION clover_state.has_session(session int) RETURNS bool LANGUAGE plpgsql VOLATILE COST 10000 AS
        $$ BEGIN RETURN NOT pg_try_advisory_xact_lock_shared(hashtext('clover session'), session); END $$
        """,
        """
        DO $do$
        DECLARE
            former text := 'EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = w.session)';
            definition text := pg_get_functiondef('clover_state.take_slot'::regproc);
        BEGIN
            IF strpos(definition, former) = 0 THEN RAISE 'another version of take_slot'; END IF;
            EXECUTE replace(definition, former, 'clover_state.has_session(w.session)');
        END $do$
        """,
        // A waiter that was killed counts until its heartbeat is old.
        """
        CREATE OR REPLACE FUNCTION clover_state.earlier(name_ text, priority_ int, since_ bigint, most int)
        RETURNS int LANGUAGE sql VOLATILE AS $$
            SELECT least(count(*), most)::int FROM clover_state.waiters w
            WHERE w.budget = name_ AND w.session <> pg_backend_pid() AND w.slots > 0
                AND abs((SELECT clover_state.now_ns()) - w.seen) <= \(LedgerClient.credit)
                AND (w.priority > priority_ OR w.priority = priority_ AND w.since < since_)
        $$
        """,
        // When a request that is held up by a limit below other callers' may continue: `SlidingWindowLimiter.ownLimitTime`.
        """
        CREATE FUNCTION clover_state.own_limit_moment(b clover_state.budgets, own int, now bigint) RETURNS bigint
        LANGUAGE sql STABLE AS $$
            SELECT m FROM clover_state.bound_moment(b, own, now) m
            WHERE own < ANY (b.limits) AND m - greatest(now, b.not_before) > \(margin)
        $$
        """,
        // When a request should ask for its grant; null if it may ask now: `SlidingWindowLimiter.retryTime`.
        """
        CREATE FUNCTION clover_state.ask_moment(b clover_state.budgets, own int, now bigint, priority int)
        RETURNS bigint LANGUAGE plpgsql STABLE AS $$
        DECLARE newest bigint := clover_state.own_limit_moment(b, own, now);
        BEGIN
            IF newest IS NOT NULL OR priority > \(RequestPriority.bulk.rawValue) THEN RETURN newest; END IF;
            SELECT max(e.m) INTO newest FROM unnest(b.moments, b.limits) e(m, l) WHERE e.l >= own;
            IF coalesce(newest <= now + \(bulkAhead), true)
                OR clover_state.next_moment(b, own, now, true) <= now + \(bulkAhead)
            THEN RETURN NULL; END IF;
            RETURN newest - \(bulkAhead);
        END $$
        """,
        """
        CREATE OR REPLACE FUNCTION clover_state.is_early(b clover_state.budgets, own int, now bigint, priority int)
        RETURNS bool LANGUAGE sql STABLE AS
        $$ SELECT clover_state.ask_moment(b, own, now, priority) IS NOT NULL $$
        """,
        // When a request should ask, and how many others go before it.
        """
        CREATE FUNCTION clover_state.ask_time(
            name_ text, own int, priority_ int, since_ bigint, most int,
            OUT now bigint, OUT moment bigint, OUT is_own bool, OUT earlier int
        ) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE b clover_state.budgets;
        BEGIN
            now := clover_state.now_ns();
            SELECT * INTO b FROM clover_state.budgets WHERE name = name_;
            moment := clover_state.ask_moment(b, own, now, priority_);
            -- A history that cannot be true is found by the request that asks.
            IF moment > greatest(now, b.not_before) + (cardinality(b.moments) + 60)::bigint * 1000000000
            THEN moment := NULL; END IF;
            IF moment IS NULL THEN RETURN; END IF;
            is_own := clover_state.own_limit_moment(b, own, now) IS NOT NULL;
            earlier := clover_state.earlier(name_, priority_, since_, most);
        END $$
        """,
        // Tells the first of those who wait for a slot that one is free, and two more, because some may be stopped. To tell all
        // would have all of them ask at once. Those who wait for a grant ask when its time comes.
        """
        CREATE FUNCTION clover_state.tell_waiters(name_ text) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
        DECLARE found int; rank int := 0;
        BEGIN
            FOR found IN
                SELECT f.session FROM (
                    SELECT w.session FROM clover_state.waiters w
                    WHERE w.budget = name_ AND w.slots > 0 AND w.slots < \(LedgerClient.everySlot)
                        AND abs((SELECT clover_state.now_ns()) - w.seen) <= \(LedgerClient.credit)
                    ORDER BY w.priority DESC, w.since OFFSET 0
                ) f WHERE clover_state.has_session(f.session) LIMIT 3
            LOOP
                PERFORM pg_notify('\(sessionChannel)' || found, rank::text);
                rank := rank + 1;
            END LOOP;
        END $$
        """,
        """
        CREATE OR REPLACE FUNCTION clover_state.give_slot(name_ text, slot_ int) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            UPDATE clover_state.slots k SET holder = NULL, lost_at = NULL WHERE k.budget = name_ AND k.slot = slot_;
            PERFORM pg_advisory_unlock(hashtext('clover slot ' || name_), slot_);
            PERFORM clover_state.tell_waiters(name_);
        END $$
        """,
        // Moves a grant to the time at which it was sent, or removes it. Requests that were granted later times are checked
        // again if they are now too close to it.
        """
        CREATE OR REPLACE FUNCTION clover_state.move(budget text, was bigint, becomes bigint) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        DECLARE b clover_state.budgets; place int; own int;
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtext('clover budget'), hashtext(budget));
            SELECT * INTO b FROM clover_state.budgets WHERE name = budget;
            place := array_position(b.moments, was);
            IF place IS NULL THEN RETURN; END IF;
            own := b.limits[place];
            b.moments := b.moments[:place - 1] || b.moments[place + 1:];
            b.limits := b.limits[:place - 1] || b.limits[place + 1:];
            IF becomes IS NOT NULL AND EXISTS (
                SELECT FROM clover_state.overtaken(b, own, becomes, clover_state.now_ns()))
            THEN PERFORM pg_notify('clover_' || budget, '\(check)'); END IF;
            UPDATE clover_state.budgets u SET (moments, limits) = (
                SELECT coalesce(array_agg(k.m ORDER BY k.m), '{}'), coalesce(array_agg(k.l ORDER BY k.m), '{}')
                FROM unnest(b.moments || becomes, b.limits || own) k(m, l) WHERE k.m IS NOT NULL)
            WHERE u.name = budget;
        END $$
        """,
    ]
}
