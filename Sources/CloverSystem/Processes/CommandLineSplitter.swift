import CLinux
import Glibc

/// A command line from a setting or a variable.
package enum CommandLineSplitter {
    /// Splits a line into a program and its arguments: spaces and tabs separate words; single or double quotes keep a
    /// word together. No other shell syntax is supported, and no shell is run.
    ///
    /// - Returns: the words, possibly none, and whether every quote is closed.
    package static func split(_ line: String) -> (words: [String], isClosed: Bool) {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
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
        return (words, quote == nil)
    }
}

/// Finds a program's file.
package enum ProgramSearch {
    /// The path that execvp(3) searches if `PATH` is unset.
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

    /// The program's file: the name itself if it contains a slash; otherwise found in `path`, the variable `PATH`,
    /// ignoring empty entries, which would mean the current directory.
    ///
    /// - Returns: nil if there is no executable file of this name.
    package static func find(_ name: String, path: String?) -> String? {
        if name.contains("/") { return isProgram(name) ? name : nil }
        return (path ?? defaultPath).split(separator: ":").map { "\($0)/\(name)" }.first { isProgram($0) }
    }

    private static func isProgram(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
