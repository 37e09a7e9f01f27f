import CloverConfiguration

/// Descriptions of the environment variables, for `clover help environment` and the manual page. Variables of
/// configuration keys take theirs from the keys.
enum VariableText {
    private struct Variable {
        let names: [String]
        let summary: String
        /// The configuration key with the same meaning.
        var key: ConfigurationKey?
    }

    private static let secrets = [
        Variable(
            names: ["CLOVER_ACCESS_TOKEN"],
            summary:
                "An access token to use instead of a sign-in; requires CLOVER_MERCHANT_ID, is overridden by --profile but not by CLOVER_PROFILE, and limits 'clover auth logout' to a stored sign-in that an option names."
        ),
        Variable(names: ["CLOVER_APP_SECRET"], summary: "The app's secret, for 'clover auth login'."),
        Variable(
            names: ["CLOVER_WEBHOOK_AUTH_CODE"],
            summary: "The code in the header X-Clover-Auth of an app's webhooks, for 'clover webhook listen'."),
        Variable(
            names: ["CLOVER_WEBHOOK_SECRET"],
            summary: "The secret under which Hosted Checkout's webhooks are signed, for 'clover webhook'."),
    ]

    private static let keys = ConfigurationKey.allCases.map {
        Variable(names: $0.variables, summary: $0.facts.summary, key: $0)
    }

    private static let messages = [
        Variable(names: ["CLOVER_QUIET"], summary: "1: print nothing but errors."),
        Variable(names: ["CLOVER_VERBOSE"], summary: "1: print progress details."),
        Variable(names: ["CLOVER_DEBUG"], summary: "What to show of requests; takes the same values as --debug."),
        Variable(
            names: ["CLOVER_ERRORS"],
            summary: "text, or json for errors as one JSON line where standard error is not a terminal."),
        Variable(names: ["CLOVER_LOG"], summary: "A file to append one JSON line about each run to; like --log-file."),
        Variable(
            names: ["CLOVER_PAGER", "PAGER"],
            summary: "The pager for long tables on a terminal (default: less -FRX); empty or cat for none."),
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
            summary: "1: allow state on a network file system, where locks may not work."),
    ]

    private static let others = [
        Variable(names: ["BROWSER"], summary: "The program in which 'clover auth login' opens the sign-in page."),
        Variable(names: ["TZ"], summary: "The time zone of the tables of 'auth', 'reader list' and 'export status'."),
    ]

    private static let groups = [
        ("Secrets, which no option and no configuration key takes", secrets),
        ("Settings, each also a key in config.yml (clover help config)", keys),
        ("Messages", messages), ("Directories", places), ("System variables", others),
    ]

    /// The page of `clover help environment`, without a line break at its end.
    static var page: String {
        let head = """
            Flags override environment variables, which override the configuration file. An
            empty variable counts as unset; an invalid value is refused by name. Where two
            names are listed, the first takes precedence.
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
