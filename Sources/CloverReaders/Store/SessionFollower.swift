import CLinux
import CloverSystem
import FoundationEssentials
import Glibc
import Synchronization

/// Reads the log of another process's session as it is written.
package final class SessionFollower: Sendable {
    private struct State {
        var offset = 0
        var cutter = LineSplitter(limit: 64 << 10)
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
        let descriptor = clover_pidfd_open(holder, 0)
        guard descriptor >= 0 else {
            // The process has just ended; the log is complete.
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

    /// The reports so far; does not wait.
    package func past() async throws -> [SessionReport] {
        try await onThread { follower in
            try follower.read()
            return follower.state.withLock { state in
                defer { state.pending = [] }
                return state.pending
            }
        }
    }

    /// The next report; nil if the holder has ended or the task was cancelled.
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
            // Read once more after the end: the last report may have been written in between.
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

/// A report about a session, as shown to the user and as read by other processes.
package struct SessionReport: Codable, Sendable, Equatable {
    package enum Event: String, Codable, Sendable {
        case state, battery
    }

    package private(set) var event: Event
    package let reader: String
    package let name: String?
    package let transport: String
    package private(set) var state: String
    /// 0...1; only in the state `updatingFW`.
    package private(set) var progress: Double?
    package let battery: Int?
    package let firmware: String?
    package let serial: String?
    /// Milliseconds since 1970.
    package private(set) var at: Int64

    package init(_ report: ReaderTracker.Report, of tracker: ReaderTracker, at: Int64) {
        switch report {
        case .state: event = .state
        case .battery: event = .battery
        }
        reader = tracker.reader.id
        name = tracker.reader.name
        transport = tracker.reader.transport.rawValue
        state = tracker.state.rawValue
        progress = tracker.progress
        battery = tracker.reader.battery
        firmware = tracker.reader.firmware
        serial = tracker.reader.serial
        self.at = at
    }

    /// The final report of a session whose holder could not write one.
    package func disconnected(at: Int64) -> SessionReport {
        var report = self
        report.event = .state
        report.state = ReaderState.disconnected.rawValue
        report.progress = nil
        report.at = at
        return report
    }

    package var isEnd: Bool { state == ReaderState.disconnected.rawValue }
}
