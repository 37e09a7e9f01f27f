/// An option whose value was forgotten, as in a script whose variable is not set. ArgumentParser would take the option
/// that follows for its value, such as `--dry-run`.
package struct MissingOptionValue: Error, CustomStringConvertible {
    /// As it was typed.
    let option: String
    /// Whether it was typed as `--option=`. ArgumentParser takes the next word for its value then.
    let isJoined: Bool

    package var description: String {
        isJoined ? "\(option) is empty" : "\(option) has no value: another option follows"
    }

    /// Refuses a command line with such an option. `--option=VALUE` takes every value, also one that begins with a
    /// hyphen.
    /// - Parameter arguments: without the program's name, with jq's pairs joined.
    package static func check(_ arguments: [String]) throws(MissingOptionValue) {
        let words = arguments.prefix { $0 != "--" }
        var known: KnownOptions?
        var previous = ""
        for (word, next) in zip(words, words.dropFirst().map(Optional.some) + [nil]) {
            defer { previous = word }
            guard word.hasPrefix("-") else { continue }
            let isJoined = word.firstIndex(of: "=") == word.indices.last
            let option = isJoined ? String(word.dropLast()) : word
            guard isJoined || next.map(isOption) ?? false else { continue }
            // Takes longer than the rest of the check.
            let options = known ?? KnownOptions(of: arguments)
            known = options
            guard options.takesValue(option) else { continue }
            // A value itself, as in `--sort -total`.
            if !isOption(word), previous.hasPrefix("-"), options.takesValue(previous) { continue }
            throw MissingOptionValue(option: option, isJoined: isJoined)
        }
    }

    /// Whether a word is an option by its form. Numbers below zero are none.
    static func isOption(_ word: String) -> Bool {
        word.wholeMatch(of: /--[A-Za-z].*|-[A-Za-z]/) != nil
    }
}

extension ErrorReport {
    /// The value is not repeated: it may be a card's number.
    init(_ error: MissingOptionValue) {
        self.init(
            "usage", .usage, error.description,
            error.isJoined
                ? "add the value, or leave \(error.option) out"
                : "to give a value that begins with '-', write \(error.option)=VALUE")
    }
}
