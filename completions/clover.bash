#!/bin/bash

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

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__clover_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__clover_add_completions() {
    [[ "${1}" = -W ]] || are_files=true
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__clover_custom_complete() {
    "${COMP_WORDS[0]}" "${@}" "${COMP_WORDS[@]}" 2>/dev/null
}

_clover() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local cur prev parted quote are_files=''
    __clover_join_words "${2}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    auth|get|post|put|delete|api|endpoints|schema|limits|fleet|export|follow|report|reconcile|charge|checkout|plan|subscription|webhook|config|state|reader|emulator|doctor|whoami|open|alias|version|completion|mcp|help)
        # Offer subcommand argument completions
        "_clover_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'auth get post put delete api endpoints schema limits fleet export follow report reconcile charge checkout plan subscription webhook config state reader emulator doctor whoami open alias version completion mcp help' -- "${cur}"))
        ;;
    esac

    __clover_part_replies
}

_clover_auth() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    login|receive|status|token|refresh|logout|list|switch|watch|migrate|import)
        # Offer subcommand argument completions
        "_clover_auth_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'login receive status token refresh logout list switch watch migrate import' -- "${cur}"))
        ;;
    esac
}

_clover_auth_login() {
    repeating_flags=()
    non_repeating_flags=(--keyring --no-browser --paste --with-token --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--app-id --app-secret-file --callback-port --redirect-uri --timeout --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--app-id')
        return
        ;;
    '--app-secret-file')
        __clover_add_completions -f
        return
        ;;
    '--callback-port')
        return
        ;;
    '--redirect-uri')
        return
        ;;
    '--timeout')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth login -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth login -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth login -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_receive() {
    repeating_flags=()
    non_repeating_flags=(--keyring --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--app-id --app-secret-file --code-verifier-file --state --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--app-id')
        return
        ;;
    '--app-secret-file')
        __clover_add_completions -f
        return
        ;;
    '--code-verifier-file')
        __clover_add_completions -f
        return
        ;;
    '--state')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth receive -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth receive -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth receive -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_status() {
    repeating_flags=()
    non_repeating_flags=(--check --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(-o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth status -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth status -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth status -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_token() {
    repeating_flags=()
    non_repeating_flags=(--header --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth token -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth token -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth token -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_refresh() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth refresh -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth refresh -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth refresh -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_logout() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--app-id --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--app-id')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth logout -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth logout -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth logout -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_list() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--profile --merchant --environment --cacert --jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth list -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth list -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_switch() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--app-id --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--app-id')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth switch -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth switch -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth switch -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth switch -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_auth_watch() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--exec --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--exec')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth watch -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth watch -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth watch -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_migrate() {
    repeating_flags=()
    non_repeating_flags=(--keyring --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--app-id --app-secret-file --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--app-id')
        return
        ;;
    '--app-secret-file')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth migrate -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth migrate -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth migrate -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_auth_import() {
    repeating_flags=()
    non_repeating_flags=(--keyring --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--app-id --app-secret-file --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--app-id')
        return
        ;;
    '--app-secret-file')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth import -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth import -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion auth import -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_get() {
    repeating_flags=()
    non_repeating_flags=(--all --no-check --no-complete -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --names --ids --show-sensitive --validate --no-retry --no-pacing --curl --explain --dry-run --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--filter --expand --sort --param --arg --argjson --fields)
    non_repeating_options=(--period --limit --offset --jq --from-file --format --money --times --zone --decimal --separator -o --output --receipt --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --profile --merchant --environment --cacert --profiles --debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--filter')
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- --filter "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--period')
        return
        ;;
    '--expand')
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- --expand "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--sort')
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- --sort "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--param')
        return
        ;;
    '--limit')
        return
        ;;
    '--offset')
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--receipt')
        __clover_add_completions -f
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--profiles')
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- --profiles "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion get -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_post() {
    repeating_flags=()
    non_repeating_flags=(--each --no-check --dry-run -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --show-sensitive --curl --no-retry --no-pacing --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(-F --field -f --raw-field --expand --param --header --arg --argjson --fields)
    non_repeating_options=(--input --resume-from --jq --from-file --format --money --times --zone --decimal --separator --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '-F'|'--field')
        return
        ;;
    '-f'|'--raw-field')
        return
        ;;
    '--input')
        __clover_add_completions -f
        return
        ;;
    '--resume-from')
        return
        ;;
    '--expand')
        return
        ;;
    '--param')
        return
        ;;
    '--header')
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion post -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion post -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion post -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion post -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion post -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_put() {
    repeating_flags=()
    non_repeating_flags=(--each --no-check --dry-run -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --show-sensitive --curl --no-retry --no-pacing --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(-F --field -f --raw-field --expand --param --header --arg --argjson --fields)
    non_repeating_options=(--input --resume-from --jq --from-file --format --money --times --zone --decimal --separator --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '-F'|'--field')
        return
        ;;
    '-f'|'--raw-field')
        return
        ;;
    '--input')
        __clover_add_completions -f
        return
        ;;
    '--resume-from')
        return
        ;;
    '--expand')
        return
        ;;
    '--param')
        return
        ;;
    '--header')
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion put -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion put -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion put -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion put -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion put -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_delete() {
    repeating_flags=()
    non_repeating_flags=(--each --no-check --dry-run -y --yes -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --show-sensitive --curl --no-retry --no-pacing --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--expand --param --header --arg --argjson --fields)
    non_repeating_options=(--input --resume-from --jq --from-file --format --money --times --zone --decimal --separator --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--input')
        __clover_add_completions -f
        return
        ;;
    '--resume-from')
        return
        ;;
    '--expand')
        return
        ;;
    '--param')
        return
        ;;
    '--header')
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion delete -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion delete -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion delete -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion delete -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion delete -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_api() {
    repeating_flags=()
    non_repeating_flags=(--paginate -y --yes -i --include --silent -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --show-sensitive --curl --dry-run --no-retry --no-pacing --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(-H --header -F --field -f --raw-field --arg --argjson)
    non_repeating_options=(-X --method --input --jq --from-file -o --output --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-X'|'--method')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-F'|'--field')
        return
        ;;
    '-f'|'--raw-field')
        return
        ;;
    '--input')
        __clover_add_completions -f
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion api -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion api -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion api -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion api -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_endpoints() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--method --jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--method')
        __clover_add_completions -W 'GET'$'\n''POST'$'\n''PUT'$'\n''DELETE'
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion endpoints -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion endpoints -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion endpoints -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_schema() {
    repeating_flags=()
    non_repeating_flags=(--json-schema -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion schema -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion schema -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion schema -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_limits() {
    repeating_flags=()
    non_repeating_flags=(--watch -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion limits -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion limits -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion limits -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion limits -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_fleet() {
    repeating_flags=()
    non_repeating_flags=(--once -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion fleet -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion fleet -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_export() {
    case "${unparsed_words[0]}" in
    run|status|verify|compact|sql|schedule|forget|--version|-h|--help) ;;
    *)
        # Without a subcommand, 'run' is the default.
        if ((${#unparsed_words[@]} > 1)) || [[ "${unparsed_words[0]}" = -?* ]]; then
            "_clover_export_run"
            return
        fi
        ;;
    esac
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|status|verify|compact|sql|schedule|forget)
        # Offer subcommand argument completions
        "_clover_export_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run status verify compact sql schedule forget attributes authorizations batches cash_events categories credit_refunds credits customers devices discounts employee_cards employees item_groups item_stocks items items_no_revenue_class modifier_groups modifiers opening_hours options order_fees order_types orders payments printers refunds roles shifts system_order_types tag_items tags tax_rates tax_rules tenders tip_suggestions voided_line_items' -- "${cur}"))
        ;;
    esac
}

_clover_export_run() {
    repeating_flags=()
    non_repeating_flags=(--append --export-missing --accept-missing --mark-deleted --summary --full -r --raw-output --no-header --csv-safe --csv-bom --for-reports --names --strict --show-sensitive --no-retry --no-pacing --singer --tag-merchant --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields --expand --with)
    non_repeating_options=(--to --endpoint-url --name --if-running --jitter --since --until --day --day-start --overlap --window --via --jq --from-file --format --money --times --zone --decimal --separator --compress --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --state --profiles --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __clover_add_completions -d
        return
        ;;
    '--endpoint-url')
        return
        ;;
    '--name')
        return
        ;;
    '--if-running')
        __clover_add_completions -W 'skip'$'\n''wait'$'\n''fail'
        return
        ;;
    '--jitter')
        return
        ;;
    '--since')
        return
        ;;
    '--until')
        return
        ;;
    '--day')
        return
        ;;
    '--day-start')
        return
        ;;
    '--overlap')
        return
        ;;
    '--window')
        return
        ;;
    '--via')
        __clover_add_completions -W 'lists'$'\n''export-api'
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export run -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '--expand')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export run -- --expand "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--with')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export run -- --with "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--compress')
        __clover_add_completions -W 'gzip'$'\n''zstd'
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--state')
        __clover_add_completions -f
        return
        ;;
    '--profiles')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export run -- --profiles "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export run -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export run -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export run -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __clover_add_completions -W "$(__clover_custom_complete ---completion export run -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_export_status() {
    repeating_flags=()
    non_repeating_flags=(--forget-missing --prometheus -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--to --fail-if-older-than --jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--to')
        __clover_add_completions -d
        return
        ;;
    '--fail-if-older-than')
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export status -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export status -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_export_verify() {
    repeating_flags=()
    non_repeating_flags=(--repair --service --explain --ignore-foreign -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export verify -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export verify -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -d
        return
        ;;
    esac
}

_clover_export_compact() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export compact -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export compact -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -d
        return
        ;;
    esac
}

_clover_export_sql() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export sql -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export sql -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_export_schedule() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--every --at --print)
    __clover_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--every')
        return
        ;;
    '--at')
        return
        ;;
    '--print')
        __clover_add_completions -W 'cron'$'\n''systemd'$'\n''service'$'\n''timer'
        return
        ;;
    esac
}

