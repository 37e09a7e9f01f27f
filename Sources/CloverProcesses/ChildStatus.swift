internal import Glibc

/// How a program that we started ended.
package enum ChildStatus {
    /// Waits for its end and takes its status (waitpid(2)). Blocks: call it on a dedicated thread.
    ///
    /// - Returns: its status as a shell reports it, 128 and the signal's number when a signal ended it.
    /// - Throws: the error of waitpid(2), when the status cannot be had.
    package static func wait(for process: Int32) throws(ChildPlan.StartError) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw ChildPlan.StartError(errno: errno) }
        }
        // The macros of <sys/wait.h>: the low seven bits are the signal, the next byte is the status.
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
