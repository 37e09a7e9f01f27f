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
    func discover(
        _ filter: DiscoveryFilter, onSighting: @Sendable (DiscoveredReader) async throws -> Bool
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

/// Which readers to discover. A driver may use it to receive less; it is applied again to the driver's reports.
package struct DiscoveryFilter: Sendable, Equatable {
    /// Whether to include every device of the transport, not only Clover readers.
    package var includesAllDevices: Bool

    package init(includesAllDevices: Bool = false) {
        self.includesAllDevices = includesAllDevices
    }
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

/// An operation on readers, for messages.
package enum ReaderOperation: String, Sendable {
    case reachingBluetooth = "contacting the Bluetooth service"
    case startingDiscovery = "starting the discovery"
    case connecting = "connecting"
    case resolvingServices = "reading the reader's services"
    case initializing = "preparing the reader"
    case updating = "updating the reader"
    case disconnecting = "disconnecting"
    case poweringOn = "turning Bluetooth on"
}

/// An error with readers. It holds facts only; messages are made where they are shown.
package enum ReaderError: Error, Sendable, Equatable {
    // Bluetooth on this machine

    /// There is no system bus, or it cannot be reached; `detail` describes the failure.
    case noSystemBus(detail: String)
    /// The system bus is there, but BlueZ is not on it.
    case noBluetoothService
    /// BlueZ left the bus during the operation.
    case bluetoothServiceLost
    /// BlueZ does not respond; if `isBus`, the system bus itself does not.
    case bluetoothSilent(isBus: Bool)
    /// The machine has no adapter, or none with this name.
    case noAdapter(named: String?)
    /// The adapter, such as `hci0`, is turned off.
    case adapterOff(String)
    /// rfkill(8) blocks the adapter; if `isHard`, a hardware switch does.
    case adapterBlocked(String, isHard: Bool)
    /// The bus or BlueZ refuses this user.
    case notPermitted(detail: String)
    /// BlueZ is busy with another operation, which prevents this one (`org.bluez.Error.InProgress`).
    case busy(ReaderOperation)
    /// BlueZ refused for any other reason: the name and text of its error reply.
    case bluetooth(ReaderOperation, name: String, text: String)

    // Readers

    /// No reader has this ID or name.
    case unknownReader(String)
    /// No reader was ever connected, so there is no last one.
    case noPreviousReader
    /// The reader disappeared during the operation.
    case vanished(String)
    /// Another device, such as a phone, is connected to it.
    case connectedElsewhere(String)
    /// Another process on this machine holds it.
    case held(String, by: ReaderLockHolder)
    /// This user is already connected to this reader; only one at a time is allowed.
    case alreadyConnected(String, by: ReaderLockHolder)
    /// This reader is still connected, though no process holds it; only one at a time is allowed.
    case alreadyLinked(String)
    /// The session was lost; `during` is the operation in progress.
    case connectionLost(String, during: ReaderOperation?)
    /// It is not a card reader: it lacks something that every reader has.
    case notReader(String, missing: String)
    /// It is known, but does not respond.
    case notAnswering(String)
    /// It needs an update, but its battery level in percent is too low for one.
    case batteryTooLow(String, battery: Int, needed: Int)
    /// The update failed; `detail` is the driver's message.
    case updateFailed(String, detail: String)
    /// It did not become ready; `code` and `detail` come from the driver.
    case failed(String, code: String, detail: String)
    /// The operation did not finish in time. `reader` is nil if none was involved.
    case timedOut(ReaderOperation, reader: String?, seconds: Double)

    // Driver programs

    case driver(DriverFailure, program: String)

    /// Whether the result is unknown because the bus, BlueZ or the driver did not respond.
    package var isUnresponsive: Bool {
        switch self {
        case .bluetoothSilent, .driver(.unready, _): true
        default: false
        }
    }
}

/// How a driver program failed; see clover-reader-driver(5).
package enum DriverFailure: Error, Sendable, Equatable {
    /// It cannot be started; `errno` is the error number (errno(3)).
    case notStarted(errno: Int32)
    /// It exited with this status during a conversation.
    case ended(status: Int32)
    /// It was killed by this signal.
    case killed(signal: Int32)
    /// It closed its standard output but continues to run.
    case closedOutput
    /// It wrote nothing for this many seconds while a message, such as `hello`, was awaited.
    case silent(awaiting: String, seconds: Double)
    /// It had not responded to this request, such as `hello`, when the total time was over.
    case unready(request: String)
    /// It wrote this many bytes without a line end.
    case lineTooLong(limit: Int)
    /// It wrote more lines per second than the limit.
    case flood(linesPerSecond: Int)
    /// It wrote a line that is not a JSON object; `excerpt` is its beginning.
    case notJSON(excerpt: String)
    /// It wrote a message that breaks the protocol; `rule` states the rule.
    case violation(rule: String)
    /// It approved a charge in a message that breaks the protocol.
    case unusableApproval(rule: String, payment: String)
    /// It speaks other protocol versions than this program.
    case version(theirs: [Int], ours: Int)
    /// It does not have this capability.
    case lacks(capability: String)
    /// It responded to a request with an error; `code` is one of the protocol's or its own.
    case refused(request: String, code: String, message: String)
}