_clover_export_forget() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion export forget -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -d
        return
        ;;
    esac
}

_clover_follow() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output --no-header --csv-safe --csv-bom --show-sensitive --no-retry --no-pacing --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--expand --arg --argjson --fields)
    non_repeating_options=(--since --until-idle --interval --overlap --complete-every --jq --from-file --format --money --times --zone --decimal --separator --exec --state --print --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--since')
        return
        ;;
    '--until-idle')
        return
        ;;
    '--expand')
        __clover_add_completions -W "$(__clover_custom_complete ---completion follow -- --expand "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--interval')
        return
        ;;
    '--overlap')
        return
        ;;
    '--complete-every')
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion follow -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '--exec')
        return
        ;;
    '--state')
        __clover_add_completions -f
        return
        ;;
    '--print')
        __clover_add_completions -W 'systemd'
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion follow -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion follow -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion follow -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __clover_add_completions -W "$(__clover_custom_complete ---completion follow -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_report() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --chart --explain --no-retry --no-pacing --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--without --arg --argjson --fields)
    non_repeating_options=(--period --day-start --by --compare --profiles --from --clock --jq --from-file --format --money --times --zone --decimal --separator -o --output --html --receipt --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--period')
        return
        ;;
    '--day-start')
        return
        ;;
    '--by')
        __clover_add_completions -W 'day'$'\n''week'$'\n''month'$'\n''hour'$'\n''employee'$'\n''tender'
        return
        ;;
    '--compare')
        __clover_add_completions -W 'previous'$'\n''last-year'
        return
        ;;
    '--profiles')
        return
        ;;
    '--from')
        __clover_add_completions -f
        return
        ;;
    '--without')
        __clover_add_completions -W 'refunds'$'\n''credits'$'\n''names'
        return
        ;;
    '--clock')
        __clover_add_completions -W 'client'$'\n''server'
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion report -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--html')
        __clover_add_completions -f
        return
        ;;
    '--receipt')
        __clover_add_completions -f
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion report -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion report -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion report -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W 'sales'$'\n''items'$'\n''categories'$'\n''employees'$'\n''tenders'$'\n''taxes'$'\n''tips'$'\n''discounts'$'\n''refunds'$'\n''hours'
        return
        ;;
    esac
}

