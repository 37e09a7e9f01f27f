extension HelpPage {
    /// `clover help cron`.
    static let cron = HelpPage(
        name: "cron", summary: "running clover from cron and systemd timers",
        sections: [
            Section(blocks: [
                .text(
                    """
                    You sign in once, with a browser; the same user's jobs can then run for as long as the service \
                    renews the tokens. Every command renews them automatically, once for all jobs. All jobs of a user \
                    share one request budget, so they can overlap.
                    """)
            ]),
            Section(
                title: "What a job needs",
                blocks: [
                    .list([
                        (
                            "The same state directory",
                            """
                            cron does not set XDG_STATE_HOME. If your session sets it, set it or CLOVER_STATE_DIR in \
                            the crontab.
                            """
                        ),
                        ("--profile NAME", "Selects the sign-in, even if 'auth switch' selects another one."),
                        (
                            "--quiet",
                            "Prints only errors, so that cron sends mail only when something is wrong."
                        ),
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
                    ])
                ]),
            Section(
                title: "Examples",
                blocks: [
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
                    ])
                ]),
        ], seeAlso: ["clover-environment 7", "clover-exit-codes 7", "crontab 5", "systemd.timer 5"])
}
