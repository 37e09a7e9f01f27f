import CloverAPI
public import CloverKit
import CloverReaders
import CloverSystem
import FoundationEssentials
import Synchronization

/// The card readers of a shop: finds them, connects to one, and follows its state.
///
/// Each user of the machine can be connected to one reader at a time, whichever program connects.
///
/// ```swift
/// let readers = Readers(for: shop)
/// for try await reader in readers.scan() { print(reader.name ?? reader.id) }
/// let reader = try await readers.connect()
/// for await percent in readers.battery { print(reader.id, percent ?? -1) }
/// ```
public final class Readers: Sendable {
    /// How readers are reached.
    ///
    /// ```swift
    /// let ways: [Readers.Transport] = [.bluetooth(adapter: "hci0"), .devices, .driver("my-driver --port 4000")]
    /// for way in ways {
    ///     for try await reader in Readers(for: shop, over: way).scan() { print(reader.id) }
    /// }
    /// ```
    public enum Transport: Sendable, Hashable {
        /// Bluetooth Low Energy, through BlueZ and an adapter such as `hci0`; nil for any.
        case bluetooth(adapter: String? = nil)
        /// The merchant's Clover devices, through Clover.
        case devices
        /// A driver program: a command line of words and quotes. It speaks the protocol of clover-reader-driver(5).
        case driver(String)
    }

    private struct State {
        var isTaken = false
        var reader: CardReader?
        var session: Task<Void, Never>?
    }

    private let shop: Shop
    private let transport: Transport
    private let state = Mutex(State())
    private let statuses = CurrentValue<ReaderStatus>(.disconnected(nil))
    private let batteries = CurrentValue<Int?>(nil)

    /// The readers that are reached in one way. Nothing is opened or sent.
    public init(for shop: Shop, over transport: Transport = .bluetooth()) {
        self.shop = shop
        self.transport = transport
    }

    deinit {
        state.withLock { $0.session }?.cancel()
    }

    /// The state of the connection: the current one, then each change. The sequence ends with the last reference to this
    /// object.
    public var status: AsyncStream<ReaderStatus> { statuses.values }

    /// The battery level of the connected reader in percent, 0...100: the current one, then each change; nil if it is unknown,
    /// and without a connection. The sequence ends with the last reference to this object.
    public var battery: AsyncStream<Int?> { batteries.values }

    /// The reader that is connected, as it was when it became ready; nil without a connection.
    public var connectedReader: CardReader? { state.withLock(\.reader) }

    /// Finds readers that are in range, or connected to this machine. The scan begins with the first reader that is asked for, and
    /// the sequence ends with the scan. A reader is reported again when one of its properties has changed. Leaving the loop ends
    /// the scan.
    ///
    /// - Parameter time: how long to scan. For the merchant's devices, the timeout: their scan ends when all were asked.
    /// - Returns: a sequence that throws `CardReaderError` if readers cannot be found, and `CloverError` if Clover does not list
    ///   its devices.
    public func scan(for time: Duration = .seconds(5)) -> Scan {
        scan(for: time, includingAbsent: false)
    }

