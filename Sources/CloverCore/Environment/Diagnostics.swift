/// Lines for the person who runs the command, on standard error. Data never goes here.
package struct Diagnostics: Sendable {
    package enum Level: Int, Sendable, Comparable {
        case quiet, normal, verbose

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    package var level: Level
    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes a whole line, line end included.
    package init(level: Level = .normal, write: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.write = write
    }

    /// Something the user should know although nothing failed; `--quiet` leaves it out.
    package func notice(_ text: String) {
        if level >= .normal { line("clover: " + text) }
    }

    /// What the command does on the way; shown with `--verbose`.
    package func detail(_ text: String) {
        if level >= .verbose { line("clover: " + text) }
    }

    /// A failed part of a run that goes on; always shown.
    package func failure(_ text: String) {
        line("clover: " + text)
    }

    /// Bytes that a jq program sends to standard error, as they are.
    package func pass(_ bytes: [UInt8]) {
        write(String(decoding: bytes, as: UTF8.self))
    }

    /// The report of the error that ends the command, line ends included.
    package func write(report: String) {
        write(report)
    }

    private func line(_ text: String) {
        write(text + "\n")
    }
}
