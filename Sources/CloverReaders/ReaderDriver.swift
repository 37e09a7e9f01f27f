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

/// What a discovery should tell of. A driver may use it to hear less; it is applied again to what the driver tells.
package struct DiscoveryFilter: Sendable, Equatable {
    /// Every device that the transport hears, not only Clover's readers.
    package var includesAllDevices: Bool

    package init(includesAllDevices: Bool = false) {
        self.includesAllDevices = includesAllDevices
    }
}

/// What Clover says about the charge of a reader, in percent (Clover Go quick start, device connection).
package enum ReaderRules {
    /// Below this a reader that is ready has the state `lowBattery`.
    package static let lowBattery = 20
    /// Below this no firmware update is begun: a reader that dies in the middle may not start again.
    package static let updateBattery = 30
    /// What Clover's readers are called: this and six digits.
    package static let namePrefix = "Clover_Go_"
}

/// What was being done with readers, for a message.
package enum ReaderOperation: String, Sendable {
    case reachingBluetooth = "asking for the Bluetooth service"
    case startingDiscovery = "starting the discovery"
    case stoppingDiscovery = "stopping the discovery"
    case connecting = "connecting"
    case resolvingServices = "reading the reader's services"
    case initializing = "preparing the reader"
    case updating = "updating the reader"
    case disconnecting = "disconnecting"
    case poweringOn = "turning Bluetooth on"
    case pinging = "asking the device whether it is there"
}

/// What can go wrong with readers. Facts only; messages are made where they are shown.
package enum ReaderError: Error, Sendable, Equatable {
    // The machine's Bluetooth.

    /// There is no system bus, or it cannot be reached; `detail` says how that showed.
    case noSystemBus(detail: String)
    /// The bus is there, but nobody on it is BlueZ.
    case noBluetoothService
    /// BlueZ left the bus in the middle.
    case bluetoothServiceLost
    /// BlueZ is on the bus and does not answer; `isBus`: the system bus itself does not.
    case bluetoothSilent(isBus: Bool)
    /// The machine has no adapter, or none of this name.
    case noAdapter(named: String?)
    /// The adapter, such as `hci0`, is turned off.
    case adapterOff(String)
    /// rfkill(8) keeps the adapter off, `isHard` by a switch.
    case adapterBlocked(String, isHard: Bool)
    /// The bus or BlueZ refuses this user.
    case notPermitted(detail: String)
    /// BlueZ is at something else, and this cannot be done meanwhile (`org.bluez.Error.InProgress`).
    case busy(ReaderOperation)
    /// BlueZ refused for a reason that is none of the others: the error reply's name and text.
    case bluetooth(ReaderOperation, name: String, text: String)

    // A reader.

    /// No reader has this id or name.
    case unknownReader(String)
    /// No reader was ever connected, so there is no last one.
    case noPreviousReader
    /// It was there, and went away in the middle.
    case vanished(String)
    /// Somebody else, such as a phone, is connected to it.
    case connectedElsewhere(String)
    /// Another process of this machine holds it.
    case held(String, by: ReaderHolder)
    /// This user is connected to that one already; one at a time.
    case alreadyConnected(String, by: ReaderHolder)
    /// The link to that one is up, and no process holds it; one at a time.
    case alreadyLinked(String)
    /// The session broke; `during` says what it was at.
    case connectionLost(String, during: ReaderOperation?)
    /// It is not a card reader: what a reader must have is missing.
    case notReader(String, missing: String)
    /// It is known, but gives no sign of life.
    case notAnswering(String)
    /// It needs an update, and its charge in percent is too low for one.
    case batteryTooLow(String, battery: Int, needed: Int)
    /// The update came to no good end; `detail` is the driver's word.
    case updateFailed(String, detail: String)
    /// It did not get ready; `code` and `detail` are the driver's words.
    case failed(String, code: String, detail: String)
    /// Nothing came of it in the time allowed. `reader` is nil where none was concerned.
    case timedOut(ReaderOperation, reader: String?, seconds: Double)

    // A driver program.

    case driver(DriverFailure, program: String)

    /// Whether it is not known what there is, because what was asked did not answer.
    package var isSilence: Bool {
        switch self {
        case .bluetoothSilent, .driver(.unready, _): true
        default: false
        }
    }
}

/// What a driver program did wrong; see clover-reader-driver(5).
package enum DriverFailure: Error, Sendable, Equatable {
    /// It cannot be started, for this error number (errno(3)).
    case notStarted(errno: Int32)
    /// It ended with this status in the middle of a conversation.
    case ended(status: Int32)
    /// This signal ended it.
    case killed(signal: Int32)
    /// It closed its standard output, and goes on.
    case closedOutput
    /// It said nothing for so many seconds while this was awaited, such as `hello`.
    case silent(awaiting: String, seconds: Double)
    /// It had not answered this request, such as `hello`, when the time for all was over.
    case unready(request: String)
    /// A line without an end, after so many bytes.
    case lineTooLong(limit: Int)
    /// More lines than anybody could take: so many in a second.
    case flood(linesPerSecond: Int)
    /// A line that is not a JSON object; `excerpt` is its beginning.
    case notJSON(excerpt: String)
    /// A message that breaks the protocol; `rule` says which part of it.
    case violation(rule: String)
    /// It speaks other versions than this one.
    case version(theirs: [Int], ours: Int)
    /// It cannot do what was asked.
    case lacks(capability: String)
    /// It answered a request with an error; `code` is one of the protocol's, or its own.
    case refused(request: String, code: String, message: String)
}
