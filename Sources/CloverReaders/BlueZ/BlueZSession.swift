import CloverDBus
import Synchronization

/// A session with a reader that is connected through BlueZ.
final class BlueZSession: ReaderSession {
    let reader: Reader
    private let link: BlueZLink
    private let device: String
    private let news = AsyncState(SessionEventQueue())
    /// Prepares the reader and then follows it; cancelled when the session ends.
    private let work: Mutex<Task<Void, Never>?>

    /// - Parameter limit: the time limit until the reader is ready.
    init(link: BlueZLink, adapter: BlueZAdapter, device: BlueZDevice, power: BlueZAdapterSelector, limit: Duration) {
        self.link = link
        self.device = device.path
        var reader = device.reader
        reader.connected = true
        self.reader = reader
        work = Mutex(nil)
        let news = news
        let follower = BlueZReaderMonitor(link: link, adapter: adapter, device: device, power: power, limit: limit) {
            event in
            news.update { $0.add(event) }
        }
        let task = Task {
            do {
                try await follower.run()
                news.update { $0.end(nil) }
            } catch {
                news.update { $0.end(error) }
            }
        }
        work.withLock { $0 = task }
    }

    deinit {
        work.withLock { $0 }?.cancel()
        link.close()
    }

    func nextEvent() async throws -> ReaderEvent? {
        switch try await news.next({ try $0.next() }) {
        case .event(let event): event
        case .end: nil
        }
    }

    func disconnect() async {
        guard await stop() else { return }
        let (link, device) = (link, device)
        // Not cancelled with the surrounding task, because the connection would then remain.
        await Task { await link.disconnect(device) }.value
        finish()
    }

    func release() async {
        if await stop() { finish() }
    }

    /// - Returns: false if it was already stopped.
    private func stop() async -> Bool {
        let task = work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let task else { return false }
        task.cancel()
        await task.value
        return true
    }

    private func finish() {
        link.close()
        news.update { news in
            news.add(.state(.disconnected))
            news.end(nil)
        }
    }
}

/// BlueZ's objects, and which of them have changed since they were last read.
struct BlueZState: Sendable {
    var objects: BlueZObjects
    /// The paths of devices that changed since the last read, each once, oldest change first.
    private var changed: [String] = []
    private var isChanged: Set<String> = []
    /// Number of signals applied that concern objects and their properties.
    private(set) var signals = 0
    /// Why nothing more will arrive.
    var end: ReaderError?

    init(_ objects: BlueZObjects) {
        self.objects = objects
    }

    /// Applies a signal of BlueZ, or the bus's signal that BlueZ left.
    mutating func apply(_ signal: DBusSignal) {
        if signal.interface == BlueZNames.objectManager || signal.interface == BlueZNames.properties { signals += 1 }
        if signal.interface == BlueZNames.bus, signal.member == "NameOwnerChanged" {
            // The arguments: the name, its old owner, its new owner. After a restart, BlueZ has forgotten all requests.
            if signal.arguments.count == 3, signal.arguments[1].text != "" { end = .bluetoothServiceLost }
            return
        }
        guard let path = objects.apply(signal), let device = objects.device(holding: path) else { return }
        note(device.path)
    }

    mutating func note(_ device: String) {
        if isChanged.insert(device).inserted { changed.append(device) }
    }

    /// The next changed device that still exists.
    mutating func nextChanged() -> BlueZDevice? {
        while !changed.isEmpty {
            let path = changed.removeFirst()
            isChanged.remove(path)
            if let device = objects.device(path) { return device }
        }
        return nil
    }
}

/// Session events that have not been read yet. Of successive battery levels only the newest is kept, so that the queue does
/// not grow while nothing reads it.
struct SessionEventQueue: Sendable {
    /// What a reading task receives.
    enum Item: Sendable {
        case event(ReaderEvent)
        case end
    }

    private var events: [ReaderEvent] = []
    private var isEnded = false
    private var error: (any Error)?

    mutating func add(_ event: ReaderEvent) {
        guard !isEnded else { return }
        if case .battery = event, case .battery = events.last { events.removeLast() }
        events.append(event)
    }

    /// Ends the queue. The first end counts, except for a cancellation, which only means that the end was requested.
    mutating func end(_ error: (any Error)?) {
        guard !isEnded, !(error is CancellationError) else { return }
        isEnded = true
        self.error = error
    }

    /// Returns nil while the queue is empty.
    mutating func next() throws -> Item? {
        if !events.isEmpty { return .event(events.removeFirst()) }
        if let error { throw error }
        return isEnded ? .end : nil
    }
}

/// State that one task changes and another awaits. It can be changed until it is read, so that outdated contents need not
/// be kept.
final class AsyncState<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        /// Counts the changes, so that none is missed between reading and waiting.
        var changes = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ contents: Contents) {
        state = Mutex(State(contents: contents))
    }

    /// Changes the contents, and wakes the waiting task.
    ///
    /// Not inlined into asynchronous functions, where the address of the thread's number would be kept.
    @inline(never)
    func update(_ change: (inout Contents) -> Void) {
        let waiter = state.withLock { state in
            change(&state.contents)
            state.changes += 1
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    func look<Value: Sendable>(_ look: (Contents) -> Value) -> Value {
        state.withLock { look($0.contents) }
    }

    /// Waits until `pick` returns a value or throws; it is called at once and after every change. Only one task may wait at
    /// a time. Throws `CancellationError` if the task is cancelled, and then takes nothing.
    func next<Value: Sendable>(_ pick: (inout Contents) throws -> Value?) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let (value, seen) = try state.withLock { state in (try pick(&state.contents), state.changes) }
            if let value { return value }
            await change(after: seen)
        }
    }

    /// Returns when there has been a change after change number `seen`, or when the task is cancelled.
    private func change(after seen: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let waits = state.withLock { state in
                    guard state.changes == seen, !Task.isCancelled else { return false }
                    state.waiter = waiter
                    return true
                }
                if !waits { waiter.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}
