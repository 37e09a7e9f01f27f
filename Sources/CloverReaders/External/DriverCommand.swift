internal import CloverProcesses
internal import Glibc

/// A driver program and its arguments.
package struct DriverCommand: Sendable, Equatable {
    /// At least one, the program first.
    package let words: [String]

    /// Reads a command line, of words and quotes (`CommandWords`).
    /// - Returns: nil when there is no word, or a quote has no end.
    package init?(parsing text: String) {
        let (words, isClosed) = CommandWords.split(text)
        guard isClosed, let program = words.first, !program.isEmpty else { return nil }
        self.words = words
    }

    /// The program's name, for messages.
    package var name: String {
        words[0].split(separator: "/").last.map(String.init) ?? words[0]
    }

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

    /// The program's file (`ProgramSearch`); the name itself when it holds a slash, also where there is no such file.
    /// - Throws: `DriverFailure.notStarted`.
    func file(path: String?) throws(DriverFailure) -> String {
        if words[0].contains("/") { return words[0] }
        guard let file = ProgramSearch.find(words[0], path: path) else { throw .notStarted(errno: ENOENT) }
        return file
    }
}
