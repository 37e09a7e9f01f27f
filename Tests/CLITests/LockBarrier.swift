import Foundation
import Testing

/// The kernel lock on a credential, held so that other users of it have to wait.
struct LockBarrier {
    private let file: Int32

    init(_ path: String) throws {
        file = Foundation.open(path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0, "\(path): \(errno)")
    }

    /// A child between fork(2) and execve(2) shares the file, so that closing alone would not do.
    func open() {
        flock(file, LOCK_UN)
        close(file)
    }
}
