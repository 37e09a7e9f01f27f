/// What finds readers and connects to them. One for each transport.
///
/// Errors are `ReaderError` and `CancellationError`, besides what a caller's own closure throws.
package protocol ReaderDriver: Sendable {
    var transport: ReaderTransport { get }

    /// Discovers readers until `onSighting` returns false, or throws, or the task is cancelled, or it is certain that
    /// nothing more will come. However it ends, discovery has been stopped before this returns, so the stop must not be
    /// something that the cancelled task would not carry out.
    ///
    /// Cancelled before anything could be discovered, it throws what that was waiting for, where that is known.
    ///
    /// The next sighting is told when `onSighting` has returned; a driver keeps at most the newest sighting of each
    /// reader meanwhile. A reader is told again when something about it changed.
    func discover(
        _ filter: DiscoveryFilter, onSighting: @Sendable (ReaderSighting) async throws -> Bool
    ) async throws

    /// Begins a session. Returns as soon as the driver works on it: the first event is `initializing`, and the reader
    /// can be used after `ready`.
    ///
    /// A cancelled task leaves no session behind.
    /// - Parameter timeout: seconds for the link itself, without updates.
    func connect(to id: String, timeout: Double) async throws -> any ReaderSession

    /// The readers that have a link now, which a `ReaderSession.release` left up.
    func linkedReaders() async throws -> [Reader]

    /// Ends such a link.
    /// - Returns: false when there was none.
    func endLink(to id: String) async throws -> Bool
}

extension ReaderDriver {
    package func linkedReaders() async throws -> [Reader] { [] }

    package func endLink(to id: String) async throws -> Bool { false }
}
