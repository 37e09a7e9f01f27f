import ArgumentParser

/// The page that `clover` without arguments shows: its purpose, the sign-in, and where to go next.
enum FirstPage {
    /// - Parameters:
    ///   - signedIn: one line about the sign-in.
    ///   - columns: the terminal's width; nil without a terminal.
    static func text(signedIn: String, columns: Int?) -> String {
        let page = """
            clover: the command line for a Clover merchant's data, readers and payments

            \(examples)

            \(signedIn)
            \(commandLines(columns))
            'clover help COMMAND' shows examples; 'man clover' is the full manual.

            """
        return columns.map { NarrowPage.text(page, width: $0) } ?? page
    }

    /// The commands in the order of typical use; any others follow.
    private static var commands: [String] {
        let order = [
            "auth", "get", "post", "put", "delete", "endpoints", "schema", "export", "reader", "charge", "config",
            "limits", "doctor", "emulator",
        ]
        let names = Clover.configuration.subcommands.map { $0._commandName }
        return order.filter(names.contains) + names.filter { !order.contains($0) }
    }

    /// The commands on one line if there is room; without a terminal, always on one line.
    private static func commandLines(_ columns: Int?) -> String {
        let title = "Commands: "
        let width = columns.map { max(1, $0 - title.count) } ?? .max
        let lines = FoldedText.lines(commands, separator: "  ", width: width, breaksWords: false)
        return title + lines.joined(separator: "\n" + String(repeating: " ", count: title.count))
    }

    private static var examples: String {
        let all = [
            ("get", "clover get orders --all --jq '{id,total}'     every order, as JSON lines"),
            ("export", "clover export orders payments --to ~/exports  only what changed since the last run"),
            ("reader", "clover reader scan --json                     card readers near you"),
            ("charge", "clover charge --amount 12.50 --currency USD --reader"),
        ]
        return all.filter { commands.contains($0.0) }.map { "  " + $0.1 }.joined(separator: "\n")
    }
}
