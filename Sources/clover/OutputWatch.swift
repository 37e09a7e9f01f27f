import CloverThreads
import Glibc
import Synchronization

/// Notices that nobody reads standard output any more while the program waits for something else: the command is
/// cancelled, so that it can clean up, and the process ends. Without this it would notice at its next write.
final class OutputWatch: Sendable {
    private let descriptor: Int32
    private let isHeld: @Sendable () -> Bool
    private let isStopped = Atomic(false)
    private let isClosed = Atomic(false)

    /// A program that has written everything may still be ending when its reader has left; it gets this long, in
    /// microseconds, to end by itself.
    private static let grace: useconds_t = 250_000
    /// How long a command that was cancelled may take to clean up, without a sign that it is still at it.
    private static let patience: useconds_t = 1_000_000

    /// - Parameter isHeld: whether something is under way that must come to its end first.
    init(descriptor: Int32, isHeld: @escaping @Sendable () -> Bool) {
        self.descriptor = descriptor
        self.isHeld = isHeld
    }

    /// Watches pipes and sockets; files and terminals have no reader who could leave.
    ///
    /// - Parameters:
    ///   - onClosed: called once, on the watch's own thread.
    ///   - progress: a number that changes while something under way should come to its end.
    func start(onClosed: @escaping @Sendable () -> Void, progress: @escaping @Sendable () -> Int) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFSOCK else { return }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-output") { self.run(onClosed: onClosed, progress: progress) }
        } catch {
            // The next write will notice.
        }
    }

    /// From now on a reader who leaves is no reason to end.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
    }

    /// Whether the command was cancelled because its reader has left.
    var hasClosed: Bool { isClosed.load(ordering: .sequentiallyConsistent) }

    private func run(onClosed: @Sendable () -> Void, progress: @Sendable () -> Int) {
        // poll(2) reports POLLERR for a pipe whose reader is gone, whatever was asked for.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
        guard entry.revents != 0 else { return }
        repeat { usleep(Self.grace) } while isHeld()
        guard !isStopped.load(ordering: .sequentiallyConsistent) else { return }
        isClosed.store(true, ordering: .sequentiallyConsistent)
        onClosed()
        // The main task usually ends the process before this does: this is for a command that does not get on.
        var before: Int
        repeat {
            before = progress()
            usleep(Self.patience)
        } while progress() != before
        ProcessEnd.raise(SIGPIPE)
    }
}
