internal import Glibc

/// Why the output could not be written.
package enum RecordWriteError: Error, Equatable, Sendable {
    /// The reader has closed its end (EPIPE).
    case closed
    /// write(2) failed with this errno.
    case failed(errno: Int32)
}

extension RecordWriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed: "the reader closed the output"
        case .failed(let number): "cannot write the output: \(String(cString: strerror(number)))"
        }
    }
}
