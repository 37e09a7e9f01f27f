import ArgumentParser
import CloverCore

struct Completion: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the completion script of a shell",
        discussion: """
            Examples:
              source <(clover completion bash)
              clover completion zsh >_clover
              clover completion fish >clover.fish

            The Debian package, 'make install' and the tarball install these scripts already. Otherwise, put the script \
            into ~/.local/share/bash-completion/completions/clover, into a folder of zsh's fpath as _clover, or into \
            ~/.config/fish/completions/clover.fish. Completion asks the catalogue and this machine, and never the service. \
            'clover doctor' says whether the script of your shell is the one of this version.
            """
    )

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell?

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws {
        if shell == nil { throw ValidationError("name the shell: bash, zsh or fish") }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let script =
            switch shell {
            case .bash, nil: HelpCompletion.script(for: CompletionShell.bash)
            case .zsh: HelpCompletion.script(for: CompletionShell.zsh)
            case .fish: HelpCompletion.script(for: CompletionShell.fish)
            }
        try await StandardOutput.print(script + "\n", in: environment)
        return 0
    }
}

/// Completes the generated scripts: ArgumentParser's have nothing for the words after `clover help`.
enum HelpCompletion {
    /// Adds to a completion script what ArgumentParser's leave out: commands and topics for `help`, what follows a
    /// default command without its name, and words as the program receives them. Returns other texts unchanged.
    static func added(to script: String) -> String {
        let whole = DefaultCommandCompletion.added(to: topics(addedTo: script))
        if script.hasPrefix("#!/bin/bash") { return BashCompletionPatch.joined(in: whole) }
        if script.hasPrefix("#compdef") { return ZshCompletionPatch.patched(in: whole) }
        // fish reports a missing program even if the output is redirected.
        return FishCompletionPatch.quickened(in: whole).replacing(
            "\n    command $tokens[1] $argv $tokens\n",
            with: "\n    command -q $tokens[1]; and command $tokens[1] $argv $tokens 2>/dev/null\n")
    }

    /// The script that the program prints for a shell; nil for an unsupported shell.
    static func script(for shell: String) -> String? {
        CompletionShell(rawValue: shell).map(script)
    }

    /// The script that the program prints for a shell.
    static func script(for shell: CompletionShell) -> String { added(to: Clover.completionScript(for: shell)) }

    private static func topics(addedTo script: String) -> String {
        let words = (Clover.configuration.subcommands.map { $0._commandName } + HelpTopic.names).joined(separator: " ")
        if script.hasPrefix("#!/bin/bash") {
            return changed(
                script, in: "\n_clover_help() {\n", "    __clover_offer_flags_options -1\n",
                """
                    if ((${#unparsed_words[@]} <= 1)); then
                        COMPREPLY+=($(compgen -W '\(words)' -- "${cur}"))
                    elif ((${#unparsed_words[@]} == 2)); then
                        case "${unparsed_words[0]}" in
                \(parents.map { "        \($0.name)) COMPREPLY+=($(compgen -W '\($0.words)' -- \"${cur}\")) ;;" }.joined(separator: "\n"))
                        esac
                    fi
                    __clover_offer_flags_options -1

                """)
        }
        if script.hasPrefix("#compdef") {
            let head = "\n_clover_help() {\n"
            let first = changed(script, in: head, "'*:subcommands:'", "'1:command:(\(words))' '2:command:->second'")
            let cases = parents.map { "        \($0.name)) compadd -- \($0.words) && ret=0 ;;\n" }.joined()
            return changed(
                first, in: head, "&& ret=0\n",
                "&& ret=0\n    if [[ \"${state}\" = second ]]; then\n        case \"${words[2]}\" in\n\(cases)        esac\n    fi\n"
            )
        }
        guard script.contains("complete -c 'clover' ") else { return script }
        return script + (script.hasSuffix("\n") ? "" : "\n")
            + "complete -c 'clover' -n '__clover_should_offer_completions_for_positional \"clover help\" -eq 1' "
            + "-fa '\(words)'\n"
            + parents.map {
                "complete -c 'clover' -n '__clover_should_offer_completions_for_positional \"clover help\" -eq 2; "
                    + "and test (__clover_tokens -pc)[3] = \($0.name)' -fa '\($0.words)'"
            }.joined(separator: "\n")
    }

