import CloverSystem
import Glibc
import Synchronization

/// Detects that the reader of standard output has closed it while the program waits for something else: cancels the
/// command, so that it can clean up, and ends the process. Without this, only the next write would detect it.
final class OutputWatch: Sendable {
    private let descriptor: Int32
    private let isHeld: @Sendable () -> Bool
    private let isStopped = Atomic(false)
    private let isClosed = Atomic(false)

    /// Time in microseconds for a program to end by itself: it may have written everything and be ending already.
    private static let grace: useconds_t = 250_000
    /// Time in microseconds for a cancelled command to clean up without progress.
    private static let cleanupTimeout: useconds_t = 1_000_000

    /// - Parameter isHeld: whether work is in progress that must finish first.
    init(descriptor: Int32, isHeld: @escaping @Sendable () -> Bool) {
        self.descriptor = descriptor
        self.isHeld = isHeld
    }

    /// Watches pipes and sockets; files and terminals have no reader that could close them.
    ///
    /// - Parameters:
    ///   - onClosed: called once, on the watch's own thread.
    ///   - progress: a number that changes as long as the work in progress should be allowed to finish.
    func start(onClosed: @escaping @Sendable () -> Void, progress: @escaping @Sendable () -> Int) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFSOCK else { return }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-output") { self.run(onClosed: onClosed, progress: progress) }
        } catch {
            // The next write detects it.
        }
    }

    /// Stops watching: from now on, a closed output does not end the process.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
    }

    /// Whether the command was cancelled because the reader closed the output.
    var hasClosed: Bool { isClosed.load(ordering: .sequentiallyConsistent) }

    private func run(onClosed: @Sendable () -> Void, progress: @Sendable () -> Int) {
        // poll(2) reports POLLERR for a pipe without a reader, whatever events are requested.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
        guard entry.revents != 0 else { return }
        repeat { usleep(Self.grace) } while isHeld()
        guard !isStopped.load(ordering: .sequentiallyConsistent) else { return }
        isClosed.store(true, ordering: .sequentiallyConsistent)
        onClosed()
        // Usually, the main task ends the process first; this ends a command that makes no progress.
        var before: Int
        repeat {
            before = progress()
            usleep(Self.cleanupTimeout)
        } while progress() != before
        ProcessEnd.raise(SIGPIPE)
    }
}
