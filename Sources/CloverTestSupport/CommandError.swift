/// Why a command gave no result.
package enum CommandError: Error, CustomStringConvertible {
    /// `CLOVER_TEST_BINARIES` does not name a folder with this program in it.
    case noProgram(String)
    /// The process could not be started; `posix_spawn(3)` gave this error number.
    case notStarted(program: String, errorNumber: Int32)
    /// It was still running at the end of its time and was killed.
    case outOfTime(CommandResult)
    /// What a test waited for did not come: the stream ended, or the time did.
    case notSeen(awaited: String, output: String, errors: String)
    /// A line that should be JSON is not.
    case unreadable(String)

    package var description: String {
        switch self {
        case .noProgram(let path):
            "no program at \(path): set CLOVER_TEST_BINARIES to the folder of the built programs (make test does)"
        case .notStarted(let program, let errorNumber): "cannot start \(program): error \(errorNumber)"
        case .outOfTime(let result): "killed, because it ran out of time: \(result)"
        case .notSeen(let awaited, let output, let errors):
            "did not see \(awaited)\nstdout: \(output.prefix(2000))\nstderr: \(errors.prefix(2000))"
        case .unreadable(let text): "not the JSON that was expected: \(text.prefix(500))"
        }
    }
}
