function __clover-emulator_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __clover-emulator_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __clover-emulator_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __clover-emulator_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __clover-emulator_parse_tokens -S
    set -l unparsed_tokens (__clover-emulator_tokens -pc)
    switch $unparsed_tokens[1]
    case 'clover-emulator'
        __clover-emulator_parse_subcommand 0 'h/help'
        switch $unparsed_tokens[1]
        case 'serve'
            __clover-emulator_parse_subcommand 0 'port=' 'seed=' 'orders=' 'days=' 'now=' 'merchant-since=' 'latency=' 'fault=+' 'state=' 'log' 'until-input-ends' 'no-limits' 'requests-per-second=' 'in-flight=' 'app-requests-per-second=' 'app-in-flight=' 'apps=' 'merchants=' 'drift=' 'churn=' 'short-page=' 'missing=+' 'clamp=' 'card=' 'card-time=' 'authorization-time=' 'slow-card-time=' 'void-window=' 'checkout-life=' 'export-hours=' 'export-now=' 'export-time=' 'export-life=' 'export-slots=' 'fail-exports=' 'webhook-url=' 'webhook-auth-code=' 'webhook-signing-secret=' 'webhook-bundle=' 'webhook-delay=' 'access-token-life=' 'refresh-token-life=' 'code-life=' 'refresh-token-cap=' 'clock-skew=' 'oauth-latency=' 'oauth-answer-delay=' 'oauth-fault=+' 'without-permission=+' 'site-url=+' 'auto-approve' 'h/help'
        case 'reader-driver'
            __clover-emulator_parse_subcommand 0 'seed=' 'readers=' 'pace=' 'fault=+' 'script=' 'card=+' 'state=' 'h/help'
        case 'help'
            __clover-emulator_parse_subcommand -r 1 
        end
    end
end

function __clover-emulator_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __clover-emulator_parse_subcommand -S -a positional_count
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

