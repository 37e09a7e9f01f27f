internal import Glibc

/// A driver program and its arguments.
package struct DriverCommand: Sendable, Equatable {
    /// At least one, the program first.
    package let words: [String]

    /// Reads a command line: words are separated by spaces, quotes, single or double, keep a word together. Nothing
    /// else of a shell is understood, and no shell is run.
    /// - Returns: nil when there is no word, or a quote has no end.
    package init?(parsing text: String) {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            if character == quote {
                quote = nil
            } else if quote != nil {
                word = (word ?? "") + String(character)
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character == " " || character == "\t" {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        guard quote == nil, let program = words.first, !program.isEmpty else { return nil }
        self.words = words
    }

    /// The program's name, for messages.
    package var name: String {
        words[0].split(separator: "/").last.map(String.init) ?? words[0]
    }

    /// Where execvp(3) looks when there is no `PATH`.
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

    /// Finds the program, without starting it.
    ///
    /// - Returns: its path.
    /// - Throws: `ReaderError.driver` with the reason why it could not be started.
    package func locate(variables: [String: String]) throws(ReaderError) -> String {
        let path: String
        do throws(DriverFailure) {
            path = try file(path: variables["PATH"])
        } catch {
            throw .driver(error, program: name)
        }
        guard access(path, X_OK) == 0 else { throw .driver(.notStarted(errno: errno), program: name) }
        return path
    }

    /// The program's file: the name itself when it holds a slash, else from `PATH`, in which empty folders, which
    /// would mean the current one, are left out.
    /// - Throws: `DriverFailure.notStarted`.
    func file(path: String?) throws(DriverFailure) -> String {
        if words[0].contains("/") { return words[0] }
        for folder in (path ?? Self.defaultPath).split(separator: ":") {
            let candidate = "\(folder)/\(words[0])"
            if access(candidate, X_OK) == 0 { return candidate }
        }
        throw .notStarted(errno: ENOENT)
    }
}
