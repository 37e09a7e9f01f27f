extension HelpPage {
    /// `clover help filters`.
    static let filters = HelpPage(
        name: "filters", summary: "choosing records with clover",
        sections: [
            Section(blocks: [
                .text(
                    """
                    --filter takes one expression; it may be repeated, and all must match. The service decides, so \
                    that records which do not match cost nothing. A field that it does not filter by is refused \
                    before anything is sent: the service itself would ignore it in silence.
                    """)
            ]),
            Section(
                title: "Expressions",
                blocks: [
                    .list([
                        ("FIELD=VALUE, FIELD!=VALUE", "Equal, not equal. Names are written as in the records."),
                        ("FIELD>=VALUE, FIELD>VALUE, FIELD<=VALUE, FIELD<VALUE", "Numbers and times in order."),
                        ("FIELD in (A,B)", "One of several."),
                        ("FIELD is null, FIELD is not null", "Without a value, with one."),
                    ]),
                    .text(
                        """
                        Amounts are whole numbers of the currency's smallest unit, as in the records. Quotes keep the \
                        shell away from > and <.
                        """),
                ]),
            Section(
                title: "Times",
                blocks: [
                    .list([
                        (
                            "2026-11-20, 2026-11-20T08:00:00Z",
                            "ISO 8601; without an offset, by the merchant's clocks, or --zone."
                        ),
                        ("today, yesterday, tomorrow, now", "A day's beginning on the same clocks, or this moment."),
                        ("-8w, -7d, -12h, -30m", "So long ago."),
                        ("1795161600000", "Milliseconds since 1970, as in the records."),
                    ]),
                    .text(
                        """
                        Orders and payments are answered for 90 days at once; with --all a longer range is fetched in \
                        several windows.
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
                            "One of several, the newest first."
                        ),
                        (
                            "clover endpoints orders --json | jq -r '.filterable[]?'",
                            "What a path is filtered by."
                        ),
                    ])
                ]),
        ], seeAlso: ["clover.get 1", "clover.endpoints 1", "clover-jq 7"])
}
