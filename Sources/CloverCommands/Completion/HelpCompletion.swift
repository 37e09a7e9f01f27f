import ArgumentParser

/// What `clover help` goes on with, in the completion scripts: ArgumentParser's have nothing for it.
enum HelpCompletion {
    /// A completion script with what ArgumentParser's leave out: names of commands and topics for `help`, and what
    /// stands behind a command that may be left out. Other texts as they are.
    static func added(to script: String) -> String {
        DefaultCompletion.added(to: topics(addedTo: script))
    }

    private static func topics(addedTo script: String) -> String {
        let words = (Clover.configuration.subcommands.map { $0._commandName } + HelpTopic.names).joined(separator: " ")
        if script.hasPrefix("#!/bin/bash") {
            return changed(
                script, in: "\n_clover_help() {\n", "    __clover_offer_flags_options -1\n",
                "    ((${#unparsed_words[@]} > 1)) || COMPREPLY+=($(compgen -W '\(words)' -- \"${cur}\"))\n"
                    + "    __clover_offer_flags_options -1\n")
        }
        if script.hasPrefix("#compdef") {
            return changed(script, in: "\n_clover_help() {\n", "'*:subcommands:'", "'1:command:(\(words))'")
        }
        guard script.contains("complete -c 'clover' ") else { return script }
        return script + (script.hasSuffix("\n") ? "" : "\n")
            + "complete -c 'clover' -n '__clover_should_offer_completions_for_positional \"clover help\" -eq 1' "
            + "-fa '\(words)'"
    }

    /// With `new` in place of the first `old` behind `place`.
    static func changed(_ script: String, in place: String, _ old: String, _ new: String) -> String {
        guard let start = script.firstRange(of: place),
            let found = script[start.upperBound...].firstRange(of: old)
        else { return script }
        var changed = script
        changed.replaceSubrange(found, with: new)
        return changed
    }
}
