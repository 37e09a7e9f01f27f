import Glibc

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

    case unknownReader(String)
    case noPreviousReader
    /// The list of the merchant's devices may lack some, because rows moved while it was read.
    case devicesIncomplete
    /// The reader disappeared during the operation.
    case vanished(String)
    case connectedElsewhere(String)
    case held(String, by: ReaderLockHolder)
    /// This user is already connected to this reader; only one at a time is allowed.
    case alreadyConnected(String, by: ReaderLockHolder)
    /// This reader is still connected, though no process holds it; only one at a time is allowed.
    case alreadyLinked(String)
    /// The session was lost; `during` is the operation in progress.
    case connectionLost(String, during: ReaderOperation?)
    /// It is not a card reader: it lacks something that every reader has.
    case notReader(String, missing: String)
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

extension ReaderError {
    /// The message, one line.
    package var message: String {
        switch self {
        case .noSystemBus(let detail): "cannot reach D-Bus, which Bluetooth needs: \(detail)"
        case .noBluetoothService: "BlueZ is not running"
        case .bluetoothServiceLost: "BlueZ stopped unexpectedly"
        case .bluetoothSilent(isBus: true): "D-Bus, which Bluetooth needs, does not respond"
        case .bluetoothSilent(isBus: false): "BlueZ does not respond"
        case .noAdapter(nil): "this machine has no Bluetooth adapter"
        case .noAdapter(let name?): "there is no Bluetooth adapter \(name)"
        case .adapterOff(let name): "Bluetooth is off on \(name)"
        case .adapterBlocked(let name, let isHard):
            "Bluetooth is blocked on \(name) by \(isHard ? "a hardware switch" : "rfkill")"
        case .notPermitted(let detail): "this user has no permission to use readers: \(detail)"
        case .busy(let operation): "\(operation.rawValue) is not possible now: BlueZ is already doing it"
        case .bluetooth(let operation, let name, let text):
            "\(operation.rawValue) failed: \(text.isEmpty ? name : "\(text) (\(name))")"
        case .unknownReader(let id): "no reader \(id)"
        case .noPreviousReader: "no reader was connected yet"
        case .devicesIncomplete:
            "the list of the merchant's devices may not be complete, because rows moved while it was read"
        case .vanished(let id): "reader \(id) is out of range, or off"
        case .connectedElsewhere(let id): "reader \(id) is connected to another device, such as a phone"
        case .held(let id, let holder): "reader \(id) is in use by \(holder.text)"
        case .alreadyConnected(let id, let holder): "reader \(id) is already connected by \(holder.text)"
        case .alreadyLinked(let id): "reader \(id) is already connected"
        case .connectionLost(let id, let operation):
            "the connection to reader \(id) was lost\(operation.map { " while \($0.rawValue)" } ?? "")"
        case .notReader(let id, let missing): "\(id) is not a card reader: it has no \(missing)"
        case .notAnswering(let id): "reader \(id) does not respond"
        case .batteryTooLow(let id, let battery, let needed):
            "reader \(id) needs new firmware, but its battery is too low: \(battery) % (minimum: \(needed) %)"
        case .updateFailed(let id, let detail): "the update of reader \(id) failed: \(detail)"
        case .failed(let id, let code, let detail): "reader \(id) cannot be used: \(detail) (\(code))"
        case .timedOut(let operation, let reader, let seconds):
            "\(operation.rawValue)\(reader.map { " (\($0))" } ?? "") took longer than \(Self.text(seconds))"
        case .driver(let failure, let program): "driver \(program): \(failure.message)"
        }
    }

    fileprivate static func text(_ seconds: Double) -> String {
        let tenths = (seconds * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
    }
}

/// How a driver program failed; see clover-reader-driver(5).
package enum DriverFailure: Error, Sendable, Equatable {
    /// It cannot be started; `errno` is the error number (errno(3)).
    case notStarted(errno: Int32)
    case ended(status: Int32)
    case killed(signal: Int32)
    case closedOutput
    /// It wrote nothing for this many seconds while a message, such as `hello`, was awaited.
    case silent(awaiting: String, seconds: Double)
    /// It had not responded to this request, such as `hello`, when the total time was over.
    case unready(request: String)
    /// It wrote this many bytes without a line end.
    case lineTooLong(limit: Int)
    case flood(linesPerSecond: Int)
    /// It wrote a line that is not a JSON object; `excerpt` is its beginning.
    case notJSON(excerpt: String)
    /// It wrote a message that breaks the protocol; `rule` states the rule.
    case violation(rule: String)
    /// It approved a charge in a message that breaks the protocol.
    case unusableApproval(rule: String, payment: String)
    /// It speaks other protocol versions than this program.
    case version(theirs: [Int], ours: Int)
    case lacks(capability: String)
    /// It responded to a request with an error; `code` is one of the protocol's or its own.
    case refused(request: String, code: String, message: String)
}

extension DriverFailure {
    /// Throws `violation` unless this rule of the protocol is met.
    static func require(_ isMet: Bool, _ rule: @autoclosure () -> String) throws(DriverFailure) {
        if !isMet { throw .violation(rule: rule()) }
    }

    /// The message, after the name of the program.
    fileprivate var message: String {
        switch self {
        case .notStarted(let number): "cannot be started: \(String(cString: strerror(number)))"
        case .ended(let status): "exited unexpectedly with status \(status)"
        case .killed(let signal): "was killed by signal \(signal)"
        case .closedOutput: "closed its standard output but kept running"
        case .silent(let awaited, let seconds): "sent nothing for \(ReaderError.text(seconds)), waiting for \(awaited)"
        case .unready(let request): "did not answer '\(request)' within the time limit"
        case .lineTooLong(let limit): "wrote a line longer than \(limit) bytes"
        case .flood(let lines): "wrote more than \(lines) lines in a second"
        case .notJSON(let excerpt): "wrote a line that is not a JSON object: '\(excerpt)'"
        case .violation(let rule), .unusableApproval(let rule, _): "broke the protocol: \(rule)"
        case .version(let theirs, let ours):
            "speaks protocol version \(theirs.map(String.init).joined(separator: ", ")), but clover speaks version \(ours)"
        case .lacks(let capability): "cannot do this: it lacks the capability '\(capability)'"
        case .refused(let request, let code, let message): "refused '\(request)': \(message) (\(code))"
        }
    }
}

extension ReaderLockHolder {
    /// A description such as `'reader connect' (process 4121)`.
    package var text: String {
        command.map { "'\($0)' (process \(processID))" } ?? "another process"
    }
}

/// Errors of reader commands other than `ReaderError`.
package enum ReaderFault: Error, Sendable, Equatable {
    case noDriver
    case malformedDriver(String)
    /// A scan ended without a reader. `seconds` is nil if no time limit ended it; `others` is the number of readers that
    /// were seen but did not match.
    case noneFound(seconds: Double?, transports: [ReaderTransport], others: Int)
    case noneConnected
    case otherConnected(String, by: ReaderLockHolder)
    /// The process that holds the reader does not release it.
    case notReleased(String, by: ReaderLockHolder)
    case severalReaders(String, ids: [String])
    case driverFails(program: String)
    /// A driver's check found no reader that could be connected.
    case checkIncomplete(program: String)
}