    /// Finds readers like `scan(for:)`, also those that are only remembered: by Bluetooth, which this machine has seen or paired with
    /// before; of the merchant's devices, those that do not respond. Their `CardReader.isInRange` is false.
    ///
    /// ```swift
    /// for try await reader in readers.scan(for: .seconds(10), includingAbsent: true) where !reader.isInRange {
    ///     print(reader.name ?? reader.id, "is off or away")
    /// }
    /// ```
    public func scan(for time: Duration = .seconds(5), includingAbsent: Bool) -> Scan {
        Scan { [shop, transport] deliver in
            do {
                let driver = try Self.driver(transport, shop)
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await driver.discover(allDevices: false) {
                            // Connected readers do not advertise.
                            let isInRange = $0.isLive || $0.reader.connected
                            guard isInRange || includingAbsent else { return true }
                            return try await deliver(CardReader($0.reader, isInRange: isInRange))
                        }
                        return true
                    }
                    group.addTask {
                        try await Task.sleep(for: time)
                        return false
                    }
                    let isOver = try await group.next() == true
                    group.cancelAll()
                    do {
                        try await group.waitForAll()
                    } catch is CancellationError {
                        try Task.checkCancellation()
                    }
                    // A list of devices has an end.
                    if !isOver, transport == .devices {
                        throw CardReaderError(.timedOut, "Clover did not show all devices within \(time)")
                    }
                }
            } catch {
                throw Self.wrapping(error)
            }
        }
    }

    /// Readers as they are found.
    public struct Scan: AsyncSequence, Sendable {
        public typealias Element = CardReader
        public typealias Failure = any Error
        let read: Feed<CardReader>.Reader

        /// Begins the scan with the first call of `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(feed: Feed(read)) }

        /// One scan. Belongs to one task.
        public struct Iterator: AsyncIteratorProtocol {
            let feed: Feed<CardReader>

            /// The next reader; nil when the scan is over.
            ///
            /// - Throws: `CardReaderError`, `CloverError`, or `CancellationError`.
            public mutating func next() async throws -> CardReader? { try await feed.next() }
        }
    }

    /// The readers that any program of this user was connected to in this way, the latest first. They may be out of range.
    ///
    /// ```swift
    /// if let last = try await readers.previous().first { print(last.name ?? last.id) }
    /// ```
    ///
    /// - Throws: `CloverError` of the kind `.state`.
    public func previous() async throws -> [CardReader] {
        do {
            return try await known().map { CardReader($0, isInRange: false) }
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    /// Connects to a reader, and returns when it is ready for use. Firmware and keys are updated if the reader needs it, which
    /// takes minutes; `status` has the progress. Without enough battery for new firmware, none is begun.
    ///
    /// - Parameters:
    ///   - reader: the reader; nil for the latest one of `previous()`.
    ///   - time: the timeout of the link, without updates.
    /// - Returns: the reader, with what became known of it.
    /// - Throws: `CardReaderError`; `CloverError` of the kind `.notSignedIn`, `.state`, or for Clover's devices any other;
    ///   `CancellationError`, after which no connection is left.
    @discardableResult
    public func connect(_ reader: CardReader? = nil, within time: Duration = .seconds(30)) async throws -> CardReader {
        let isFree = state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
        guard isFree else { throw CardReaderError(.inUse, "a reader is already connected") }
        do {
            let (session, tracker) = try await ready(reader, time)
            let found = CardReader(tracker.reader, isInRange: true)
            let (statuses, batteries) = (statuses, batteries)
            state.withLock { state in
                state.reader = found
                // Ended by `disconnect`, or with the last reference to this object, which it does not keep.
                state.session = Task { [weak self] in
                    let reason = await Self.follow(session, tracker, statuses, batteries)
                    self?.state.withLock { $0 = State() }
                    Self.close(reason, statuses, batteries)
                }
            }
            return found
        } catch {
            let error = Self.wrapping(error)
            state.withLock { $0 = State() }
            Self.close(error as? CardReaderError, statuses, batteries)
            throw error
        }
    }

    /// Ends the connection, if there is one, and returns when the reader is free. To end a call of `connect` that has not
    /// returned, cancel its task.
    ///
    /// ```swift
    /// print(readers.connectedReader?.id ?? "none")
    /// await readers.disconnect()
    /// ```
    public func disconnect() async {
        let session = state.withLock(\.session)
        session?.cancel()
        await session?.value
    }
}

extension Readers {
    /// What other processes see as the holder of the reader.
    private static let command = "CloverKit"

    private func known() async throws -> [Reader] {
        let store = ReaderStore(directory: shop.state)
        let kind = kind
        return try await DedicatedThread.run { () throws in try store.all() }
            .map(\.reader).filter { $0.transport == kind }
    }

    private var kind: ReaderTransport {
        switch transport {
        case .bluetooth: .ble
        case .devices: .cloud
        case .driver: .driver
        }
    }

    private static func driver(_ transport: Transport, _ shop: Shop) throws -> any ReaderDriver {
        let variables = ProcessInfo.processInfo.environment
        switch transport {
        case .bluetooth(let adapter): return BlueZDriver(variables: variables, adapter: adapter)
        case .devices:
            return CloudDriver(client: shop.client, merchantID: shop.merchantID) {
                try await Task.sleep(for: .seconds($0))
            }
        case .driver(let text):
            guard let command = DriverCommand(parsing: text) else {
                throw CardReaderError(.unavailable, "'\(text)' is not a command")
            }
            return ExternalDriver(command, variables: variables) { _ in }
        }
    }

    /// A session with a reader that is ready.
    private func ready(
        _ reader: CardReader?, _ time: Duration
    ) async throws -> (LockedReaderSession, ReaderTracker) {
        guard try await shop.isLoggedIn else {
            throw CloverError.signIn(isAmbiguous: false, merchantID: shop.merchantID)
        }
        let target = try await target(reader)
        let session = try await LockedReaderSession.begin(
            target, by: try Self.driver(transport, shop), command: Self.command, timeout: time / .seconds(1),
            on: LockedReaderSession.Host(state: shop.state, now: { Shop.now }))
        let (statuses, batteries) = (statuses, batteries)
        do {
            let tracker = try await session.prepare { Self.note($0, statuses, batteries) }
            return (session, tracker)
        } catch {
            await session.end()
            session.unlock()
            throw error
        }
    }

    private func target(_ reader: CardReader?) async throws -> Reader {
        if let reader { return Reader(id: reader.id, transport: kind, name: reader.name) }
        guard let last = try await known().first else { throw ReaderError.noPreviousReader }
        return last
    }

    /// Follows a session to its end.
    ///
    /// - Returns: why it ended; nil if it was to end.
    private static func follow(
        _ session: LockedReaderSession, _ tracker: ReaderTracker, _ statuses: CurrentValue<ReaderStatus>,
        _ batteries: CurrentValue<Int?>
    ) async -> CardReaderError? {
        var reason: CardReaderError? = CardReaderError(.lost, "the connection to reader \(tracker.reader.label) ended")
        do {
            try await session.follow(tracker) { note($0, statuses, batteries) }
        } catch is CancellationError {
            reason = nil
        } catch {
            reason = wrapping(error) as? CardReaderError ?? CardReaderError(.failed, "\(error)")
        }
        await session.end()
        session.unlock()
        return reason
    }

    /// Not inlined into asynchronous functions; see `CurrentValue.set`.
    @inline(never)
    private static func note(
        _ report: SessionReport, _ statuses: CurrentValue<ReaderStatus>, _ batteries: CurrentValue<Int?>
    ) {
        if let battery = report.battery { batteries.set(battery) }
        if let status = ReaderStatus(report) { statuses.set(status) }
    }

    private static func close(
        _ reason: CardReaderError?, _ statuses: CurrentValue<ReaderStatus>, _ batteries: CurrentValue<Int?>
    ) {
        batteries.set(nil)
        statuses.set(.disconnected(reason))
    }

    private static func wrapping(_ error: any Error) -> any Error {
        switch error {
        case let error as ReaderError: CardReaderError(error)
        case let error as CardReaderError: error
        default: CloverError.wrapping(error)
        }
    }
}
