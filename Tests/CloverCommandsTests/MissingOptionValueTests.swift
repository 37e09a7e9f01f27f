import ArgumentParser
import CloverCommands
import Foundation
import Testing

@Suite("Options whose value was forgotten")
struct MissingOptionValueTests {
    /// ArgumentParser's own description of the program.
    private struct Tool: Decodable {
        let command: Command

        struct Command: Decodable {
            let commandName: String
            let arguments: [Argument]?
            let subcommands: [Command]?
        }

        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
        }

        struct Name: Decodable {
            let kind: String
            let name: String
            var typed: String { (kind == "short" ? "-" : "--") + name }
        }
    }

    /// The names of all options, or of all flags, each with the words of its command.
    private func names(_ kind: String) throws -> [(path: [String], name: String)] {
        func names(_ command: Tool.Command, _ path: [String]) -> [(path: [String], name: String)] {
            let own = (command.arguments ?? []).filter { $0.kind == kind }.flatMap { $0.names ?? [] }
            var found = own.map { (path: path, name: $0.typed) }
            for command in command.subcommands ?? [] { found += names(command, path + [command.commandName]) }
            return found
        }
        let tool = try JSONDecoder().decode(Tool.self, from: Data(Clover._dumpHelp().utf8))
        return names(tool.command, [])
    }

    @Test("every option of every command refuses the option that follows as its value, and takes it after '='")
    func options() throws {
        let options = try names("option")
        #expect(options.count > 1000)
        var joined: Set<String> = []
        for (path, name) in options {
            // What each check finds out of the command's help takes milliseconds, and is the same for both forms.
            for words in [[name, "--dry-run"]] + (joined.insert(name).inserted ? [[name + "="]] : []) {
                #expect(throws: MissingOptionValue.self, "\(path + words)") {
                    try MissingOptionValue.check(path + words)
                }
            }
            for words in [[name + "=--dry-run"], [name, "-5"], [name, "-"], [name, "-7d"], [name]] {
                #expect(throws: Never.self, "\(path + words)") { try MissingOptionValue.check(path + words) }
            }
        }
    }

    @Test("flags may be followed by options")
    func flags() throws {
        let flags = try names("flag").filter { !$0.path.isEmpty }
        #expect(flags.count > 300)
        for (path, names) in Dictionary(grouping: flags, by: { $0.path }) {
            #expect(throws: Never.self, "\(path)") {
                try MissingOptionValue.check(path + names.flatMap { [$0.name, "--dry-run"] })
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let words: String
        var says: String?
        var testDescription: String { words }
    }

    @Test(
        "the command is found, and what follows '--' is no option",
        arguments: [
            Row(
                words: "charge --amount 1.00 --currency USD --source t --description --dry-run",
                says: "--description has no value: another option follows"),
            Row(words: "charge --description -q", says: "--description has no value: another option follows"),
            Row(words: "charge --description= --dry-run", says: "--description is empty"),
            Row(words: "charge --description=--dry-run --quiet --dry-run"),
            Row(words: "post items -qF --dry-run", says: "-qF has no value: another option follows"),
            Row(words: "get orders --arg --all", says: "--arg has no value: another option follows"),
            Row(words: "get orders --arg name --all"),
            Row(words: "get orders --arg --all --jq .", says: "--arg has no value: another option follows"),
            Row(words: "charge --amount 1.00 --currency USD --reader --dry-run"),
            Row(
                words: "export schedule --every 1h orders --to --quiet",
                says: "--to has no value: another option follows"),
            Row(words: "get orders --sort -total --all"),
            Row(
                words: "get orders --sort -total --filter --all",
                says: "--filter has no value: another option follows"),
            Row(words: "get -- --filter --all"),
            Row(words: "unknown --filter --all"),
        ])
    func lines(_ row: Row) {
        var refusal: String?
        do {
            try MissingOptionValue.check(ArgumentPairs.joined(row.words.split(separator: " ").map(String.init)))
        } catch {
            refusal = "\(error)"
        }
        #expect(refusal == row.says)
    }
}
