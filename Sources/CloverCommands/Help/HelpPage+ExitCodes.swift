extension HelpPage {
    /// `clover help exit-codes`.
    static let exitCodes = HelpPage(
        name: "exit-codes", summary: "exit statuses of clover",
        sections: [
            Section(blocks: [
                .text(
                    """
                    A run that exits with 0 has done everything it was asked for. A number never changes its meaning. \
                    With --json, or with CLOVER_ERRORS=json if standard error is not a terminal, the status is also in \
                    the error's JSON line, with a stable identifier for the kind of error.
                    """)
            ]),
            Section(
                title: "Exit status",
                blocks: [
                    .list(statuses),
                    .text(
                        """
                        An interrupted run ends by the signal itself, which a shell shows as 130 or 143; a run whose \
                        standard output is closed ends by SIGPIPE (141).
                        """),
                ]),
            Section(
                title: "Examples",
                blocks: [
                    .examples([
                        (
                            "clover get orders --all >orders.ndjson || echo \"status $?\"",
                            "Status 0 means that the file is complete; any other status means that it is not."
                        ),
                        (
                            "clover get orders/NONE; [ $? -eq 66 ] && echo 'no such order'",
                            "A record that is not found has a status of its own."
                        ),
                        (
                            "clover get orders --expand lineitems --json 2>&1 | jq -r .error.code",
                            "The kind of an error, for programs."
                        ),
                    ])
                ]),
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
