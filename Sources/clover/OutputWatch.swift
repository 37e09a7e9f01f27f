import CloverThreads
import Glibc
import Synchronization

/// Notices that nobody reads standard output any more while the program waits for the network, and ends it then:
/// without this it would notice at its next write.
final class OutputWatch: Sendable {
    private let descriptor: Int32
    private let isStopped = Atomic(false)

    /// A program that has written everything may still be ending when its reader has left; it gets this long, in
    /// microseconds, to end by itself.
    private static let grace: useconds_t = 250_000

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Watches pipes and sockets; files and terminals have no reader who could leave.
    func start() {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFSOCK else { return }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-output") { self.run() }
        } catch {
            // The next write will notice.
        }
    }

    /// From now on a reader who leaves is no reason to end.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
    }

    private func run() {
        // poll(2) reports POLLERR for a pipe whose reader is gone, whatever was asked for.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
        guard entry.revents != 0 else { return }
        usleep(Self.grace)
        guard !isStopped.load(ordering: .sequentiallyConsistent) else { return }
        ProcessEnd.raise(SIGPIPE)
    }
}
