function __clover_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __clover_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __clover_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __clover_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __clover_parse_tokens -S
    set -l unparsed_tokens (__clover_tokens -pc)
    switch $unparsed_tokens[1]
    case 'clover'
        __clover_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'auth'
            __clover_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'login'
                __clover_parse_subcommand 0 'app-id=' 'app-secret-file=' 'keyring' 'no-browser' 'paste' 'with-token' 'callback-port=' 'redirect-uri=' 'timeout=' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'receive'
                __clover_parse_subcommand 0 'app-id=' 'app-secret-file=' 'keyring' 'code-verifier-file=' 'state=' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'status'
                __clover_parse_subcommand 0 'check' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'token'
                __clover_parse_subcommand 0 'header' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'refresh'
                __clover_parse_subcommand 0 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'logout'
                __clover_parse_subcommand 0 'all' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'list'
                __clover_parse_subcommand 0 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'switch'
                __clover_parse_subcommand 1 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'watch'
                __clover_parse_subcommand 0 'exec=' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            case 'migrate'
                __clover_parse_subcommand 0 'app-id=' 'app-secret-file=' 'keyring' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
            end
        case 'get'
            __clover_parse_subcommand 2 'filter=+' 'expand=+' 'sort=+' 'param=+' 'limit=' 'all' 'offset=' 'no-check' 'no-complete' 'jq=' 'from-file=' 'r/raw-output' 'j/join-output' 'c/compact-output' 'slurp' 'e/exit-status' 'arg=+' 'argjson=+' 'format=' 'fields=+' 'money=' 'times=' 'zone=' 'no-header' 'csv-safe' 'receipt=' 'show-sensitive' 'validate' 'max-time=' 'retry=' 'no-retry' 'requests-per-second=' 'in-flight=' 'no-pacing' 'profile=' 'merchant=' 'environment=' 'cacert=' 'curl' 'explain' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
        case 'post'
            __clover_parse_subcommand 2 'F/field=+' 'f/raw-field=+' 'input=' 'each' 'resume-from=' 'expand=+' 'param=+' 'header=+' 'no-check' 'dry-run' 'jq=' 'from-file=' 'r/raw-output' 'j/join-output' 'c/compact-output' 'slurp' 'e/exit-status' 'arg=+' 'argjson=+' 'format=' 'fields=+' 'money=' 'times=' 'zone=' 'no-header' 'csv-safe' 'show-sensitive' 'curl' 'max-time=' 'retry=' 'no-retry' 'requests-per-second=' 'in-flight=' 'no-pacing' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
        case 'put'
            __clover_parse_subcommand 2 'F/field=+' 'f/raw-field=+' 'input=' 'each' 'resume-from=' 'expand=+' 'param=+' 'header=+' 'no-check' 'dry-run' 'jq=' 'from-file=' 'r/raw-output' 'j/join-output' 'c/compact-output' 'slurp' 'e/exit-status' 'arg=+' 'argjson=+' 'format=' 'fields=+' 'money=' 'times=' 'zone=' 'no-header' 'csv-safe' 'show-sensitive' 'curl' 'max-time=' 'retry=' 'no-retry' 'requests-per-second=' 'in-flight=' 'no-pacing' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
        case 'delete'
            __clover_parse_subcommand 2 'input=' 'each' 'resume-from=' 'expand=+' 'param=+' 'header=+' 'no-check' 'dry-run' 'y/yes' 'jq=' 'from-file=' 'r/raw-output' 'j/join-output' 'c/compact-output' 'slurp' 'e/exit-status' 'arg=+' 'argjson=+' 'format=' 'fields=+' 'money=' 'times=' 'zone=' 'no-header' 'csv-safe' 'show-sensitive' 'curl' 'max-time=' 'retry=' 'no-retry' 'requests-per-second=' 'in-flight=' 'no-pacing' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
        case 'endpoints'
            __clover_parse_subcommand 1 'method=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
        case 'schema'
            __clover_parse_subcommand 1 'json-schema' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
        case 'limits'
            __clover_parse_subcommand 0 'watch' 'profile=' 'merchant=' 'environment=' 'cacert=' 'q/quiet' 'v/verbose' 'json' 'debug=' 'version' 'h/help'
        case 'emulator'
            __clover_parse_subcommand -r 1 'version' 'h/help'
        case 'help'
            __clover_parse_subcommand -r 1 'version'
        end
    end
