package import CloverReaders
import Glibc

/// The one-line messages of reader errors.
package enum ReaderErrorText {
    package static func message(_ error: ReaderError) -> String {
        switch error {
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
            "\(operation.rawValue)\(reader.map { " (\($0))" } ?? "") took longer than \(text(seconds))"
        case .driver(let failure, let program): "driver \(program): \(text(failure))"
        }
    }

    private static func text(_ failure: DriverFailure) -> String {
        switch failure {
        case .notStarted(let number): "cannot be started: \(String(cString: strerror(number)))"
        case .ended(let status): "exited unexpectedly with status \(status)"
        case .killed(let signal): "was killed by signal \(signal)"
        case .closedOutput: "closed its standard output but kept running"
        case .silent(let awaited, let seconds): "sent nothing for \(text(seconds)), waiting for \(awaited)"
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

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
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
    /// A driver is needed, and none is set.
    case noDriver
    /// This is not a command of a driver program.
    case malformedDriver(String)
    /// A scan ended without a reader. `seconds` is nil if no time limit ended it; `others` is the number of readers that
    /// were seen but did not match.
    case noneFound(seconds: Double?, transports: [ReaderTransport], others: Int)
    /// No reader is connected.
    case noneConnected
    /// Another reader than the requested one is connected.
    case otherConnected(String, by: ReaderLockHolder)
    /// The process that holds the reader does not release it.
    case notReleased(String, by: ReaderLockHolder)
    /// Several known readers have this name.
    case severalReaders(String, ids: [String])
    /// A driver fails its check.
    case driverFails(program: String)
    /// A driver's check found no reader that could be connected.
    case checkIncomplete(program: String)
}
