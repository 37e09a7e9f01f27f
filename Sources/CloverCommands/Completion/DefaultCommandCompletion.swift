import ArgumentParser
import CloverCore

/// Adds to the completion scripts what follows `clover charge`, `clover export` and `clover emulator` without a
/// subcommand. ArgumentParser's scripts offer the options of a default command only after its name, and know nothing of
/// the options of another program.
enum DefaultCommandCompletion {
    /// A command with a default subcommand.
    private struct Parent {
        let name: String
        let usual: String
        let commands: [String]
        /// Candidates for the first word other than a subcommand.
        let words: [String]

        init(_ parent: any ParsableCommand.Type, usual: any ParsableCommand.Type, words: [String]) {
            name = parent._commandName
            self.usual = usual._commandName
            commands = parent.configuration.subcommands.map { $0._commandName }
            self.words = words
        }
    }

    private static let parents = [
        Parent(Charge.self, usual: Charge.Create.self, words: []),
        Parent(Export.self, usual: Export.Run.self, words: ExportNames.resources),
    ]

    /// Extracts the long options from a help page of clover-emulator.
    private static let options = #"sed -nE 's/^  (-[a-z], )?(--[a-z-]+).*/\2/p'"#

    static func added(to script: String) -> String {
        if script.hasPrefix("#!/bin/bash") { return emulatorInBash(parents.reduce(script, inBash)) }
        if script.hasPrefix("#compdef") { return emulatorInZsh(parents.reduce(script, inZsh)) }
        guard script.contains("complete -c 'clover' ") else { return script }
        return emulatorInFish(parents.reduce(script, inFish))
    }

    private static func inBash(_ script: String, _ parent: Parent) -> String {
        let head = "\n_clover_\(parent.name)() {\n"
        let names = parent.commands.joined(separator: " ")
        let added = """
                case "${unparsed_words[0]}" in
                \(parent.commands.joined(separator: "|"))|--version|-h|--help) ;;
                *)
                    # Without a subcommand, '\(parent.usual)' is the default.
                    if ((${#unparsed_words[@]} > 1)) || [[ "${unparsed_words[0]}" = -?* ]]; then
                        "_clover_\(parent.name)_\(parent.usual)"
                        return
                    fi
                    ;;
                esac

            """
        let more = HelpCompletion.changed(
            script, in: head, "-W '\(names)'", "-W '\((parent.commands + parent.words).joined(separator: " "))'")
        return more.replacing(head, with: head + added, maxReplacements: 1)
    }

    private static func emulatorInBash(_ script: String) -> String {
        let head = "\n_clover_emulator() {\n"
        let added = """
                if ((${#unparsed_words[@]} > 1)); then
                    COMPREPLY+=($(compgen -W "$("${COMP_WORDS[0]}" help emulator "${unparsed_words[0]}" 2>/dev/null | \(options))" -- "${cur}"))
                else
                    COMPREPLY+=($(compgen -W '\(Emulator.words.joined(separator: " "))' -- "${cur}"))
                fi
                return

            """
        return script.replacing(head, with: head + added, maxReplacements: 1)
    }

    private static func inZsh(_ script: String, _ parent: Parent) -> String {
        let head = "\n_clover_\(parent.name)() {\n"
        let added = """
                # Without a subcommand, '\(parent.usual)' is the default.
                case "${words[2]}" in
                \(parent.commands.joined(separator: "|"))|--version|-h|--help) ;;
                *)
                    if ((CURRENT > 2)) || [[ "${words[2]}" = -?* ]]; then
                        words=("${words[1]}" \(parent.usual) "${(@)words[2,-1]}")
                        ((CURRENT++))
                    fi
                    ;;
                esac

            """
        let describe = "_describe -V subcommand subcommands && ret=0\n"
        let more =
            parent.words.isEmpty
            ? script
            : HelpCompletion.changed(
                script, in: head, describe,
                describe + "        compadd -- \(parent.words.joined(separator: " ")) && ret=0\n")
        return more.replacing(head, with: head + added, maxReplacements: 1)
    }

    private static func emulatorInZsh(_ script: String) -> String {
        let head = "\n_clover_emulator() {\n"
        let added = """
                if ((CURRENT > 2)); then
                    compadd -- ${(f)"$("${command_name}" help emulator "${words[2]}" 2>/dev/null | \(options))"}
                else
                    compadd -- \(Emulator.words.joined(separator: " "))
                fi
                return

            """
        return script.replacing(head, with: head + added, maxReplacements: 1)
    }

    private static func inFish(_ script: String, _ parent: Parent) -> String {
        let place = "\n        case '\(parent.name)'\n            __clover_parse_subcommand 0 'version' 'h/help'\n"
        let added = """
                        # Without a subcommand, '\(parent.usual)' is the default.
                        if not contains -- "$unparsed_tokens[1]" \(parent.commands.joined(separator: " ")) --version -h --help
                            if set -q unparsed_tokens[1]; or string match -q -- '-*' (commandline -ct)
                                set -p unparsed_tokens \(parent.usual)
                            end
                        end

            """
        let more = script.replacing(place, with: place + added, maxReplacements: 1)
        guard !parent.words.isEmpty else { return more }
        return ended(more)
            + "complete -c 'clover' -n '__clover_should_offer_completions_for_positional \"clover \(parent.name)\" -eq 1' "
            + "-fa '\(parent.words.joined(separator: " "))'"
    }

    private static func emulatorInFish(_ script: String) -> String {
        let place = "complete -c 'clover' -n '__clover_should_offer_completions_for_positional \"clover emulator\""
        return ended(script) + "\(place) -eq 1' -fa '\(Emulator.words.joined(separator: " "))'\n"
            + "\(place) -gt 1' -fa '(command -q clover; and clover help emulator (__clover_tokens -pc)[3] 2>/dev/null | "
            + "string match -rg \"^  (?:-[a-z], )?(--[a-z-]+)\")'"
    }

    private static func ended(_ script: String) -> String { script + (script.hasSuffix("\n") ? "" : "\n") }
}