function __clover-emulator_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __clover-emulator_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__clover-emulator_tokens -p)
    if test -z "$(__clover-emulator_tokens -t)"
        set -l index (count (__clover-emulator_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'clover-emulator' -f
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_positional "clover-emulator" -eq 1' -fa 'serve' -d 'Serve a fictitious coffee shop until interrupted'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_positional "clover-emulator" -eq 1' -fa 'reader-driver' -d 'Emulate a driver of Clover Go card readers'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_positional "clover-emulator" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" port' -l 'port' -d 'Port on 127.0.0.1; 0 selects a free port.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" seed' -l 'seed' -d 'Seed that the shop, its secrets and the faults are generated from.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" orders' -l 'orders' -d 'Number of orders in the shop\'s history.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" days' -l 'days' -d 'Days of that history, up to twenty years (default: one per 45 orders, at most four years).' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" now' -l 'now' -d 'End of the shop\'s history: an ISO 8601 time, or \'clock\' for the start time of the emulator.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" merchant-since' -l 'merchant-since' -d 'The merchant\'s createdTime: an ISO 8601 time (default: before all records).' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" latency' -l 'latency' -d 'Delay before each response, such as 50ms or 1.5s.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'fault' -d 'Inject a fault into responses; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" state' -l 'state' -d 'File that stores writes and is loaded at start.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" log' -l 'log' -d 'Write a line for each request to standard error.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" until-input-ends' -l 'until-input-ends' -d 'Stop when standard input ends, such as a pipe from the program that uses the emulator.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" no-limits' -l 'no-limits' -d 'Count requests without refusing any.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" requests-per-second' -l 'requests-per-second' -d 'Maximum requests per second of a token.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" in-flight' -l 'in-flight' -d 'Maximum concurrent requests of a token.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" app-requests-per-second' -l 'app-requests-per-second' -d 'Maximum requests per second of an app with all its tokens.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" app-in-flight' -l 'app-in-flight' -d 'Maximum concurrent requests of an app with all its tokens.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" apps' -l 'apps' -d 'Number of apps that merchants can sign in to, each with separate limits.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" merchants' -l 'merchants' -d 'Number of merchants: the same shop under different ids.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" drift' -l 'drift' -d 'Insert one row and delete one after this number of requests for a list.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" churn' -l 'churn' -d 'Number of spontaneous changes of the shop per second.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" short-page' -l 'short-page' -d 'Probability, from 0 to 1, that a page in the middle of a list is shorter than requested.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'missing' -d 'Return 500 for this record, which stays in its lists; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" clamp' -l 'clamp' -d 'Maximum page size; larger limits are silently clamped.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" card' -l 'card' -d 'Behaviour of the card presented to a device.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" card-time' -l 'card-time' -d 'Time until a card is presented to a device; until then a payment can be cancelled.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" authorization-time' -l 'authorization-time' -d 'Time that the card issuer takes to decide.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" slow-card-time' -l 'slow-card-time' -d 'Additional time with the fault slow-card.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" void-window' -l 'void-window' -d 'Time during which a device payment can be voided; afterwards a void is a refund.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" checkout-life' -l 'checkout-life' -d 'Time during which a page of Hosted Checkout can be paid.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-hours' -l 'export-hours' -d 'When exports can be requested: at any time, or in the service\'s hours for the US or the EU.' -rfka 'any us eu'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-now' -l 'export-now' -d 'Initial time of the export clock.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-time' -l 'export-time' -d 'Time that an export takes.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-life' -l 'export-life' -d 'Time for which the files of an export are kept.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-slots' -l 'export-slots' -d 'Maximum number of concurrent exports; another one gets 503.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" fail-exports' -l 'fail-exports' -d 'Number of exports, counted from the first, that fail.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" webhook-url' -l 'webhook-url' -d 'Send the shop\'s changes to this http URL.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" webhook-auth-code' -l 'webhook-auth-code' -d 'Value of the header X-Clover-Auth (default: generated from the seed).' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" webhook-signing-secret' -l 'webhook-signing-secret' -d 'Also send what becomes of sessions of Hosted Checkout, signed under this secret.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" webhook-bundle' -l 'webhook-bundle' -d 'Maximum number of events in one body.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" webhook-delay' -l 'webhook-delay' -d 'Maximum delay; each body has a random one.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" access-token-life' -l 'access-token-life' -d 'Lifetime of an access token.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" refresh-token-life' -l 'refresh-token-life' -d 'Lifetime of a refresh token.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" code-life' -l 'code-life' -d 'Lifetime of an authorization code.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" refresh-token-cap' -l 'refresh-token-cap' -d 'Maximum number of valid refresh tokens; 0 for no limit.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" clock-skew' -l 'clock-skew' -d 'Offset of the token clock: ahead, such as 1h, or behind, such as -1h.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" oauth-latency' -l 'oauth-latency' -d 'Delay before a token call is carried out.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" oauth-answer-delay' -l 'oauth-answer-delay' -d 'Delay between carrying out a token call and its response.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'oauth-fault' -d 'Inject a fault into token calls; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'without-permission' -d 'Return 401 for these records, as without the permission; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'site-url' -d 'Redirect browsers only to addresses below this one, as Clover does; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" auto-approve' -l 'auto-approve' -d 'Approve the consent page at once, without showing it.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" seed' -l 'seed' -d 'Seed that readers and payments are generated from.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" readers' -l 'readers' -d 'Number of readers.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" pace' -l 'pace' -d 'Factor for all delays, such as 0.1; 0 for no delays.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver"' -l 'fault' -d 'Inject a fault; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" script' -l 'script' -d 'Read faults from this file.' -rF
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver"' -l 'card' -d 'How cards are presented: tap, dip or swipe; several values are used in rotation.' -rfka 'tap dip swipe'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" state' -l 'state' -d 'File that stores payments and updates; without it they are lost at exit, and the driver lacks the capability \'recall\'.' -rF
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" h help' -s 'h' -l 'help' -d 'Show help information.'
