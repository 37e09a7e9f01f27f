/// Joins jq's `--arg NAME VALUE` to `--arg=NAME=VALUE` before parsing, because ArgumentParser has no option with two
/// values. jq names contain no `=`, so nothing is lost.
package enum ArgumentPairs {
    private static let options: Set<String> = ["--arg", "--argjson"]

    /// Joins every pair. Also moves a value of `config set` that begins with a hyphen and a digit behind `--` at the
    /// end, so that the error is about the value and not about an unknown option. Leaves `--arg NAME=VALUE` and
    /// everything after `--` unchanged.
    package static func joined(_ arguments: [String]) -> [String] {
        var arguments = arguments
        if arguments.starts(with: ["config", "set"]), !arguments.contains("--"),
            let place = arguments.firstIndex(where: { $0.wholeMatch(of: /-[0-9].*/) != nil })
        {
            arguments += ["--", arguments.remove(at: place)]
        }
        var result: [String] = []
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if argument == "--" { return result + arguments[index...] }
            if options.contains(argument), index + 2 < arguments.count, !arguments[index + 1].contains("=") {
                result.append("\(argument)=\(arguments[index + 1])=\(arguments[index + 2])")
                index += 3
            } else if argument == "--reader", arguments.first == "charge",
                index + 1 == arguments.count || arguments[index + 1].hasPrefix("-")
            {
                // Means the last connected reader: ArgumentParser has no option with an optional value.
                result.append("--reader=last")
                index += 1
            } else {
                result.append(argument)
                index += 1
            }
        }
        return result
    }

    /// Splits a joined pair into name and value; nil if it is not a pair.
    static func split(_ text: String) -> (String, String)? {
        guard let mark = text.firstIndex(of: "="), mark != text.startIndex else { return nil }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }
}
