/// Patches the zsh completion script. ArgumentParser's passes quotes on, takes what follows a ':' for a description,
/// and does not support '--option=value'.
enum ZshWords {
    static func told(in script: String) -> String {
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
            # Words without their quotes, and what is typed of this one without the option before a '='.
            local -a line=("${(@Q)command_line}")
            line[$((current_word_index + 1))]="${(Q)PREFIX}"
            local -a completions
            completions=("${(@f)"$("${command_name}" "${@}" "${line[@]}" 2>/dev/null)"}")
            if [[ "${#completions[@]}" -gt 1 ]]; then
                # A description would begin behind a ':' that is not escaped.
                completions=("${(@)completions//\\/\\\\}")
                completions=("${(@)${(@)completions[1,-2]}//:/\\:}")
                if [[ " ${*} " = *' -- --filter '* ]]; then
                    # The operator follows the name at once.
                    _describe -V '' completions -S ''
                else
                    __clover_complete "${(@)completions}"
                fi
            fi
        }
        """#
}
