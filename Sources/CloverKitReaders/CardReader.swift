import CloverReaders

/// A card reader, with what is known of it.
///
/// ```swift
/// for try await reader in readers.scan() {
///     print(reader.name ?? reader.id, reader.isInRange, reader.signalStrength ?? 0, reader.battery ?? -1)
///     print(reader.model ?? "", reader.serial ?? "", reader.firmware ?? "")
/// }
/// ```
public struct CardReader: Sendable, Hashable {
    /// The Bluetooth address, the device's id, or the id that its driver chose.
    public let id: String
    /// The display name, such as `Clover_Go_630094`.
    public let name: String?
    /// In dBm, negative; closer to 0 is stronger. Nil if unknown, and for what is not reached by Bluetooth.
    public let signalStrength: Int?
    /// The battery level in percent, 0...100; nil if unknown.
    public let battery: Int?
    /// The version of its firmware; nil if unknown.
    public let firmware: String?
    /// The serial number; nil if unknown.
    public let serial: String?
    /// The model, such as `Flex`; nil if unknown.
    public let model: String?
    /// Whether it was found just now, or is connected. One that is only remembered may be off or away.
    public let isInRange: Bool

    init(_ reader: Reader, isInRange: Bool) {
        id = reader.id
        name = reader.name
        signalStrength = reader.rssi
        battery = reader.battery
        firmware = reader.firmware
        serial = reader.serial
        model = reader.model
        self.isInRange = isInRange
    }
}

/// The state of the connection to a reader.
///
/// ```swift
/// for await status in readers.status {
///     switch status {
///     case .initializing: print("connected, not ready yet")
///     case .updatingFirmware(let progress): print("update:", Int((progress ?? 0) * 100), "%")
///     case .ready, .lowBattery: print("ready")
///     case .disconnected(let reason): print("not connected", reason?.message ?? "")
///     }
/// }
/// ```
public enum ReaderStatus: Sendable, Hashable {
    /// Linked; the reader checks its configuration.
    case initializing
    /// Firmware or keys are being updated. The progress is from 0 to 1; nil if unknown.
    case updatingFirmware(progress: Double?)
    /// Ready for use.
    case ready
    /// Ready for use, with a battery level below 20 %.
    case lowBattery
    /// Not connected. The reason is that of a reader: nil before the first connection, after `Readers.disconnect()`, and after a
    /// call of `Readers.connect(_:within:)` that was cancelled or threw a `CloverError`.
    case disconnected(CardReaderError?)

    /// Nil for the end of a session, whose reason is known only to its caller.
    init?(_ report: SessionReport) {
        switch ReaderState(rawValue: report.state) {
        case .initializing: self = .initializing
        case .updatingFW: self = .updatingFirmware(progress: report.progress)
        case .ready: self = .ready
        case .lowBattery: self = .lowBattery
        case .disconnected, nil: return nil
        }
    }
}

/// Why readers cannot be found, or one cannot be used.
///
/// ```swift
/// do {
///     _ = try await readers.connect()
/// } catch let error as CardReaderError {
///     switch error.kind {
///     case .noReader: print("switch the reader on, and scan")
///     case .unavailable, .notPermitted: print("this machine:", error.message)
///     case .inUse, .batteryTooLow, .lost, .timedOut, .failed: print(error.message)
///     }
///     print(error.nextStep)
/// }
/// ```
public struct CardReaderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What a program can decide by.
    public enum Kind: Sendable, Hashable {
        /// Bluetooth, or the driver program, cannot be used on this machine.
        case unavailable
        /// This user may not use readers.
        case notPermitted
        /// The reader is unknown, off or out of range, or none was connected yet.
        case noReader
        /// The reader is in use, or this user is connected to a reader already.
        case inUse
        /// The reader needs new firmware, for which its battery level is too low.
        case batteryTooLow
        /// The connection was lost.
        case lost
        /// The reader did not respond, or did not become ready, in time.
        case timedOut
        /// Another failure of the reader or of its driver.
        case failed
    }

    /// What kind of problem it is.
    public let kind: Kind
    /// What failed and why.
    public let message: String

    /// What to do next.
    public var nextStep: String {
        switch kind {
        case .unavailable: "see 'clover doctor', and check the adapter, or the command of the driver"
        case .notPermitted: "allow this user to use Bluetooth; see 'clover doctor'"
        case .noReader: "switch the reader on, bring it near, and scan again"
        case .inUse: "disconnect the reader where it is in use, and try again"
        case .batteryTooLow: "charge the reader, and connect again"
        case .lost: "connect again"
        case .timedOut: "bring the reader nearer, and try again"
        case .failed: "try again; if this persists, switch the reader off and on"
        }
    }

    public var description: String { "\(message); \(nextStep)" }

    init(_ error: ReaderError) {
        message = error.message
        kind =
            switch error {
            case .noSystemBus, .noBluetoothService, .bluetoothServiceLost, .bluetoothSilent, .noAdapter, .adapterOff,
                .adapterBlocked, .bluetooth, .driver(.notStarted, _):
                .unavailable
            case .notPermitted: .notPermitted
            case .unknownReader, .noPreviousReader, .vanished: .noReader
            case .busy, .connectedElsewhere, .held, .alreadyConnected, .alreadyLinked: .inUse
            case .batteryTooLow: .batteryTooLow
            case .connectionLost: .lost
            case .notAnswering, .timedOut: .timedOut
            case .notReader, .devicesIncomplete, .updateFailed, .failed, .driver: .failed
            }
    }

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
