internal import CLinux
internal import CloverStorage
internal import CloverThreads
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Reads the log of another process's session while it is written.
package final class SessionFollower: Sendable {
    private struct State {
        var offset = 0
        var cutter = LineCutter(limit: 64 << 10)
        var pending: [SessionReport] = []
        var isOver = false
    }

    private let path: String
    private let watch: DirectoryWatch
    private let thread = SerialThread(name: "clover-session")
    private let state = Mutex(State())

    init(folder: String, name: String, holder: Int32) throws(StorageError) {
        path = folder + "/" + name
        watch = try DirectoryWatch()
        _ = try watch.add(path: folder)
        let descriptor = pidfd_open(holder, 0)
        guard descriptor >= 0 else {
            // It ended in this moment; the log has all that it told.
            watch.stop()
            return
        }
        let watch = watch
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-holder", stackSize: 1 << 16) {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                while poll(&entry, 1, -1) < 0, errno == EINTR {}
                close(descriptor)
                watch.stop()
            }
        } catch {
            close(descriptor)
            throw .system(.watch, path: path, errno: error.errno)
        }
    }

    /// The reports that are there already; does not wait.
    package func past() async throws -> [SessionReport] {
        try await onThread { follower in
            try follower.read()
            return follower.state.withLock { state in
                defer { state.pending = [] }
                return state.pending
            }
        }
    }

    /// The next report; nil when the holder has ended, or the task was cancelled.
    package func next() async throws -> SessionReport? {
        try await withTaskCancellationHandler {
            try await onThread { try $0.wait() }
        } onCancel: {
            watch.stop()
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable (SessionFollower) throws -> Value
    ) async throws -> Value {
        guard let result = await thread.run({ Result { try body(self) } }) else {
            throw StorageError.system(.watch, path: path, errno: EAGAIN)
        }
        return try result.get()
    }

    private func wait() throws -> SessionReport? {
        while true {
            try read()
            let (report, isOver) = state.withLock { state in
                (state.pending.isEmpty ? nil : state.pending.removeFirst(), state.isOver)
            }
            if report != nil || isOver { return report }
            // Once more after the end: its last report may have come between.
            if try watch.wait() == .stopped { state.withLock { $0.isOver = true } }
        }
    }

    private func read() throws(StorageError) {
        do {
            let file = try Descriptor(opening: path, in: AT_FDCWD, flags: O_RDONLY | O_NOFOLLOW)
            try state.withLock { state in
                while true {
                    let bytes = try file.read(limit: 64 << 10, at: state.offset)
                    if bytes.isEmpty { return }
                    state.offset += bytes.count
                    for line in state.cutter.take(bytes[...]) ?? [] {
                        state.pending.append(try JSONDecoder().decode(SessionReport.self, from: Data(line)))
                    }
                }
            }
        } catch let error as ErrorNumber {
            throw .system(.read, path: path, errno: error.code)
        } catch {
            throw .system(.read, path: path, errno: EBADMSG)
        }
    }
}
