import Glibc
import Synchronization

/// The processes that the tests started and that still run. They are killed when the test runner ends.
final class ProcessRegistry: Sendable {
    static let shared = ProcessRegistry()

    private let running = Mutex(Set<pid_t>())

    private init() {
        atexit { ProcessRegistry.shared.killAll() }
    }

    func add(_ pid: pid_t) { running.withLock { _ = $0.insert(pid) } }

    func remove(_ pid: pid_t) { running.withLock { _ = $0.remove(pid) } }

    private func killAll() {
        running.withLock { pids in
            for pid in pids { kill(-pid, SIGKILL) }
        }
    }
}