end

function __clover_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __clover_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __clover_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __clover_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__clover_tokens -p)
    if test -z "$(__clover_tokens -t)"
        set -l index (count (__clover_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'clover' -f
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'auth' -d 'Sign in, see who is signed in, sign out'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'get' -d 'Read records of a merchant, one JSON object a line'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'post' -d 'Create or change a record of a merchant'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'put' -d 'Replace a record, on the few paths that take PUT'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'delete' -d 'Delete records of a merchant'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'endpoints' -d 'List what Clover\'s API offers, or explain one path of it'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'schema' -d 'Show the models of Clover\'s API: fields, types, units'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'limits' -d 'Show the shared budget of requests, who holds it and who waits'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'emulator' -d 'Run a local Clover to try things out, without an account or a network'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'login' -d 'Sign in with a browser, or keep a token that was made elsewhere'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'receive' -d 'Sign in with a code that was obtained elsewhere'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'status' -d 'Say who is signed in'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'token' -d 'Print a valid access token for another program'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'refresh' -d 'Renew the tokens now'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'logout' -d 'Forget tokens on this machine'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'list' -d 'List every sign-in on this machine'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'switch' -d 'Choose the sign-in that commands use'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'watch' -d 'Report when tokens change'
complete -c 'clover' -n '__clover_should_offer_completions_for_positional "clover auth" -eq 1' -fa 'migrate' -d 'Turn a legacy token into tokens that can be renewed'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" app-id' -l 'app-id' -d 'The app\'s id from Clover\'s developer dashboard (CLOVER_APP_ID).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" app-secret-file' -l 'app-secret-file' -d 'Prove the app by its secret from this file, - for standard input (CLOVER_APP_SECRET holds it too); without one, by PKCE.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" keyring' -l 'keyring' -d 'Keep the tokens in the desktop\'s keyring instead of a private file.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" no-browser' -l 'no-browser' -d 'Print the address instead of opening the browser.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" paste' -l 'paste' -d 'Print the address, and read the one that the browser is sent to from standard input.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" with-token' -l 'with-token' -d 'Keep a token from standard input; the service is not asked about it.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" callback-port' -l 'callback-port' -d 'Listen on this port of 127.0.0.1 (CLOVER_CALLBACK_PORT; default: 8976).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" redirect-uri' -l 'redirect-uri' -d 'Where the browser is sent, with --paste; default: the listener\'s address.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" timeout' -l 'timeout' -d 'Give up waiting for the browser after so long (default: 5m).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth login" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" app-id' -l 'app-id' -d 'The app\'s id from Clover\'s developer dashboard (CLOVER_APP_ID).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" app-secret-file' -l 'app-secret-file' -d 'Prove the app by its secret from this file, - for standard input (CLOVER_APP_SECRET holds it too); without one, by PKCE.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" keyring' -l 'keyring' -d 'Keep the tokens in the desktop\'s keyring instead of a private file.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" code-verifier-file' -l 'code-verifier-file' -d 'The PKCE verifier that goes with the code.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" state' -l 'state' -d 'Refuse an address whose state is another; without it any is taken.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth receive" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" check' -l 'check' -d 'Ask the service whether it accepts the token, and what it may read.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" header' -l 'header' -d 'Print the header field of a request: Authorization: Bearer TOKEN.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth token" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth refresh" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" all' -l 'all' -d 'Forget every sign-in on this machine.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth logout" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth switch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" exec' -l 'exec' -d 'Run this shell command for each event.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" app-id' -l 'app-id' -d 'The app\'s id from Clover\'s developer dashboard (CLOVER_APP_ID).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" app-secret-file' -l 'app-secret-file' -d 'Prove the app by its secret from this file, - for standard input (CLOVER_APP_SECRET holds it too); without one, by PKCE.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" keyring' -l 'keyring' -d 'Keep the tokens in the desktop\'s keyring instead of a private file.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover auth migrate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get"' -l 'filter' -d 'Only records that match; repeat it, and all must match.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get"' -l 'expand' -d 'Include nested objects, separated by commas.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get"' -l 'sort' -d 'Order by a field: total, total:desc.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get"' -l 'param' -d 'Pass a query parameter on as it is.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" limit' -l 'limit' -d 'At most so many records in all (default: 100).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" all' -l 'all' -d 'Every record there is.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" offset' -l 'offset' -d 'Skip so many records.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" no-check' -l 'no-check' -d 'Send paths and names that the catalogue does not know.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" no-complete' -l 'no-complete' -d 'Send one request and print the service\'s answer as it is: one page, cut lists, 90 days at most.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" jq' -l 'jq' -d 'Run this jq program on every record.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" from-file' -l 'from-file' -d 'Read the jq program from a file.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" r raw-output' -s 'r' -l 'raw-output' -d 'Print strings as they are, without quotes.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" j join-output' -s 'j' -l 'join-output' -d 'As --raw-output, and without a line break after each result.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" c compact-output' -s 'c' -l 'compact-output' -d 'Accepted as in jq: results are always one line each.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" slurp' -l 'slurp' -d 'Collect all records into one array first; memory grows with it.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" e exit-status' -s 'e' -l 'exit-status' -d 'End with 1 when the last result is false or null, with 4 when there is none, as jq does.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get"' -l 'arg' -d 'Set $name to a string: --arg NAME VALUE.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get"' -l 'argjson' -d 'Set $name to a JSON value: --argjson NAME JSON.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" format' -l 'format' -d 'How to print records (CLOVER_FORMAT); by default ndjson, and a table on a terminal.' -rfka 'ndjson json csv tsv table'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get"' -l 'fields' -d 'Print only these fields, in this order: id,employee.id,lineItems.elements.length.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" money' -l 'money' -d 'Amounts of the chosen fields as sent (minor), or with the currency\'s decimals (major).' -rfka 'minor major'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" times' -l 'times' -d 'Times of the chosen fields as sent, or in ISO 8601.' -rfka 'sent iso'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" zone' -l 'zone' -d 'Time zone of times: merchant (the default of a table), UTC (that of other formats) or a name such as Europe/Berlin.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" no-header' -l 'no-header' -d 'Leave out the line with the names of the columns.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" csv-safe' -l 'csv-safe' -d 'Put an apostrophe before text that a spreadsheet would calculate as a formula.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" receipt' -l 'receipt' -d 'Write at the end, as one JSON object, what was delivered and whether it is all; - is standard error.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" show-sensitive' -l 'show-sensitive' -d 'Print PINs, bank and card numbers, tokens and secrets, which are masked otherwise (CLOVER_SHOW_SENSITIVE=1).'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" validate' -l 'validate' -d 'Say on standard error where records stray from their model (\'clover schema\'); they are printed all the same.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" max-time' -l 'max-time' -d 'Give up after so long: 30, 90s, 5m (CLOVER_MAX_TIME).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" retry' -l 'retry' -d 'Send a failed request again so often at most (default: 5).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" no-retry' -l 'no-retry' -d 'Send nothing twice; the same as --retry 0.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" requests-per-second' -l 'requests-per-second' -d 'Send so many requests in any second at most (default: 16).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" in-flight' -l 'in-flight' -d 'Have so many requests under way at most (default: 5).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" no-pacing' -l 'no-pacing' -d 'Send without regard to limits and to other processes: for an emulator of your own.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" curl' -l 'curl' -d 'Print the first request as a command for sh and curl, which takes the token from CLOVER_ACCESS_TOKEN (\'clover auth token\' has it); send nothing.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" explain' -l 'explain' -d 'Say how many calls it takes and how long at the present budget; send nothing.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post"' -s 'F' -l 'field' -d 'Set a field: price=1250, employee.id=X, ids[]=X; @FILE reads the value from a file, @- from standard input.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post"' -s 'f' -l 'raw-field' -d 'Set a field to a string, however it looks.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" input' -l 'input' -d 'Read the body from this file, - for standard input.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" each' -l 'each' -d 'Send a request for every line of standard input, or of --input; {name} in PATH is filled from it.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" resume-from' -l 'resume-from' -d 'With --each, begin with this line, from 1.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post"' -l 'expand' -d 'Include nested objects in the answer, separated by commas.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post"' -l 'param' -d 'Pass a query parameter on as it is.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post"' -l 'header' -d 'Send a header field that an operation wants: \'X-Clover-Account-Id: EMPLOYEE\'.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" no-check' -l 'no-check' -d 'Send paths, fields and values that the catalogue does not know.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" dry-run' -l 'dry-run' -d 'Print the request, and send nothing.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" jq' -l 'jq' -d 'Run this jq program on every record.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" from-file' -l 'from-file' -d 'Read the jq program from a file.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" r raw-output' -s 'r' -l 'raw-output' -d 'Print strings as they are, without quotes.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" j join-output' -s 'j' -l 'join-output' -d 'As --raw-output, and without a line break after each result.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" c compact-output' -s 'c' -l 'compact-output' -d 'Accepted as in jq: results are always one line each.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" slurp' -l 'slurp' -d 'Collect all records into one array first; memory grows with it.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" e exit-status' -s 'e' -l 'exit-status' -d 'End with 1 when the last result is false or null, with 4 when there is none, as jq does.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post"' -l 'arg' -d 'Set $name to a string: --arg NAME VALUE.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post"' -l 'argjson' -d 'Set $name to a JSON value: --argjson NAME JSON.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" format' -l 'format' -d 'How to print records (CLOVER_FORMAT); by default ndjson, and a table on a terminal.' -rfka 'ndjson json csv tsv table'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post"' -l 'fields' -d 'Print only these fields, in this order: id,employee.id,lineItems.elements.length.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" money' -l 'money' -d 'Amounts of the chosen fields as sent (minor), or with the currency\'s decimals (major).' -rfka 'minor major'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" times' -l 'times' -d 'Times of the chosen fields as sent, or in ISO 8601.' -rfka 'sent iso'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" zone' -l 'zone' -d 'Time zone of times: merchant (the default of a table), UTC (that of other formats) or a name such as Europe/Berlin.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" no-header' -l 'no-header' -d 'Leave out the line with the names of the columns.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" csv-safe' -l 'csv-safe' -d 'Put an apostrophe before text that a spreadsheet would calculate as a formula.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" show-sensitive' -l 'show-sensitive' -d 'Print PINs, bank and card numbers, tokens and secrets, which are masked otherwise (CLOVER_SHOW_SENSITIVE=1).'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" curl' -l 'curl' -d 'Print the first request as a command for sh and curl, which takes the token from CLOVER_ACCESS_TOKEN (\'clover auth token\' has it); send nothing.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" max-time' -l 'max-time' -d 'Give up after so long: 30, 90s, 5m (CLOVER_MAX_TIME).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" retry' -l 'retry' -d 'Send a failed request again so often at most (default: 5).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" no-retry' -l 'no-retry' -d 'Send nothing twice; the same as --retry 0.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" requests-per-second' -l 'requests-per-second' -d 'Send so many requests in any second at most (default: 16).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" in-flight' -l 'in-flight' -d 'Have so many requests under way at most (default: 5).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" no-pacing' -l 'no-pacing' -d 'Send without regard to limits and to other processes: for an emulator of your own.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover post" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put"' -s 'F' -l 'field' -d 'Set a field: price=1250, employee.id=X, ids[]=X; @FILE reads the value from a file, @- from standard input.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put"' -s 'f' -l 'raw-field' -d 'Set a field to a string, however it looks.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" input' -l 'input' -d 'Read the body from this file, - for standard input.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" each' -l 'each' -d 'Send a request for every line of standard input, or of --input; {name} in PATH is filled from it.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" resume-from' -l 'resume-from' -d 'With --each, begin with this line, from 1.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put"' -l 'expand' -d 'Include nested objects in the answer, separated by commas.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put"' -l 'param' -d 'Pass a query parameter on as it is.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put"' -l 'header' -d 'Send a header field that an operation wants: \'X-Clover-Account-Id: EMPLOYEE\'.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" no-check' -l 'no-check' -d 'Send paths, fields and values that the catalogue does not know.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" dry-run' -l 'dry-run' -d 'Print the request, and send nothing.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" jq' -l 'jq' -d 'Run this jq program on every record.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" from-file' -l 'from-file' -d 'Read the jq program from a file.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" r raw-output' -s 'r' -l 'raw-output' -d 'Print strings as they are, without quotes.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" j join-output' -s 'j' -l 'join-output' -d 'As --raw-output, and without a line break after each result.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" c compact-output' -s 'c' -l 'compact-output' -d 'Accepted as in jq: results are always one line each.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" slurp' -l 'slurp' -d 'Collect all records into one array first; memory grows with it.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" e exit-status' -s 'e' -l 'exit-status' -d 'End with 1 when the last result is false or null, with 4 when there is none, as jq does.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put"' -l 'arg' -d 'Set $name to a string: --arg NAME VALUE.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put"' -l 'argjson' -d 'Set $name to a JSON value: --argjson NAME JSON.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" format' -l 'format' -d 'How to print records (CLOVER_FORMAT); by default ndjson, and a table on a terminal.' -rfka 'ndjson json csv tsv table'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put"' -l 'fields' -d 'Print only these fields, in this order: id,employee.id,lineItems.elements.length.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" money' -l 'money' -d 'Amounts of the chosen fields as sent (minor), or with the currency\'s decimals (major).' -rfka 'minor major'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" times' -l 'times' -d 'Times of the chosen fields as sent, or in ISO 8601.' -rfka 'sent iso'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" zone' -l 'zone' -d 'Time zone of times: merchant (the default of a table), UTC (that of other formats) or a name such as Europe/Berlin.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" no-header' -l 'no-header' -d 'Leave out the line with the names of the columns.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" csv-safe' -l 'csv-safe' -d 'Put an apostrophe before text that a spreadsheet would calculate as a formula.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" show-sensitive' -l 'show-sensitive' -d 'Print PINs, bank and card numbers, tokens and secrets, which are masked otherwise (CLOVER_SHOW_SENSITIVE=1).'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" curl' -l 'curl' -d 'Print the first request as a command for sh and curl, which takes the token from CLOVER_ACCESS_TOKEN (\'clover auth token\' has it); send nothing.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" max-time' -l 'max-time' -d 'Give up after so long: 30, 90s, 5m (CLOVER_MAX_TIME).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" retry' -l 'retry' -d 'Send a failed request again so often at most (default: 5).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" no-retry' -l 'no-retry' -d 'Send nothing twice; the same as --retry 0.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" requests-per-second' -l 'requests-per-second' -d 'Send so many requests in any second at most (default: 16).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" in-flight' -l 'in-flight' -d 'Have so many requests under way at most (default: 5).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" no-pacing' -l 'no-pacing' -d 'Send without regard to limits and to other processes: for an emulator of your own.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover put" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" input' -l 'input' -d 'Read the body from this file, - for standard input.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" each' -l 'each' -d 'Send a request for every line of standard input, or of --input; {name} in PATH is filled from it.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" resume-from' -l 'resume-from' -d 'With --each, begin with this line, from 1.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete"' -l 'expand' -d 'Include nested objects in the answer, separated by commas.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete"' -l 'param' -d 'Pass a query parameter on as it is.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete"' -l 'header' -d 'Send a header field that an operation wants: \'X-Clover-Account-Id: EMPLOYEE\'.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" no-check' -l 'no-check' -d 'Send paths, fields and values that the catalogue does not know.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" dry-run' -l 'dry-run' -d 'Print the request, and send nothing.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" y yes' -s 'y' -l 'yes' -d 'Delete without asking.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" jq' -l 'jq' -d 'Run this jq program on every record.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" from-file' -l 'from-file' -d 'Read the jq program from a file.' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" r raw-output' -s 'r' -l 'raw-output' -d 'Print strings as they are, without quotes.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" j join-output' -s 'j' -l 'join-output' -d 'As --raw-output, and without a line break after each result.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" c compact-output' -s 'c' -l 'compact-output' -d 'Accepted as in jq: results are always one line each.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" slurp' -l 'slurp' -d 'Collect all records into one array first; memory grows with it.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" e exit-status' -s 'e' -l 'exit-status' -d 'End with 1 when the last result is false or null, with 4 when there is none, as jq does.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete"' -l 'arg' -d 'Set $name to a string: --arg NAME VALUE.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete"' -l 'argjson' -d 'Set $name to a JSON value: --argjson NAME JSON.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" format' -l 'format' -d 'How to print records (CLOVER_FORMAT); by default ndjson, and a table on a terminal.' -rfka 'ndjson json csv tsv table'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete"' -l 'fields' -d 'Print only these fields, in this order: id,employee.id,lineItems.elements.length.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" money' -l 'money' -d 'Amounts of the chosen fields as sent (minor), or with the currency\'s decimals (major).' -rfka 'minor major'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" times' -l 'times' -d 'Times of the chosen fields as sent, or in ISO 8601.' -rfka 'sent iso'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" zone' -l 'zone' -d 'Time zone of times: merchant (the default of a table), UTC (that of other formats) or a name such as Europe/Berlin.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" no-header' -l 'no-header' -d 'Leave out the line with the names of the columns.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" csv-safe' -l 'csv-safe' -d 'Put an apostrophe before text that a spreadsheet would calculate as a formula.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" show-sensitive' -l 'show-sensitive' -d 'Print PINs, bank and card numbers, tokens and secrets, which are masked otherwise (CLOVER_SHOW_SENSITIVE=1).'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" curl' -l 'curl' -d 'Print the first request as a command for sh and curl, which takes the token from CLOVER_ACCESS_TOKEN (\'clover auth token\' has it); send nothing.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" max-time' -l 'max-time' -d 'Give up after so long: 30, 90s, 5m (CLOVER_MAX_TIME).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" retry' -l 'retry' -d 'Send a failed request again so often at most (default: 5).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" no-retry' -l 'no-retry' -d 'Send nothing twice; the same as --retry 0.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" requests-per-second' -l 'requests-per-second' -d 'Send so many requests in any second at most (default: 16).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" in-flight' -l 'in-flight' -d 'Have so many requests under way at most (default: 5).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" no-pacing' -l 'no-pacing' -d 'Send without regard to limits and to other processes: for an emulator of your own.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover delete" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover endpoints" method' -l 'method' -d 'Only operations with this method.' -rfka 'GET POST PUT DELETE'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover endpoints" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover endpoints" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover endpoints" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover endpoints" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover endpoints" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover endpoints" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover schema" json-schema' -l 'json-schema' -d 'Print the model as a JSON Schema (draft 2020-12), with the models that it holds.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover schema" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover schema" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover schema" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover schema" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover schema" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover schema" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" watch' -l 'watch' -d 'Show it again every second, until stopped.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" profile' -l 'profile' -d 'The name of a sign-in (CLOVER_PROFILE); \'clover auth list\' has them.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" merchant' -l 'merchant' -d 'The merchant\'s id (CLOVER_MERCHANT).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" environment' -l 'environment' -d 'sandbox, us, eu, la, or a service\'s address (CLOVER_ENVIRONMENT); us for a new sign-in.' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" cacert' -l 'cacert' -d 'Trust the authorities in this PEM file (CLOVER_CA_BUNDLE).' -rF
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" v verbose' -l 'verbose' -s 'v' -d 'Say what happens on the way: retries, waits, counts.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" json' -l 'json' -d 'JSON on standard output, also on a terminal, and errors as one JSON line.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" debug' -l 'debug' -d 'Show on standard error, without secrets, what goes on: request, headers, body, response, timing, pacing, cache, or all; separated by commas (CLOVER_DEBUG).' -rfka ''
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover limits" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover emulator" version' -l 'version' -d 'Show the version.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover emulator" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover' -n '__clover_should_offer_completions_for_flags_or_options "clover help" version' -l 'version' -d 'Show the version.'
