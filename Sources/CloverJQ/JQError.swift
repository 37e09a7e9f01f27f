/// Why a program cannot run at all. What goes wrong on one record is a `RecordFailure`.
package enum JQError: Error, Equatable, Sendable {
    /// The program does not compile. `message` is jq's own text: for each error what is wrong and the line where, then
    /// the number of errors; several lines.
    case compile(message: String)
    /// The text given for this variable is not one JSON value.
    case invalidJSONArgument(name: String)
    /// The program or an argument's name holds a NUL character, where libjq would stop reading.
    case containsNUL
    /// libjq could not make an interpreter.
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
