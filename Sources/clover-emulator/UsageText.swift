import ArgumentParser

/// What is said of arguments that cannot be meant, in the form of clover's own messages: what is wrong, then the next thing
/// to do.
enum UsageText {
    /// - Parameters:
    ///   - message: ArgumentParser's, of one sentence or two.
    ///   - arguments: without the program's name.
    static func text(_ message: String, arguments: [String]) -> String {
        let arguments = arguments.filter { $0 != "--" }
        let commands = Main.configuration.subcommands.map { $0._commandName }.sorted()
        let command = arguments.first.flatMap { commands.contains($0) ? $0 : nil }
        let (reason, near) = parts(message.split(separator: "\n").first.map(String.init) ?? message)
        var lines: [String]
        if command == nil, let word = arguments.first, !word.hasPrefix("-") {
            lines = ["there is no command '\(word)'", "commands: " + commands.joined(separator: ", ")]
        } else {
            lines = [reason] + (near.map { ["did you mean: " + $0] } ?? [])
        }
        lines.append("see 'clover-emulator help\(command.map { " " + $0 } ?? "")'")
        return "clover-emulator: " + lines.joined(separator: "\n  ") + "\n"
    }

    /// The name that ArgumentParser's message suggests stands at its end, and nowhere else: its error has no such part.
    private static func parts(_ message: String) -> (reason: String, near: String?) {
        let reason = message.prefix(1).lowercased() + message.dropFirst()
        let mark = ". Did you mean '"
        guard let place = reason.firstRange(of: mark), reason.hasSuffix("'?") else { return (reason, nil) }
        return (String(reason[..<place.lowerBound]), String(reason[place.upperBound...].dropLast(2)))
    }
}
