extension HelpPage {
    /// `clover help filters`.
    static let filters = HelpPage(
        name: "filters", summary: "choosing records with clover",
        sections: [
            Section(blocks: [
                .text(
                    """
                    --filter takes one expression; if it is repeated, all must match. The service does the filtering, \
                    so records that do not match cost nothing. A field that the service does not filter by is refused \
                    before anything is sent, because the service would ignore it without notice.
                    """)
            ]),
            Section(
                title: "Expressions",
                blocks: [
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
                        """),
                ]),
            Section(
                title: "Times",
                blocks: [
                    .list([
                        (
                            "2026-11-20, 2026-11-20T08:00:00Z",
                            "ISO 8601; without an offset, in the merchant's time zone, or that of --zone."
                        ),
                        (
                            "today, yesterday, tomorrow, now",
                            "The beginning of a day in the same time zone, or the current time."
                        ),
                        ("-8w, -7d, -12h, -30m", "Weeks, days, hours or minutes ago."),
                        ("1795161600000", "Milliseconds since 1970, as in the records."),
                    ]),
                    .text(
                        """
                        The service returns orders and payments for at most 90 days at once; with --all, a longer range \
                        is fetched in several windows.
                        """),
                ]),
            Section(
                title: "Examples",
                blocks: [
                    .examples([
                        (
                            "clover get orders --filter 'total>=5000' --filter 'createdTime>=yesterday'",
                            "Both must match."
                        ),
                        (
                            "clover get orders --filter 'state in (open,locked)' --sort createdTime:desc",
                            "One of several values, newest first."
                        ),
                        (
                            "clover endpoints orders --json | jq -r '.filterable[]?'",
                            "The fields that a path can be filtered by."
                        ),
                    ])
                ]),
        ], seeAlso: ["clover.get 1", "clover.endpoints 1", "clover-jq 7"])
}
