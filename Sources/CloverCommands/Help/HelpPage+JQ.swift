extension HelpPage {
    /// `clover help jq`.
    static let jq = HelpPage(
        name: "jq", summary: "jq programs inside clover",
        sections: [
            Section(blocks: [
                .text(
                    """
                    --jq runs a jq program on every record, inside clover and on all processors; the order of the \
                    records is preserved. Results are printed as by jq -c, one a line. --from-file reads the program \
                    from a file. A file ~/.jq is put before the program, as in jq.
                    """)
            ]),
            Section(
                title: "Options",
                blocks: [
                    .list([
                        ("--raw-output, --join-output", "Strings without quotes; without a line break after each."),
                        ("--slurp", "All records as one array first, for sums and groups. Memory use grows with them."),
                        ("--arg NAME VALUE, --argjson NAME JSON", "Set $NAME to a string, or to a JSON value."),
                        (
                            "--exit-status",
                            "Exit with 1 if the last result is false or null, and with 4 if there is none."
                        ),
                    ])
                ]),
            Section(
                title: "Differences from the program jq",
                blocks: [
                    .text(
                        """
                        A record on which the program fails is named on standard error; the others are delivered, and \
                        the status is 65. input_filename is null. With libjq 1.6 ('clover doctor' shows the version), \
                        whole numbers above 2^53 lose digits; without --jq, every number is the service's own.
                        """)
                ]),
            Section(
                title: "Examples",
                blocks: [
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
                    ])
                ]),
        ], seeAlso: ["clover.get 1", "jq 1", "clover-filters 7"])
}