_clover_reconcile() {
    repeating_flags=()
    non_repeating_flags=(--ecommerce -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --explain --no-retry --no-pacing --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--without --arg --argjson --fields)
    non_repeating_options=(--period --day-start --clock --jq --from-file --format --money --times --zone --decimal --separator -o --output --receipt --max-time --retry --requests-per-second --in-flight --app-requests-per-second --app-in-flight --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--period')
        return
        ;;
    '--day-start')
        return
        ;;
    '--without')
        __clover_add_completions -W 'refunds'$'\n''credits'$'\n''names'
        return
        ;;
    '--clock')
        __clover_add_completions -W 'client'$'\n''server'
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reconcile -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--receipt')
        __clover_add_completions -f
        return
        ;;
    '--max-time')
        return
        ;;
    '--retry')
        return
        ;;
    '--requests-per-second')
        return
        ;;
    '--in-flight')
        return
        ;;
    '--app-requests-per-second')
        return
        ;;
    '--app-in-flight')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reconcile -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reconcile -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reconcile -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge() {
    case "${unparsed_words[0]}" in
    create|list|show|recover|settle|capture|void|refund|tip|increment|receipt|card|square|--version|-h|--help) ;;
    *)
        # Without a subcommand, 'create' is the default.
        if ((${#unparsed_words[@]} > 1)) || [[ "${unparsed_words[0]}" = -?* ]]; then
            "_clover_charge_create"
            return
        fi
        ;;
    esac
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    create|list|show|recover|settle|capture|void|refund|tip|increment|receipt|card|square)
        # Offer subcommand argument completions
        "_clover_charge_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'create list show recover settle capture void refund tip increment receipt card square' -- "${cur}"))
        ;;
    esac
}

_clover_charge_create() {
    repeating_flags=()
    non_repeating_flags=(--save-again --consent --sale --auth --preauth --accept-partial --dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--metadata)
    non_repeating_options=(--amount --minor --currency --tip --tax --source --customer --card --device --device-address --pay-display-pos-id --reader --driver --driver-timeout --client-ip --save-card --timeout --external-id --reference --description --receipt-email --order --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--currency')
        return
        ;;
    '--tip')
        return
        ;;
    '--tax')
        return
        ;;
    '--source')
        return
        ;;
    '--customer')
        return
        ;;
    '--card')
        return
        ;;
    '--device')
        return
        ;;
    '--device-address')
        return
        ;;
    '--pay-display-pos-id')
        return
        ;;
    '--reader')
        return
        ;;
    '--driver')
        return
        ;;
    '--driver-timeout')
        return
        ;;
    '--client-ip')
        return
        ;;
    '--save-card')
        return
        ;;
    '--timeout')
        return
        ;;
    '--external-id')
        return
        ;;
    '--reference')
        return
        ;;
    '--description')
        return
        ;;
    '--receipt-email')
        return
        ;;
    '--metadata')
        return
        ;;
    '--order')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge create -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge create -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge create -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_list() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--limit --state --period --jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--limit')
        return
        ;;
    '--state')
        __clover_add_completions -W 'created'$'\n''sent'$'\n''approved'$'\n''declined'$'\n''cancelled'$'\n''failed'$'\n''unknown'
        return
        ;;
    '--period')
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_show() {
    repeating_flags=()
    non_repeating_flags=(--check -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge show -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge show -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge show -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge show -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge show -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_recover() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--max-time --driver --driver-timeout --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--max-time')
        return
        ;;
    '--driver')
        return
        ;;
    '--driver-timeout')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge recover -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge recover -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge recover -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge recover -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_settle() {
    repeating_flags=()
    non_repeating_flags=(--paid --not-paid --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--payment --amount --minor --by --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--payment')
        return
        ;;
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--by')
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge settle -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge settle -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_capture() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--amount --minor --tip --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--tip')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge capture -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge capture -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge capture -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge capture -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_void() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge void -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge void -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge void -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge void -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_refund() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--amount --minor --reason --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--reason')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge refund -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge refund -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge refund -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge refund -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_tip() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--amount --minor --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge tip -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge tip -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge tip -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge tip -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_increment() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--amount --minor --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge increment -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge increment -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge increment -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge increment -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_receipt() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--email --phone --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--email')
        return
        ;;
    '--phone')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge receipt -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge receipt -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge receipt -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge receipt -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_charge_card() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|replace|revoke)
        # Offer subcommand argument completions
        "_clover_charge_card_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list replace revoke' -- "${cur}"))
        ;;
    esac
}

