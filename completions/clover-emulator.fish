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
            __clover-emulator_parse_subcommand 0 'port=' 'seed=' 'orders=' 'days=' 'now=' 'merchant-since=' 'latency=' 'fault=+' 'state=' 'until-input-ends' 'no-limits' 'requests-per-second=' 'in-flight=' 'app-requests-per-second=' 'app-in-flight=' 'apps=' 'merchants=' 'drift=' 'churn=' 'short-page=' 'missing=+' 'clamp=' 'card=' 'card-time=' 'authorization-time=' 'slow-card-time=' 'void-window=' 'export-hours=' 'export-now=' 'export-time=' 'export-life=' 'export-slots=' 'fail-exports=' 'access-token-life=' 'refresh-token-life=' 'code-life=' 'refresh-token-cap=' 'clock-skew=' 'oauth-latency=' 'oauth-answer-delay=' 'oauth-fault=+' 'without-permission=+' 'site-url=+' 'auto-approve' 'h/help'
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
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_positional "clover-emulator" -eq 1' -fa 'serve' -d 'Serve a made-up coffee shop until interrupted'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_positional "clover-emulator" -eq 1' -fa 'reader-driver' -d 'Play a driver of Clover Go card readers'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_positional "clover-emulator" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" port' -l 'port' -d 'Port on 127.0.0.1; 0 takes a free one.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" seed' -l 'seed' -d 'What the shop, its secrets and the faults are made from.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" orders' -l 'orders' -d 'Number of orders in the shop\'s history.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" days' -l 'days' -d 'Days of that history, up to twenty years (default: one for every 45 orders, four years at most).' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" now' -l 'now' -d 'When the shop\'s history ends: an ISO 8601 instant, or \'clock\' for the time of the start.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" merchant-since' -l 'merchant-since' -d 'The merchant\'s createdTime: an ISO 8601 instant (default: before all records).' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" latency' -l 'latency' -d 'Pause before each answer, such as 50ms or 1.5s.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'fault' -d 'Spoil answers; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" state' -l 'state' -d 'Keep what is written in this file, and begin with what it holds.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" until-input-ends' -l 'until-input-ends' -d 'Stop when standard input ends: a pipe whose other end is held by the program that needs this one.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" no-limits' -l 'no-limits' -d 'Count requests without refusing any.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" requests-per-second' -l 'requests-per-second' -d 'Requests of a token in any second.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" in-flight' -l 'in-flight' -d 'Requests of a token in flight.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" app-requests-per-second' -l 'app-requests-per-second' -d 'The same for an app with all its tokens.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" app-in-flight' -l 'app-in-flight' -d 'The same for an app with all its tokens.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" apps' -l 'apps' -d 'Number of apps that merchants can sign in to, each with limits of its own.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" merchants' -l 'merchants' -d 'Number of merchants: the same shop, each time under another id.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" drift' -l 'drift' -d 'Let one row come and one go at every so many requests for a list.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" churn' -l 'churn' -d 'Change the shop by itself, so many times a second.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" short-page' -l 'short-page' -d 'Make pages in the middle of a list shorter than asked, this often, from 0 to 1.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'missing' -d 'Answer 500 for this record, which stays in its lists; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" clamp' -l 'clamp' -d 'The most records of a page; larger limits are clamped in silence.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" card' -l 'card' -d 'What the card that is shown to a device does.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" card-time' -l 'card-time' -d 'Time until a card is shown to a device; until then a payment can be cancelled.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" authorization-time' -l 'authorization-time' -d 'Time until the issuer of a card has decided.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" slow-card-time' -l 'slow-card-time' -d 'What the fault slow-card adds to that.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" void-window' -l 'void-window' -d 'How long a void at a device is one; later it is a refund.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-hours' -l 'export-hours' -d 'When exports can be asked for: any time, or the hours of the service in the US or EU.' -rfka 'any us eu'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-now' -l 'export-now' -d 'What time it is for exports at the start.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-time' -l 'export-time' -d 'How long an export takes.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-life' -l 'export-life' -d 'How long the files of an export are kept.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" export-slots' -l 'export-slots' -d 'How many exports are made at once; one more is answered 503.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" fail-exports' -l 'fail-exports' -d 'Let the first so many exports fail.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" access-token-life' -l 'access-token-life' -d 'How long an access token is good.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" refresh-token-life' -l 'refresh-token-life' -d 'How long a refresh token is good.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" code-life' -l 'code-life' -d 'How long a code can be exchanged for tokens.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" refresh-token-cap' -l 'refresh-token-cap' -d 'Number of refresh tokens good at a time, 0 for any number.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" clock-skew' -l 'clock-skew' -d 'How far the clock of the tokens is ahead, such as 1h, or behind, such as -1h.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" oauth-latency' -l 'oauth-latency' -d 'Pause before the work of a token call.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" oauth-answer-delay' -l 'oauth-answer-delay' -d 'Pause between the work of a token call and its answer.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'oauth-fault' -d 'Spoil answers to token calls; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'without-permission' -d 'Answer 401 for these records, as for an app without the permission; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve"' -l 'site-url' -d 'Send browsers back to addresses below this one only, as Clover does; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" auto-approve' -l 'auto-approve' -d 'Say yes on the consent page at once, without showing it.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" seed' -l 'seed' -d 'What readers and payments are made from.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" readers' -l 'readers' -d 'Number of readers.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" pace' -l 'pace' -d 'What every pause is multiplied with, such as 0.1; 0 for none.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver"' -l 'fault' -d 'Let something go wrong; can be given more than once.' -rfka ''
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" script' -l 'script' -d 'Read faults from this file.' -rF
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver"' -l 'card' -d 'How cards are shown: tap, dip or swipe; can be given more than once, then they take turns.' -rfka 'tap dip swipe'
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" state' -l 'state' -d 'Keep payments and updates in this file, and begin with what it holds; without it they are forgotten, and the driver does not have the capability \'recall\'.' -rF
complete -c 'clover-emulator' -n '__clover-emulator_should_offer_completions_for_flags_or_options "clover-emulator reader-driver" h help' -s 'h' -l 'help' -d 'Show help information.'
