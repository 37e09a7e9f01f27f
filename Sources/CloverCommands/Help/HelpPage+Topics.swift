extension HelpPage {
    /// `clover help exit-codes`.
    static let exitCodes = HelpPage(
        name: "exit-codes", summary: "exit statuses of clover",
        sections: [
            Section(
                .text(
                    """
                    A run that exits with 0 has done everything it was asked for. A number never changes its meaning. \
                    With --json, or with CLOVER_ERRORS=json if standard error is not a terminal, the status is also in \
                    the error's JSON line, with a stable identifier for the kind of error.
                    """)),
            Section(
                "Exit status", .list(statuses),
                .text(
                    """
                    An interrupted run ends by the signal itself, which a shell shows as 130 or 143; a run whose \
                    standard output is closed ends by SIGPIPE (141).
                    """)),
            Section(
                "Examples",
                .examples([
                    (
                        "clover get orders --all >orders.ndjson || echo \"status $?\"",
                        "Status 0 means that the file is complete; any other status means that it is not."
                    ),
                    (
                        "clover get orders/NONE; [ $? -eq 66 ] && echo 'no such order'",
                        "A record that is not found has a separate status."
                    ),
                    (
                        "clover get orders --expand lineitems --json 2>&1 | jq -r .error.code",
                        "The kind of an error, for programs."
                    ),
                ])),
        ], seeAlso: ["clover 1", "clover-environment 7"])

    /// Every status and its meaning, including 4, which only `--exit-status` uses.
    static var statuses: [(String, String)] {
        var entries = ExitStatus.allCases.map { ("\($0.rawValue)", meaning($0)) }
        entries.insert(("4", "With --exit-status, there was no result."), at: 2)
        return entries
    }

    private static func meaning(_ status: ExitStatus) -> String {
        switch status {
        case .done: "Done: every record that was asked for has been delivered."
        case .unclassified: "Any other error; with --exit-status, the last result was false or null."
        case .usage:
            """
            Wrong usage: an unknown command, path or name, a malformed value, or a request that the service refused \
            as invalid.
            """
        case .badData: "Bad data: the jq program does not compile or failed on a record."
        case .notFound: "Not found."
        case .unavailable:
            "The service is not available, even after retries: refused, unknown host, TLS, lost connection, 5xx."
        case .bug: "A bug in clover."
        case .cannotCreate: "Output or state cannot be created."
        case .inputOutput: "Reading or writing failed, such as on a full disk."
        case .tryAgain: "Try again later: busy, or the service's limits were not lifted in time."
        case .nonsense:
            "The service's response is unusable: not JSON, HTML, cut off, or not a list where one was expected."
        case .notAuthorized: "Not signed in, or not allowed."
        case .configuration: "Configuration: a credential or one of the user's files cannot be trusted or read."
        case .incomplete: "Incomplete: something is missing or may be; standard error says what."
        case .outcomeUnknown:
            """
            The outcome is unknown: money may have moved. Standard error says how to check, or how to settle it.
            """
        case .declined: "Declined or cancelled, so that nothing moved; or a confirmation was declined."
        case .partlyFailed: "Some of several items failed; the others are done."
        case .timeRanOut: "--max-time ran out."
        }
    }
}

extension HelpPage {
    /// `clover help filters`.
    static let filters = HelpPage(
        name: "filters", summary: "choosing records with clover",
        sections: [
            Section(
                .text(
                    """
                    --filter takes one expression; if it is repeated, all must match. The service does the filtering, \
                    so records that do not match cost nothing. A field by which the list cannot be filtered is refused \
                    before the records are requested, because the service may ignore it without notice. Where the \
                    catalogue does not say what a list is filtered by, clover asks the service first; if that does not \
                    say either, the filter is sent, with a notice.
                    """)),
            Section(
                "Expressions",
                .list([
                    ("FIELD=VALUE, FIELD!=VALUE", "Equal, not equal. Names are written as in the records."),
                    ("FIELD>=VALUE, FIELD>VALUE, FIELD<=VALUE, FIELD<VALUE", "Comparison of numbers and times."),
                    ("FIELD in (A,B)", "One of several values."),
                    ("FIELD is null, FIELD is not null", "Without a value, with a value."),
                ]),
                .text(
                    """
                    Amounts are whole numbers of the currency's smallest unit, as in the records. Quote the \
                    expression, so that the shell does not interpret > and <.
                    """)),
            Section(
                "Times",
                .list([
                    (
                        "2026-11-20, 2026-11-20T08:00:00Z",
                        "ISO 8601; without an offset, in the merchant's time zone, or that of --zone."
                    ),
                    (
                        "tomorrow, now", "The beginning of the next day in the same time zone, or the current time."
                    ),
                    (
                        "today, yesterday, this-week, last-month, 2026, 2026-10, 2026-10-01..2026-10-15",
                        "A period of days: >= from its beginning, > after it, < before it, <= to its end, = within it. 'in (A,B)' takes periods that adjoin each other."
                    ),
                    ("-8w, -7d, -12h, -30m", "Weeks, days, hours or minutes ago."),
                    ("1795161600000", "Milliseconds since 1970, as in the records."),
                ]),
                .text(
                    """
                    The service returns orders and payments for at most 90 days at once; with --all, a longer range \
                    is fetched in several windows.
                    """)),
            Section(
                "Examples",
                .examples([
                    ("clover get orders --filter 'total>=5000' --filter 'createdTime>=yesterday'", "Both must match."),
                    (
                        "clover get orders --filter 'state in (open,locked)' --sort createdTime:desc",
                        "One of several values, newest first."
                    ),
                    (
                        "clover endpoints orders --json | jq -r '.filterable[]?'",
                        "The fields that a path can be filtered by."
                    ),
                ])),
        ], seeAlso: ["clover.get 1", "clover.endpoints 1", "clover-jq 7"])
}