_clover_charge_card_list() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card list -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card list -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_card_replace() {
    repeating_flags=()
    non_repeating_flags=(--consent --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--card --source --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--card')
        return
        ;;
    '--source')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card replace -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card replace -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card replace -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_card_revoke() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card revoke -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card revoke -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge card revoke -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_square() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    request|response|errors|listen|settle)
        # Offer subcommand argument completions
        "_clover_charge_square_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'request response errors listen settle' -- "${cur}"))
        ;;
    esac
}

_clover_charge_square_request() {
    repeating_flags=()
    non_repeating_flags=(--clear-default-fees --auto-return --disable-keyed-in --skip-receipt --qr --open --no-journal --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--tender)
    non_repeating_options=(--amount --minor --currency --callback-url --client-id --state --notes --location --merchant-id --customer --fallback-url --api-version --sdk --platform --input --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--currency')
        return
        ;;
    '--callback-url')
        return
        ;;
    '--client-id')
        return
        ;;
    '--state')
        return
        ;;
    '--notes')
        return
        ;;
    '--location'|'--merchant-id')
        return
        ;;
    '--customer')
        return
        ;;
    '--tender')
        return
        ;;
    '--fallback-url')
        return
        ;;
    '--api-version')
        return
        ;;
    '--sdk')
        __clover_add_completions -W 'register-2.1'$'\n''pos-3.5.4'
        return
        ;;
    '--platform')
        __clover_add_completions -W 'ios'$'\n''ios-web'$'\n''android-web'
        return
        ;;
    '--input')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge square request -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_square_response() {
    repeating_flags=()
    non_repeating_flags=(--check-marker --no-journal --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--charge --sdk --platform --debug --log-file)
    __clover_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--charge')
        return
        ;;
    '--sdk')
        __clover_add_completions -W 'register-2.1'$'\n''pos-3.5.4'
        return
        ;;
    '--platform')
        __clover_add_completions -W 'ios'$'\n''ios-web'$'\n''android-web'
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge square response -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_square_errors() {
    repeating_flags=()
    non_repeating_flags=(--no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--sdk --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--sdk')
        __clover_add_completions -W 'register-2.1'$'\n''pos-3.5.4'
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge square errors -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_square_listen() {
    repeating_flags=()
    non_repeating_flags=(--check-marker --no-journal --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--state --callback-url --bind --port --path --timeout --sdk --platform --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--state')
        return
        ;;
    '--callback-url')
        return
        ;;
    '--bind')
        return
        ;;
    '--port')
        return
        ;;
    '--path')
        return
        ;;
    '--timeout')
        return
        ;;
    '--sdk')
        __clover_add_completions -W 'register-2.1'$'\n''pos-3.5.4'
        return
        ;;
    '--platform')
        __clover_add_completions -W 'ios'$'\n''ios-web'$'\n''android-web'
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge square listen -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_charge_square_settle() {
    repeating_flags=()
    non_repeating_flags=(--paid --not-paid --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--transaction --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--transaction')
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion charge square settle -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_checkout() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    create|list|wait)
        # Offer subcommand argument completions
        "_clover_checkout_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'create list wait' -- "${cur}"))
        ;;
    esac
}

