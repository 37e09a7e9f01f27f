internal import Glibc

/// Why the output did not take the bytes.
package enum RecordWriteError: Error, Equatable, Sendable {
    /// The reader has gone (EPIPE).
    case closed
    /// write(2) failed with this errno.
    case failed(errno: Int32)
}

extension RecordWriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed: "the reader of the output has gone"
        case .failed(let number): "cannot write the output: \(String(cString: strerror(number)))"
        }
    }
}
