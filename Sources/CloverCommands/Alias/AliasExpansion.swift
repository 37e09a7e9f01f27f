import ArgumentParser
import CloverSystem

/// What stands for a first word that is no command: an alias, or a program `clover-NAME` on the path.
package enum AliasExpansion {
    /// The command line with an alias replaced. A command line that cannot be expanded is returned as it is, and `Program`
    /// then reports why.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - variables: the environment of this process.
    package static func expanded(_ arguments: [String], variables: [String: String]) -> [String] {
        do throws(AliasError) {
            return try expand(arguments, variables: variables) ?? arguments
        } catch {
            return arguments
        }
    }

    /// The same; nil if the first word is no alias. An alias is expanded once, and cannot hide a command.
    static func expand(_ arguments: [String], variables: [String: String]) throws(AliasError) -> [String]? {
        guard let name = arguments.first, isName(name), !isCommand(name),
            let entry = try AliasFile(variables: variables).read().first(where: { $0.name == name })
        else { return nil }
        return try words(of: entry, Array(arguments.dropFirst()))
    }

    /// Lower-case letters, digits and hyphens, beginning with a letter.
    static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.first, first.isASCII, first.isLowercase else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
    }

    static func isCommand(_ name: String) -> Bool {
        name == "help" || Clover.configuration.subcommands.contains { $0._commandName == name }
    }

    /// The path of the program `clover-NAME`; nil if there is none, or NAME is a command.
    static func program(for name: String, variables: [String: String]) -> String? {
        guard isName(name), !isCommand(name) else { return nil }
        return ProgramSearch.find("clover-\(name)", path: variables["PATH"])
    }

    /// The words of the command line, with `$1` to `$9` replaced by the given words; words that none of them names follow at
    /// the end, as in gh.
    private static func words(of entry: AliasFile.Entry, _ given: [String]) throws(AliasError) -> [String] {
        var used: Set<Int> = []
        var words: [String] = []
        for word in CommandLineSplitter.split(entry.command).words {
            var word = word
            for number in 1...9 where word.contains("$\(number)") {
                guard number <= given.count else {
                    throw .argumentMissing(alias: entry.name, command: entry.command, number: number)
                }
                used.insert(number)
                word = word.replacing("$\(number)", with: given[number - 1])
            }
            words.append(word)
        }
        return words + given.enumerated().filter { !used.contains($0.offset + 1) }.map(\.element)
    }
}