_clover_checkout_create() {
    repeating_flags=()
    non_repeating_flags=(--qr --open --dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--item --tax)
    non_repeating_options=(--currency --note --success-url --failure-url --page --first-name --last-name --email --phone --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--item')
        return
        ;;
    '--currency')
        return
        ;;
    '--tax')
        return
        ;;
    '--note')
        return
        ;;
    '--success-url')
        return
        ;;
    '--failure-url')
        return
        ;;
    '--page')
        return
        ;;
    '--first-name')
        return
        ;;
    '--last-name')
        return
        ;;
    '--email')
        return
        ;;
    '--phone')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion checkout create -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion checkout create -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion checkout create -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_checkout_list() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--limit --state --jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--limit')
        return
        ;;
    '--state')
        __clover_add_completions -W 'open'$'\n''expired'$'\n''paid'$'\n''paidInPart'$'\n''paidInParts'$'\n''paidTwice'$'\n''givenBack'$'\n''voided'$'\n''held'$'\n''notPaid'$'\n''failed'$'\n''unknown'
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion checkout list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion checkout list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_checkout_wait() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--interval --linger --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--interval')
        return
        ;;
    '--linger')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion checkout wait -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion checkout wait -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion checkout wait -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_plan() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|create|change|delete)
        # Offer subcommand argument completions
        "_clover_plan_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show create change delete' -- "${cur}"))
        ;;
    esac
}

