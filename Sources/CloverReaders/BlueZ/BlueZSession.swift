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
