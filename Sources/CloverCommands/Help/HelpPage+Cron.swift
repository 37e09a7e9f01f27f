extension HelpPage {
    /// `clover help cron`.
    static let cron = HelpPage(
        name: "cron", summary: "running clover from cron and systemd timers",
        sections: [
            Section(blocks: [
                .text(
                    """
                    A person signs in once; jobs of the same user then run on that for as long as the service renews \
                    the tokens, which every command does by itself, once for all jobs. All jobs of a user share one \
                    budget of requests, so that they may overlap.
                    """)
            ]),
            Section(
                title: "What a job needs",
                blocks: [
                    .list([
                        (
                            "The same state directory",
                            """
                            cron sets no XDG_STATE_HOME. Where it is set in a session, set CLOVER_STATE_DIR, or the \
                            same variable, in the crontab.
                            """
                        ),
                        ("--profile NAME", "Says whose data is meant, whatever 'auth switch' chose meanwhile."),
                        (
                            "--quiet",
                            "Nothing is said but errors, so that cron sends mail only when something is wrong."
                        ),
                        ("--max-time 10m", "A job that hangs would meet the next one. It ends with status 83."),
                        (
                            "clover export",
                            """
                            Asks for what changed since its last run, and no half-written file takes the place of a \
                            whole one. 'clover export schedule' prints the line for crontab, or a service and a timer.
                            """
                        ),
                        (
                            "A temporary file",
                            """
                            For the output of other commands ('>new && mv new old'): the old one stays until the new \
                            one is whole, which status 0 says.
                            """
                        ),
                        ("clover doctor --json", "Says before the night what would go wrong in it."),
                    ])
                ]),
            Section(
                title: "Examples",
                blocks: [
                    .examples([
                        (
                            "clover export orders payments --to ~/exports -q --max-time 10m",
                            "What changed since the last run, as files that are whole; one that fails goes on next time."
                        ),
                        (
                            "clover charge recover --all --quiet",
                            "Every five minutes (*/5 * * * *): settles charges whose answers were lost."
                        ),
                        (
                            "clover auth status --check --quiet >status.json || echo 'sign in again'",
                            "Once a day: whether the sign-in is still good."
                        ),
                    ])
                ]),
        ], seeAlso: ["clover-environment 7", "clover-exit-codes 7", "crontab 5", "systemd.timer 5"])
}
