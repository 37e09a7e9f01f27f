import ArgumentParser

/// What `clover` alone shows: what it is for, whether somebody is signed in, and where to go on.
enum FirstPage {
    /// - Parameters:
    ///   - signedIn: one line about the sign-in.
    ///   - columns: of the terminal; nil without one.
    static func text(signedIn: String, columns: Int?) -> String {
        let page = """
            clover: the command line for a Clover merchant's data, readers and payments

            \(examples)

            \(signedIn)
            \(commandLines(columns))
            'clover help COMMAND' has examples; 'man clover' has all of it.

            """
        return columns.map { NarrowPage.text(page, width: $0) } ?? page
    }

    /// What there is, in the order of a day's work.
    private static var commands: [String] {
        let order = [
            "auth", "get", "post", "put", "delete", "endpoints", "schema", "export", "reader", "charge", "config",
            "limits", "doctor", "emulator",
        ]
        let names = Clover.configuration.subcommands.map { $0._commandName }
        return order.filter(names.contains) + names.filter { !order.contains($0) }
    }

    /// On one line where there is room for it, for programs too.
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