extension HelpPage {
    /// `clover help jq`.
    static let jq = HelpPage(
        name: "jq", summary: "jq programs inside clover",
        sections: [
            Section(
                .text(
                    """
                    --jq runs a jq program on every record, inside clover and on all processors; the order of the \
                    records is preserved. Results are printed as by jq -c, one a line. --from-file reads the program \
                    from a file. A file ~/.jq is put before the program, as in jq.
                    """)),
            Section(
                "Options",
                .list([
                    ("--raw-output, --join-output", "Strings without quotes; with -j, also without line breaks."),
                    ("--slurp", "All records as one array first, for sums and groups. Memory use grows with them."),
                    ("--arg NAME VALUE, --argjson NAME JSON", "Set $NAME to a string, or to a JSON value."),
                    ("--exit-status", "Exit with 1 if the last result is false or null, and with 4 if there is none."),
                ])),
            Section(
                "Functions of the shop",
                .list([
                    (
                        "money",
                        "An amount in the smallest unit, as text with the currency's decimals: 1234|money is 12.34."
                    ),
                    ("day", "The day of a time in milliseconds, such as 2026-10-05."),
                    ("hour", "Its hour, from 0 to 23."),
                    ("iso", "The time in ISO 8601, with milliseconds and offset; reads such text too."),
                ]),
                .text(
                    """
                    Every --jq has them. Times are in the shop's time zone, or in that of --zone. An amount is in the \
                    currency that its record names, otherwise in the shop's; with --profiles, in the \
                    currency and time zone of the shop that the record comes from. With --slurp, amounts have the decimals of all \
                    records, and records whose currencies have other decimals than the others are an error. In programs that use input, \
                    the record is the one that the program began with. Both refuse reports of shops that differ (64). What is not \
                    known, such as the currency without a sign-in, is an error of the record.
                    """),
                .text(
                    """
                    A program that uses one of these costs one request, for the shop's currency and time zone, which \
                    are kept for a day. Functions that the program defines itself, and those of ~/.jq, come first. A \
                    program that begins with import or include does not have them.
                    """)),
            Section(
                "Differences from the program jq",
                .text(
                    """
                    A record on which the program fails is named on standard error; the others are delivered, and \
                    the status is 65. input_filename is null. env and $ENV lack the variables that have secrets: by \
                    their names, such as API_TOKEN or PGPASSWORD, or because their values have a password, such as the \
                    URL of a proxy or database. With libjq 1.6 ('clover doctor' shows the version), \
                    whole numbers above 2^53 lose digits; without --jq, every number is the service's own.
                    """)),
            Section(
                "Examples",
                .examples([
                    ("clover get orders --all --jq '{id, total}'", "Two fields of every order."),
                    (
                        "clover get orders --all --slurp --jq 'group_by(.state)[]|[.[0].state,length]'",
                        "Counts by state."
                    ),
                    (
                        "clover get items --all --arg word tea --jq 'select(.name | test($word)) | .id'",
                        "The IDs of items with a word in their names."
                    ),
                ])),
        ], seeAlso: ["clover.get 1", "jq 1", "clover-filters 7"])
}

extension HelpPage {
    /// `clover help cron`.
    static let cron = HelpPage(
        name: "cron", summary: "running clover from cron and systemd timers",
        sections: [
            Section(
                .text(
                    """
                    You sign in once, with a browser; the same user's jobs can then run for as long as the service \
                    renews the tokens. Every command renews them automatically, once for all jobs. All jobs of a user \
                    share one request budget, so they can overlap.
                    """)),
            Section(
                "What a job needs",
                .list([
                    (
                        "The same state directory",
                        """
                        cron does not set XDG_STATE_HOME. If your session sets it, set it or CLOVER_STATE_DIR in \
                        the crontab.
                        """
                    ),
                    ("--profile NAME", "Selects the sign-in, even if 'auth switch' selects another one."),
                    ("--quiet", "Prints only errors, so that cron sends mail only when something is wrong."),
                    ("--max-time 10m", "Ends a job that hangs before the next one starts; the status is 83."),
                    (
                        "clover export",
                        """
                        Exports only what changed since its last run, and never replaces a complete file with a \
                        partial one. 'clover export schedule' prints the crontab line, or a service and a timer.
                        """
                    ),
                    (
                        "A temporary file",
                        """
                        For the output of other commands ('>new && mv new old'): the old file stays until the new \
                        one is complete, which status 0 confirms.
                        """
                    ),
                    ("clover doctor --json", "Shows in advance what would go wrong during the night."),
                ])),
            Section(
                "Examples",
                .examples([
                    (
                        "clover export orders payments --to ~/exports -q --max-time 10m",
                        "Exports what changed since the last run, as complete files; the next run resumes one that fails."
                    ),
                    (
                        "clover charge recover --all --quiet",
                        "Every five minutes (*/5 * * * *): settles charges whose responses were lost."
                    ),
                    (
                        "clover auth status --check --quiet >status.json || echo 'sign in again'",
                        "Once a day: checks whether the sign-in is still valid."
                    ),
                ])),
        ], seeAlso: ["clover-environment 7", "clover-exit-codes 7", "crontab 5", "systemd.timer 5"])
}
