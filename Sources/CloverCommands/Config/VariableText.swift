import CloverConfiguration

/// The variables that clover asks, in words: `clover help environment` and the manual page are made of this. Those of
/// keys are the keys'.
enum VariableText {
    private struct Variable {
        let names: [String]
        let summary: String
        /// The key of the configuration file that says the same.
        var key: ConfigurationKey?
    }

    private static let secrets = [
        Variable(
            names: ["CLOVER_ACCESS_TOKEN"],
            summary:
                "An access token to use instead of a sign-in; it needs CLOVER_MERCHANT_ID beside it. --profile goes before it, CLOVER_PROFILE does not. 'clover auth logout' forgets no kept sign-in then unless an option names it."
        ),
        Variable(names: ["CLOVER_APP_SECRET"], summary: "The app's secret, for 'clover auth login'."),
    ]

    private static let keys = ConfigurationKey.allCases.map {
        Variable(names: $0.variables, summary: $0.facts.summary, key: $0)
    }

    private static let messages = [
        Variable(names: ["CLOVER_QUIET"], summary: "1: say nothing but errors."),
        Variable(names: ["CLOVER_VERBOSE"], summary: "1: say what happens on the way."),
        Variable(names: ["CLOVER_DEBUG"], summary: "What to show of requests, as --debug takes it."),
        Variable(
            names: ["CLOVER_ERRORS"],
            summary: "text, or json: errors as one JSON line, where standard error is no terminal."),
        Variable(
            names: ["CLOVER_PAGER", "PAGER"],
            summary: "The pager of long tables on a terminal, 'less -FRX' otherwise; empty or cat: none."),
    ]

    private static let places = [
        Variable(
            names: ["CLOVER_CONFIG_DIR"],
            summary: "The directory of config.yml; else $XDG_CONFIG_HOME/clover, else ~/.config/clover."),
        Variable(
            names: ["CLOVER_STATE_DIR"],
            summary: "The directory of sign-ins and limits; else $XDG_STATE_HOME/clover, else ~/.local/state/clover."),
        Variable(
            names: ["CLOVER_ALLOW_NETWORK_STATE"],
            summary: "1: keep state on a network file system all the same, where locks may not hold."),
    ]

    private static let others = [
        Variable(names: ["BROWSER"], summary: "The program that 'clover auth login' opens the sign-in page with."),
        Variable(names: ["TZ"], summary: "The time zone of the tables of 'auth', 'reader list' and 'export status'."),
    ]

    private static let groups = [
        ("Secrets, which no option and no configuration takes", secrets),
        ("Settings, each a key of config.yml too (clover help config)", keys),
        ("Messages", messages), ("Places", places), ("Of the system", others),
    ]

    /// The page of `clover help environment`, without a line break at its end.
    static var page: String {
        let head = """
            A flag goes before a variable, a variable before the configuration file. A
            variable that is empty counts as unset; a wrong value is refused by name.
            Of two names for the same the first goes before the second.
            """
        return groups.reduce(into: head) { text, group in
            text += "\n\n\(group.0):"
            for variable in group.1 {
                text += "\n  " + variable.names.joined(separator: ", ")
                for line in FoldedText.lines(words(variable), width: 70, breaksWords: false) {
                    text += "\n      " + line
                }
            }
        }
    }

    /// The entries of a list in mdoc(7).
    static var manual: String {
        groups.flatMap { $0.1 }.map { variable in
            let key = variable.key.map { "The key is\n.Ic \($0.name) .\n" } ?? ""
            return variable.names.map { ".It Ev \($0)\n" }.joined() + KeyText.escaped(variable.summary) + "\n" + key
        }.joined()
    }

    private static func words(_ variable: Variable) -> [String] {
        variable.summary.split(separator: " ").map(String.init)
    }
}