_clover_plan_list() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan list -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan list -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_plan_show() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(-o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan show -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan show -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan show -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_plan_create() {
    repeating_flags=()
    non_repeating_flags=(--another --dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--name --amount --minor --currency --interval --every --note --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--currency')
        return
        ;;
    '--interval')
        __clover_add_completions -W 'day'$'\n''week'$'\n''month'$'\n''year'
        return
        ;;
    '--every')
        return
        ;;
    '--note')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan create -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan create -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan create -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_plan_change() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--name --amount --minor --currency --note --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--currency')
        return
        ;;
    '--note')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan change -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan change -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan change -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_plan_delete() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan delete -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan delete -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion plan delete -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_subscription() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|create|change|cancel)
        # Offer subcommand argument completions
        "_clover_subscription_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show create change cancel' -- "${cur}"))
        ;;
    esac
}

_clover_subscription_list() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--plan --jq --from-file --format --money --times --zone --decimal --separator -o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--plan')
        return
        ;;
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription list -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription list -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_subscription_show() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(-o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription show -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription show -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription show -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_subscription_create() {
    repeating_flags=()
    non_repeating_flags=(--another --dry-run --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--plan --customer --start --end --amount --minor --currency --idempotency-key --max-time --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--plan')
        return
        ;;
    '--customer')
        return
        ;;
    '--start')
        return
        ;;
    '--end')
        return
        ;;
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--currency')
        return
        ;;
    '--idempotency-key')
        return
        ;;
    '--max-time')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription create -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription create -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription create -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_subscription_change() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--end --amount --minor --currency --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--end')
        return
        ;;
    '--amount')
        return
        ;;
    '--minor')
        return
        ;;
    '--currency')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription change -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription change -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription change -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_subscription_cancel() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription cancel -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription cancel -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion subscription cancel -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_webhook() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    listen|parse|verify|list|replay|drop|trigger)
        # Offer subcommand argument completions
        "_clover_webhook_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'listen parse verify list replay drop trigger' -- "${cur}"))
        ;;
    esac
}

_clover_webhook_listen() {
    repeating_flags=()
    non_repeating_flags=(--fetch --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--port --bind --tls-cert --tls-key --forward-to --exec --retry --auth-code-file --secret-file --tolerance --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--port')
        return
        ;;
    '--bind')
        return
        ;;
    '--tls-cert')
        __clover_add_completions -f
        return
        ;;
    '--tls-key')
        __clover_add_completions -f
        return
        ;;
    '--forward-to')
        return
        ;;
    '--exec')
        return
        ;;
    '--retry')
        return
        ;;
    '--auth-code-file')
        __clover_add_completions -f
        return
        ;;
    '--secret-file')
        __clover_add_completions -f
        return
        ;;
    '--tolerance')
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion webhook listen -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_webhook_parse() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(-o --output --debug --log-file)
    __clover_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion webhook parse -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_webhook_verify() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--signature --secret-file --tolerance --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--signature')
        return
        ;;
    '--secret-file')
        __clover_add_completions -f
        return
        ;;
    '--tolerance')
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion webhook verify -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_webhook_list() {
    repeating_flags=()
    non_repeating_flags=(--failed -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion webhook list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion webhook list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_webhook_replay() {
    repeating_flags=()
    non_repeating_flags=(--all --fetch --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--forward-to --exec --retry --auth-code-file --debug --log-file)
    __clover_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--forward-to')
        return
        ;;
    '--exec')
        return
        ;;
    '--retry')
        return
        ;;
    '--auth-code-file')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion webhook replay -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_webhook_drop() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion webhook drop -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_webhook_trigger() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--to --id --merchant --auth-code-file --secret-file --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        return
        ;;
    '--id')
        return
        ;;
    '--merchant')
        return
        ;;
    '--auth-code-file')
        __clover_add_completions -f
        return
        ;;
    '--secret-file')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion webhook trigger -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_config() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    get|set|unset|list|keys|path)
        # Offer subcommand argument completions
        "_clover_config_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'get set unset list keys path' -- "${cur}"))
        ;;
    esac
}

