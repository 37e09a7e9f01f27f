/// Speeds up the fish completion script by adding cheap conditions.
///
/// ArgumentParser's script has a condition for every option of every command, and each parses the whole line: a
/// thousand of them take a second. A cheap condition in front of each, which parses a line only once, leaves those of
/// one command (fish: complete, "If multiple conditions are specified, fish will try them in the order they are
/// specified").
enum FishConditions {
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
