/// Finds readers and connects to them. There is one driver per transport.
///
/// Throws `ReaderError` and `CancellationError`, and whatever a caller's closure throws.
package protocol ReaderDriver: Sendable {
    var transport: ReaderTransport { get }

    /// Discovers readers until `onSighting` returns false or throws, the task is cancelled, or no more readers can come.
    /// However it ends, discovery has been stopped before this returns, so the code that stops it must also run in a
    /// cancelled task.
    ///
    /// If cancelled before anything could be discovered, it throws the error for what it was waiting for, if known.
    ///
    /// The next sighting is reported when `onSighting` has returned; meanwhile a driver keeps only the newest sighting of
    /// each reader. A reader is reported again when one of its properties changes.
    ///
    /// - Parameter allDevices: whether to include every device of the transport, not only Clover readers.
    func discover(
        allDevices: Bool, onSighting: @Sendable (DiscoveredReader) async throws -> Bool
    ) async throws

    /// Starts a session. Returns as soon as the driver is working on it: the first event is `initializing`, and the reader
    /// is usable after `ready`.
    ///
    /// A cancelled task leaves no session behind.
    /// - Parameter timeout: seconds for connecting, without firmware updates.
    func connect(to id: String, timeout: Double) async throws -> any ReaderSession

    /// The readers that are still connected after `ReaderSession.release`.
    func linkedReaders() async throws -> [Reader]

    /// Ends such a connection.
    /// - Returns: false if there was none.
    func disconnectLinked(to id: String) async throws -> Bool
}

extension ReaderDriver {
    package func linkedReaders() async throws -> [Reader] { [] }

    package func disconnectLinked(to id: String) async throws -> Bool { false }
}

/// Clover's rules for readers (Clover Go quick start, device connection). Battery levels are in percent.
package enum ReaderRules {
    /// Below this level, a ready reader has the state `lowBattery`.
    package static let lowBattery = 20
    /// Below this level no firmware update is started: a reader that runs out of power during one may not start again.
    package static let updateBattery = 30
    /// The name of a Clover reader is this prefix and six digits.
    package static let namePrefix = "Clover_Go_"
}