    /// Commands with subcommands, and the names of those.
    private static var parents: [(name: String, words: String)] {
        Clover.configuration.subcommands.compactMap { command in
            let names = command.configuration.subcommands.map { $0._commandName }
            return names.isEmpty ? nil : (command._commandName, names.joined(separator: " "))
        } + [(Emulator._commandName, Emulator.words.joined(separator: " "))]
    }

    /// Replaces the first `old` after `place` with `new`.
    static func changed(_ script: String, in place: String, _ old: String, _ new: String) -> String {
        guard let start = script.firstRange(of: place),
            let found = script[start.upperBound...].firstRange(of: old)
        else { return script }
        var changed = script
        changed.replaceSubrange(found, with: new)
        return changed
    }

    /// Replaces a shell function with `text`.
    static func withFunction(_ name: String, _ text: String, in script: String) -> String {
        guard let head = script.firstRange(of: "\n\(name)() {\n"),
            let end = script[head.upperBound...].firstRange(of: "\n}\n")
        else { return script }
        var changed = script
        changed.replaceSubrange(head.lowerBound..<end.upperBound, with: "\n\(text)\n")
        return changed
    }
}

/// Patches the zsh completion script. ArgumentParser's passes quotes on, takes what follows a ':' for a description,
/// and does not support '--option=value'.
enum ZshCompletionPatch {
    static func patched(in script: String) -> String {
        let cursor = HelpCompletion.withFunction("__clover_cursor_index_in_current_word", cursor, in: script)
        return HelpCompletion.withFunction("__clover_custom_complete", asking, in: cursor)
            .split(separator: "\n", omittingEmptySubsequences: false).map { line in
                // Options with a value; then arguments without candidates, whose message would keep options away.
                line.replacing(/^ +'\*?--[a-z-]+(?=\[.*\]:)/) { $0.output + "=" }
                    .replacing(/^( +'\*?::?[A-Za-z -]+:)'$/) { $0.output.1 + "( )'" }
            }.joined(separator: "\n")
    }

    private static let cursor = #"""
        __clover_cursor_index_in_current_word() {
            local -r typed="${(Q)PREFIX}"
            printf %s "${#typed}"
        }
        """#

    private static let asking = #"""
        __clover_custom_complete() {
            # Words without their quotes, and the typed part of the current word without an option and its '='.
            local -a line=("${(@Q)command_line}")
            line[$((current_word_index + 1))]="${(Q)PREFIX}"
            local -a completions
            completions=("${(@f)"$("${command_name}" "${@}" "${line[@]}" 2>/dev/null)"}")
            if [[ "${#completions[@]}" -gt 1 ]]; then
                # Escape every ':', because a description would follow it.
                completions=("${(@)completions//\\/\\\\}")
                completions=("${(@)${(@)completions[1,-2]}//:/\\:}")
                if [[ " ${*} " = *' -- --filter '* ]]; then
                    # The operator follows the name without a space.
                    _describe -V '' completions -S ''
                else
                    __clover_complete "${(@)completions}"
                fi
            fi
        }
        """#
}

/// Speeds up the fish completion script by adding cheap conditions.
///
/// ArgumentParser's script has a condition for every option of every command, and each parses the whole line: a
/// thousand of them take a second. A cheap condition in front of each, which parses a line only once, leaves those of
/// one command (fish: complete, "If multiple conditions are specified, fish will try them in the order they are
/// specified").
enum FishCompletionPatch {
    private static let offer = "__clover_should_offer_completions_for_"

    static func quickened(in script: String) -> String {
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let condition = line.firstRange(of: " -n '\(offer)"),
                let start = line[condition.upperBound...].firstIndex(of: "\""),
                let end = line[line.index(after: start)...].firstIndex(of: "\"")
            else { return String(line) }
            let command = String(line[start...end])
            return String(line[..<condition.lowerBound]) + " -n '__clover_is_at \(command)'"
                + String(line[condition.lowerBound...])
        }
        return lines.joined(separator: "\n").replacing(
            "\nfunction __clover_tokens\n", with: "\n\(function)\n\nfunction __clover_tokens\n", maxReplacements: 1)
    }

    private static let function = """
        function __clover_is_at -a expected_commands
            set -l line "$(commandline -pc)"
            if not set -q __clover_line; or test "$__clover_line" != "$line"
                set -l non_repeating_flags_or_options
                set -l non_repeating_flags_or_options_absent 0
                set -l positional_index 0
                set -l commands
                __clover_parse_tokens
                set -g __clover_line $line
                set -g __clover_commands "$commands"
            end
            test "$__clover_commands" = "$expected_commands"
        end
        """
}