_clover_config_get() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config get -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config get -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config get -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion config get -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_config_set() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config set -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config set -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion config set -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __clover_add_completions -W "$(__clover_custom_complete ---completion config set -- positional@1 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_config_unset() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config unset -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config unset -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion config unset -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_config_list() {
    repeating_flags=()
    non_repeating_flags=(--explain --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(-o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config list -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config list -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_config_keys() {
    repeating_flags=()
    non_repeating_flags=(--no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config keys -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_config_path() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion config path -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    init|migrate|check|move|key)
        # Offer subcommand argument completions
        "_clover_state_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'init migrate check move key' -- "${cur}"))
        ;;
    esac
}

_clover_state_init() {
    repeating_flags=()
    non_repeating_flags=(--keyring --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state init -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state_migrate() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state migrate -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state_check() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state check -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state_move() {
    repeating_flags=()
    non_repeating_flags=(--back --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state move -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state_key() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|create|rotate|move|remove)
        # Offer subcommand argument completions
        "_clover_state_key_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show create rotate move remove' -- "${cur}"))
        ;;
    esac
}

_clover_state_key_show() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state key show -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state_key_create() {
    repeating_flags=()
    non_repeating_flags=(--forget-sign-ins --keyring --file --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state key create -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state_key_rotate() {
    repeating_flags=()
    non_repeating_flags=(--prepare --keyring --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state key rotate -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state_key_move() {
    repeating_flags=()
    non_repeating_flags=(--back --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state key move -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_state_key_remove() {
    repeating_flags=()
    non_repeating_flags=(--force --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion state key remove -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_reader() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    scan|list|connect|watch|disconnect|forget|driver-check)
        # Offer subcommand argument completions
        "_clover_reader_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'scan list connect watch disconnect forget driver-check' -- "${cur}"))
        ;;
    esac
}

_clover_reader_scan() {
    repeating_flags=()
    non_repeating_flags=(--first --all-devices --updates --power-on --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--name --id)
    non_repeating_options=(--timeout --count --min-rssi --transport -o --output --driver --driver-timeout --adapter --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--timeout')
        return
        ;;
    '--count')
        return
        ;;
    '--name')
        return
        ;;
    '--id')
        return
        ;;
    '--min-rssi')
        return
        ;;
    '--transport')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--driver')
        return
        ;;
    '--driver-timeout')
        return
        ;;
    '--adapter')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader scan -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader scan -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader scan -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_reader_list() {
    repeating_flags=()
    non_repeating_flags=(--last -r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_reader_connect() {
    repeating_flags=()
    non_repeating_flags=(--follow --power-on --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--transport --timeout --driver --driver-timeout --adapter --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--transport')
        __clover_add_completions -W 'ble'$'\n''cloud'$'\n''driver'
        return
        ;;
    '--timeout')
        return
        ;;
    '--driver')
        return
        ;;
    '--driver-timeout')
        return
        ;;
    '--adapter')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader connect -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader connect -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader connect -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader connect -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_reader_watch() {
    repeating_flags=()
    non_repeating_flags=(--power-on --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--driver --driver-timeout --adapter --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--driver')
        return
        ;;
    '--driver-timeout')
        return
        ;;
    '--adapter')
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader watch -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_reader_disconnect() {
    repeating_flags=()
    non_repeating_flags=(--power-on --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--driver --driver-timeout --adapter --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--driver')
        return
        ;;
    '--driver-timeout')
        return
        ;;
    '--adapter')
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader disconnect -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader disconnect -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_reader_forget() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader forget -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader forget -- positional@0 "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_clover_reader_driver-check() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--driver-timeout --debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--driver-timeout')
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion reader driver-check -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_emulator() {
    if ((${#unparsed_words[@]} > 1)); then
        COMPREPLY+=($(compgen -W "$("${COMP_WORDS[0]}" help emulator "${unparsed_words[0]}" 2>/dev/null | sed -nE 's/^  (-[a-z], )?(--[a-z-]+).*/\2/p')" -- "${cur}"))
    else
        COMPREPLY+=($(compgen -W 'demo reader-driver serve' -- "${cur}"))
    fi
    return
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options -1
}

_clover_doctor() {
    repeating_flags=()
    non_repeating_flags=(--offline --fix --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--skip)
    non_repeating_options=(-o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--skip')
        __clover_add_completions -W "$(__clover_custom_complete ---completion doctor -- --skip "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion doctor -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion doctor -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion doctor -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_whoami() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion whoami -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion whoami -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion whoami -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion whoami -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_open() {
    repeating_flags=()
    non_repeating_flags=(--print --quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --merchant --environment --cacert --debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion open -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion open -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion open -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W 'dashboard'$'\n''orders'$'\n''docs'
        return
        ;;
    esac
}

_clover_alias() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __clover_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    set|list|delete)
        # Offer subcommand argument completions
        "_clover_alias_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'set list delete' -- "${cur}"))
        ;;
    esac
}

_clover_alias_set() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion alias set -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_alias_list() {
    repeating_flags=()
    non_repeating_flags=(-r --raw-output -j --join-output -c --compact-output --slurp -e --exit-status --no-header --csv-safe --csv-bom --no-pager --quiet -q --verbose -v --json --version -h --help)
    repeating_options=(--arg --argjson --fields)
    non_repeating_options=(--jq --from-file --format --money --times --zone --decimal --separator -o --output --debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jq')
        return
        ;;
    '--from-file')
        __clover_add_completions -f
        return
        ;;
    '--arg')
        return
        ;;
    '--argjson')
        return
        ;;
    '--format')
        __clover_add_completions -W 'ndjson'$'\n''json'$'\n''csv'$'\n''tsv'$'\n''table'
        return
        ;;
    '--fields')
        __clover_add_completions -W "$(__clover_custom_complete ---completion alias list -- --fields "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--money')
        __clover_add_completions -W 'minor'$'\n''major'
        return
        ;;
    '--times')
        __clover_add_completions -W 'sent'$'\n''iso'
        return
        ;;
    '--zone')
        return
        ;;
    '--decimal')
        __clover_add_completions -W 'point'$'\n''comma'
        return
        ;;
    '--separator')
        return
        ;;
    '-o'|'--output')
        __clover_add_completions -f
        return
        ;;
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion alias list -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_alias_delete() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion alias delete -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_version() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion version -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_completion() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --verbose -v --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--debug --log-file)
    __clover_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--debug')
        __clover_add_completions -W "$(__clover_custom_complete ---completion completion -- --debug "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __clover_add_completions -W 'bash'$'\n''zsh'$'\n''fish'
        return
        ;;
    esac
}

