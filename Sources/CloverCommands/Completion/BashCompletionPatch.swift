/// Patches the bash completion script so that it handles words as the program receives them. ArgumentParser's script
/// takes readline's words, which are split at ':' and '=' and keep their quotes.
enum BashCompletionPatch {
    static func joined(in script: String) -> String {
        let entry = "\n_clover() {\n"
        let known = HelpCompletion.changed(
            HelpCompletion.changed(
                script, in: entry, #"    local -r cur="${2}"\#n    local -r prev="${3}"\#n"#,
                #"    local cur prev parted quote are_files=''\#n    __clover_join_words "${2}"\#n"#),
            in: entry, "\n}\n", "\n\n    __clover_part_replies\n}\n")
        let asking = HelpCompletion.withFunction("__clover_custom_complete", asking, in: known)
        let adding = "__clover_add_completions() {\n"
        return HelpCompletion.withFunction("__clover_cursor_index_in_current_word", words, in: asking)
            .replacing(adding, with: adding + #"    [[ "${1}" = -W ]] || are_files=true\#n"#, maxReplacements: 1)
    }

    private static let asking = #"""
        __clover_custom_complete() {
            "${COMP_WORDS[0]}" "${@}" "${COMP_WORDS[@]}" 2>/dev/null
        }
        """#

    private static let words = #"""
        # The words as the program will receive them: readline splits them at ':', '=' and the like, and keeps quotes.
        #
        # - 1: the word to complete, as readline sees it
        #
        # modified variables:
        #
        # - COMP_WORDS, COMP_CWORD: '--option=value' is two words; the current word ends at the cursor
        # - cur, prev: the current word and the one before it
        # - parted: the part that readline has split off the current word, and does not replace
        # - quote: the open quote in the current word
        __clover_join_words() {
            local rest="${COMP_LINE}" word next
            local -a joined=()
            local -i index start=0 begin=0 current=0
            for index in "${!COMP_WORDS[@]}"; do
                word="${COMP_WORDS[index]}"
                next="${rest#"${rest%%[![:space:]]*}"}"
                if [[ "${index}" -eq 0 || "${next}" != "${rest}" ]]; then
                    joined+=("${word}")
                    start="$((${#COMP_LINE} - ${#next}))"
                else
                    joined[${#joined[@]} - 1]+="${word}"
                fi
                rest="${next#"${word}"}"
                if [[ "${index}" -eq "${COMP_CWORD}" ]]; then
                    current="$((${#joined[@]} - 1))"
                    begin="${start}"
                fi
            done
            if [[ "${COMP_POINT}" -gt "${begin}" ]]; then
                joined[current]="${COMP_LINE:begin:COMP_POINT - begin}"
            elif [[ -n "${joined[current]}" ]]; then
                joined=("${joined[@]::current}" '' "${joined[@]:current}")
            fi

            quote=''
            COMP_WORDS=()
            for index in "${!joined[@]}"; do
                word="${joined[index]}"
                if [[ "${word}" = --?*=* ]]; then
                    COMP_WORDS+=("${word%%=*}")
                    word="${word#*=}"
                fi
                [[ "${index}" -eq "${current}" && "${word}" = [\'\"]* ]] && quote="${word::1}"
                case "${word}" in
                \'*) word="${word#\'}" word="${word%\'}" ;;
                \"*) word="${word#\"}" word="${word%\"}" ;;
                *) word="${word//\\/}" ;;
                esac
                COMP_WORDS+=("${word}")
                [[ "${index}" -eq "${current}" ]] && COMP_CWORD="$((${#COMP_WORDS[@]} - 1))"
            done
            cur="${COMP_WORDS[COMP_CWORD]}"
            prev="${COMP_WORDS[COMP_CWORD - 1]}"
            parted=''
            case "${1}" in
            : | =) parted="${cur}" ;;
            *) [[ "${cur}" = *"${1//\\/}" ]] && parted="${cur%"${1//\\/}"}" ;;
            esac
        }

        # Converts the completions to replacements for the word as readline sees it.
        __clover_part_replies() {
            local -i index
            COMPREPLY=("${COMPREPLY[@]#"${parted}"}")
            [[ -n "${are_files}" ]] && return
            # Words are not files: no slash follows them, and they must be quoted here if the shell would change them.
            compopt +o filenames 2>/dev/null
            # The operator follows the name without a space.
            [[ "${prev}" = --filter ]] && compopt -o nospace 2>/dev/null
            [[ -n "${quote}" ]] && return
            for index in "${!COMPREPLY[@]}"; do
                printf -v "COMPREPLY[index]" %q "${COMPREPLY[index]}"
                # A comma is special only inside braces, which are quoted themselves.
                COMPREPLY[index]=${COMPREPLY[index]//\\,/,}
            done
        }

        __clover_cursor_index_in_current_word() {
            printf %s "${#cur}"
        }
        """#
}
