internal import CloverThreads
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

extension ChildPlan {
    /// Starts the program and a thread that waits for its end. Without that thread it is ended at once, so that nothing
    /// waits for a program whose end is never seen.
    ///
    /// - Parameters:
    ///   - thread: its name, at most 15 bytes.
    ///   - startThread: returns 0, or why there is no thread (pthread_create(3)); for tests.
    ///   - onEnd: called on the thread, once, with the status as waitpid(2) gives it.
    /// - Returns: its process number.
    package func start(
        watchedBy thread: String,
        startThread: (String, @escaping @Sendable () -> Void) -> Int32 = Self.startThread,
        onEnd: @escaping @Sendable (_ status: Int32) -> Void
    ) throws(StartError) -> Int32 {
        let process = try self.start()
        let errno = startThread(thread) { onEnd(Self.status(of: process)) }
        guard errno == 0 else {
            kill(process, SIGKILL)
            _ = Self.status(of: process)
            throw StartError(errno: errno)
        }
        return process
    }

    package static func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: name, body)
            return 0
        } catch {
            return error.errno
        }
    }

    private static func status(of process: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status
    }
}
