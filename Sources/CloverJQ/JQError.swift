/// Why a program cannot run at all. An error on a single record is a `RecordFailure`.
package enum JQError: Error, Equatable, Sendable {
    /// The program does not compile. `message` is jq's own text of several lines: for each error a description and its
    /// line, then the number of errors.
    case compile(message: String)
    /// The text given for this variable is not one JSON value.
    case invalidJSONArgument(name: String)
    /// The program or an argument's name contains a NUL character, at which libjq would stop reading.
    case containsNUL
    /// libjq could not create an interpreter.
    case outOfMemory
    /// No thread could be started to run the program (errno of pthread_create).
    case noThread(errno: Int32)
    /// The filter was cancelled while the program was being compiled.
    case cancelled
}

extension JQError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .compile(let message): message
        case .invalidJSONArgument(let name): "the value of $\(name) is not valid JSON"
        case .containsNUL: "the program contains a NUL character"
        case .outOfMemory: "not enough memory for jq"
        case .noThread(let errno): "cannot start a thread for jq (errno \(errno))"
        case .cancelled: "cancelled"
        }
    }
}