_clover_mcp() {
    repeating_flags=()
    non_repeating_flags=(--allow-writes --version -h --help)
    repeating_options=()
    non_repeating_options=(--max-result-bytes --profile --merchant --environment --cacert --log-file)
    __clover_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--max-result-bytes')
        return
        ;;
    '--profile')
        __clover_add_completions -W "$(__clover_custom_complete ---completion mcp -- --profile "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--merchant')
        return
        ;;
    '--environment')
        __clover_add_completions -W "$(__clover_custom_complete ---completion mcp -- --environment "${COMP_CWORD}" "$(__clover_cursor_index_in_current_word)")"
        return
        ;;
    '--cacert')
        __clover_add_completions -f
        return
        ;;
    '--log-file')
        __clover_add_completions -f
        return
        ;;
    esac
}

_clover_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    if ((${#unparsed_words[@]} <= 1)); then
        COMPREPLY+=($(compgen -W 'auth get post put delete api endpoints schema limits fleet export follow report reconcile charge checkout plan subscription webhook config state reader emulator doctor whoami open alias version completion mcp exit-codes environment filters jq reports cron' -- "${cur}"))
    elif ((${#unparsed_words[@]} == 2)); then
        case "${unparsed_words[0]}" in
        auth) COMPREPLY+=($(compgen -W 'login receive status token refresh logout list switch watch migrate import' -- "${cur}")) ;;
        export) COMPREPLY+=($(compgen -W 'run status verify compact sql schedule forget' -- "${cur}")) ;;
        charge) COMPREPLY+=($(compgen -W 'create list show recover settle capture void refund tip increment receipt card square' -- "${cur}")) ;;
        checkout) COMPREPLY+=($(compgen -W 'create list wait' -- "${cur}")) ;;
        plan) COMPREPLY+=($(compgen -W 'list show create change delete' -- "${cur}")) ;;
        subscription) COMPREPLY+=($(compgen -W 'list show create change cancel' -- "${cur}")) ;;
        webhook) COMPREPLY+=($(compgen -W 'listen parse verify list replay drop trigger' -- "${cur}")) ;;
        config) COMPREPLY+=($(compgen -W 'get set unset list keys path' -- "${cur}")) ;;
        state) COMPREPLY+=($(compgen -W 'init migrate check move key' -- "${cur}")) ;;
        reader) COMPREPLY+=($(compgen -W 'scan list connect watch disconnect forget driver-check' -- "${cur}")) ;;
        alias) COMPREPLY+=($(compgen -W 'set list delete' -- "${cur}")) ;;
        emulator) COMPREPLY+=($(compgen -W 'demo reader-driver serve' -- "${cur}")) ;;
        esac
    fi
    __clover_offer_flags_options -1
}

complete -o filenames -F _clover clover
