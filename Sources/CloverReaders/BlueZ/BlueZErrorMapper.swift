import CloverDBus
import Glibc

/// Translates errors of the bus and refusals of BlueZ into reader errors.
enum BlueZErrorMapper {
    /// - Parameters:
    ///   - operation: the operation that failed.
    ///   - adapter: the adapter's name.
    ///   - reader: the reader as the user names it; nil if none was involved.
    static func error(
        _ error: DBusError, during operation: ReaderOperation, adapter: String? = nil, reader: String? = nil
    ) -> any Error {
        switch error {
        case .cancelled: return CancellationError()
        case .serviceUnknown, .serviceNotStarted: return ReaderError.noBluetoothService
        case .abandoned: return ReaderError.bluetoothServiceLost
        case .accessDenied(let detail): return ReaderError.notPermitted(detail: oneLine(detail))
        // Operations that do not involve the reader.
        case .timedOut where [.reachingBluetooth, .startingDiscovery, .poweringOn].contains(operation):
            return ReaderError.bluetoothSilent(isBus: false)
        case .timedOut(_, let seconds): return ReaderError.timedOut(operation, reader: reader, seconds: seconds)
        case .reply(let name, let text):
            return refusal(name, oneLine(text), during: operation, adapter: adapter, reader: reader)
        case .libraryMissing(let detail):
            return ReaderError.noSystemBus(detail: "libsystemd cannot be used: \(oneLine(detail))")
        case .noAddress: return ReaderError.noSystemBus(detail: "its address is unknown")
        case .unusableAddress(let address):
            return ReaderError.noSystemBus(detail: "not a local address: \(oneLine(address))")
        case .notConnected(let address, let number):
            return ReaderError.noSystemBus(detail: "\(oneLine(address)): \(text(number))")
        case .disconnected: return ReaderError.noSystemBus(detail: "the connection was lost")
        case .signalsLost:
            return ReaderError.noSystemBus(detail: "messages arrived faster than they could be processed")
        case .notSendable(let member, let number):
            return ReaderError.noSystemBus(detail: "\(member) cannot be sent: \(text(number))")
        case .unreadable(let member, let number):
            return ReaderError.noSystemBus(detail: "the response to \(member) cannot be read: \(text(number))")
        case .system(let call, let number): return ReaderError.noSystemBus(detail: "\(call): \(text(number))")
        }
    }

    private static func refusal(
        _ name: String, _ text: String, during operation: ReaderOperation, adapter: String?, reader: String?
    ) -> ReaderError {
        // The called object is gone: libdbus and GDBus, both of which BlueZ uses, have different errors for that.
        if let reader, name.hasPrefix("\(BlueZNames.bus).Error.Unknown") { return .vanished(reader) }
        if name.hasPrefix("\(BlueZNames.bus).Error.Unknown") { return .noAdapter(named: adapter) }
        guard name.hasPrefix(BlueZNames.errorPrefix) else { return .bluetooth(operation, name: name, text: text) }
        switch (name.dropFirst(BlueZNames.errorPrefix.count), reader) {
        case ("AlreadyConnected", let reader?): return .connectedElsewhere(reader)
        // By rfkill(8).
        case ("Blocked", _): return .adapterBlocked(adapter ?? "", isHard: false)
        case ("DoesNotExist", let reader?): return .vanished(reader)
        case ("InProgress", _): return .busy(operation)
        case ("NotAuthorized", _), ("NotPermitted", _): return .notPermitted(detail: text)
        // The adapter is off.
        case ("NotReady", _): return .adapterOff(adapter ?? "")
        case ("Failed", _) where operation == .connecting,
            ("ConnectionAttemptFailed", _) where operation == .connecting:
            return connecting(text, reader: reader ?? "")
        default: return .bluetooth(operation, name: name, text: text)
        }
    }

    /// The reason why `Connect` failed is only in the text, which comes from BlueZ's src/error.c or from strerror(3).
    private static func connecting(_ text: String, reader: String) -> ReaderError {
        switch text {
        // The device accepted the connection and ended it: it serves one central at a time.
        case "le-connection-terminated-by-peer", "le-connection-refused", "le-connection-concurrent-connection-limit",
            "le-connection-busy":
            return .connectedElsewhere(reader)
        // The controller gave up: there was no signal from the device.
        case "le-connection-abort-by-local", "le-connection-timeout", "le-connection-link-timeout", "Host is down",
            "Connection timed out", "Software caused connection abort":
            return .notAnswering(reader)
        default: return .bluetooth(.connecting, name: BlueZNames.errorPrefix + "Failed", text: text)
        }
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

    /// Text from another process, limited to one line of 200 characters.
    private static func oneLine(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(200))
    }
}
