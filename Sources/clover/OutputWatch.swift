import CloverThreads
import Glibc
import Synchronization

/// Notices that nobody reads standard output any more while the program waits for the network, and ends it then:
/// without this it would notice at its next write. A command that changes something is cancelled instead, as by a signal:
/// it says what it was doing, and its request comes to its end.
final class OutputWatch: Sendable {
    private let descriptor: Int32
    private let isStopped = Atomic(false)
    private let isCancelling = Atomic(false)

    /// A program that has written everything may still be ending when its reader has left; it gets this long, in
    /// microseconds, to end by itself.
    private static let grace: useconds_t = 250_000
    /// How long a command that was cancelled may take to end while nothing of its progresses, in microseconds.
    private static let patience: useconds_t = 1_000_000

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The reader has left, and the command was cancelled because of it.
    var hasCancelled: Bool { isCancelling.load(ordering: .sequentiallyConsistent) }

    /// Watches pipes and sockets; files and terminals have no reader who could leave.
    ///
    /// - Parameters:
    ///   - cancel: stops the command where it wants to be stopped rather than ended; false where it does not. Called once, on
    ///     the watch's own thread.
    ///   - progress: a number that changes while the command still has something to do.
    func start(cancel: @escaping @Sendable () -> Bool, progress: @escaping @Sendable () -> Int) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFSOCK else { return }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-output") {
                self.run(cancel: cancel, progress: progress)
            }
        } catch {
            // The next write will notice.
        }
    }

    /// From now on a reader who leaves is no reason to end.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
    }

    private func run(cancel: @Sendable () -> Bool, progress: @Sendable () -> Int) {
        // poll(2) reports POLLERR for a pipe whose reader is gone, whatever was asked for.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
        guard entry.revents != 0 else { return }
        usleep(Self.grace)
        guard !isStopped.load(ordering: .sequentiallyConsistent) else { return }
        isCancelling.store(true, ordering: .sequentiallyConsistent)
        if cancel() {
            var before = progress()
            while true {
                usleep(Self.patience)
                let now = progress()
                if now == before { break }
                before = now
            }
        }
        ProcessEnd.raise(SIGPIPE)
    }
}
