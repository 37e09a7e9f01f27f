import CloverDBus
import Synchronization

/// A session with a reader that BlueZ holds the link to.
final class BlueZSession: ReaderSession {
    let reader: Reader
    private let link: BlueZLink
    private let device: String
    private let news = Mailbox(SessionNews())
    /// Prepares the reader and then follows it; cancelled at the end of the session.
    private let work: Mutex<Task<Void, Never>?>

    /// - Parameter limit: for what the reader does before it is ready.
    init(link: BlueZLink, adapter: BlueZAdapter, device: BlueZDevice, power: BlueZPower, limit: Duration) {
        self.link = link
        self.device = device.path
        var reader = device.reader
        reader.connected = true
        self.reader = reader
        work = Mutex(nil)
        let news = news
        let follower = BlueZFollower(link: link, adapter: adapter, device: device, power: power, limit: limit) {
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
        // The task around it may be cancelled, and the link would stay.
        await Task { await link.disconnect(device) }.value
        finish()
    }

    func release() async {
        if await stop() { finish() }
    }

    /// - Returns: false when it was stopped before.
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

/// What is known of BlueZ at one moment, and what of it has not been looked at.
struct BlueZState: Sendable {
    var objects: BlueZObjects
    /// The paths of devices that changed since somebody looked, each once, the oldest change first.
    private var changed: [String] = []
    private var isChanged: Set<String> = []
    /// How many signals were taken over that tell of objects and their properties.
    private(set) var signals = 0
    /// Why nothing more will come.
    var end: ReaderError?

    init(_ objects: BlueZObjects) {
        self.objects = objects
    }

    /// Takes over a signal of BlueZ, or the bus's word that BlueZ left.
    mutating func apply(_ signal: DBusSignal) {
        if signal.interface == BlueZNames.objectManager || signal.interface == BlueZNames.properties { signals += 1 }
        if signal.interface == BlueZNames.bus, signal.member == "NameOwnerChanged" {
            // The name, who had it, and who has it now. After a new start nothing that we asked for goes on.
            if signal.arguments.count == 3, signal.arguments[1].text != "" { end = .bluetoothServiceLost }
            return
        }
        guard let path = objects.apply(signal), let device = objects.device(holding: path) else { return }
        note(device.path)
    }

    mutating func note(_ device: String) {
        if isChanged.insert(device).inserted { changed.append(device) }
    }

    /// The next device that changed and is still there.
    mutating func nextChanged() -> BlueZDevice? {
        while !changed.isEmpty {
            let path = changed.removeFirst()
            isChanged.remove(path)
            if let device = objects.device(path) { return device }
        }
        return nil
    }
}

/// What a session has to tell and nobody has asked for yet. Of a charge that changes only the newest is kept, so that it
/// does not grow while nobody asks.
struct SessionNews: Sendable {
    /// What whoever waits is told.
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

    /// The first end counts, but for one by cancellation, which only says that the end was asked for.
    mutating func end(_ error: (any Error)?) {
        guard !isEnded, !(error is CancellationError) else { return }
        isEnded = true
        self.error = error
    }

    /// Nil while there is nothing.
    mutating func next() throws -> Item? {
        if !events.isEmpty { return .event(events.removeFirst()) }
        if let error { throw error }
        return isEnded ? .end : nil
    }
}

/// What one task leaves for another, which waits for it. Until it is taken it can be changed, so that what is out of
/// date need not be kept.
final class Mailbox<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        /// Counts the changes, so that none is missed between looking and waiting.
        var changes = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ contents: Contents) {
        state = Mutex(State(contents: contents))
    }

    /// Changes the contents, and wakes whoever waits.
    func update(_ change: (inout Contents) -> Void) {
        let waiter = state.withLock { state in
            change(&state.contents)
            state.changes += 1
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Looks, without waiting.
    func look<Value: Sendable>(_ look: (Contents) -> Value) -> Value {
        state.withLock { look($0.contents) }
    }

    /// Waits until `pick` gives a value, or throws; it is asked at once and after every change. One task may wait at a
    /// time. Throws `CancellationError` when the task is cancelled, and takes nothing then.
    func next<Value: Sendable>(_ pick: (inout Contents) throws -> Value?) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let (value, seen) = try state.withLock { state in (try pick(&state.contents), state.changes) }
            if let value { return value }
            await change(after: seen)
        }
    }

    /// Returns when there was a change since so many, or the task is cancelled.
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
