package import CloverReaders
import Glibc

/// What is said of the readers' errors: what failed, on what, and why, in one line.
package enum ReaderErrorText {
    package static func message(_ error: ReaderError) -> String {
        switch error {
        case .noSystemBus(let detail): "the system bus cannot be reached, and BlueZ is on it: \(detail)"
        case .noBluetoothService: "BlueZ is not running"
        case .bluetoothServiceLost: "BlueZ ended in the middle"
        case .bluetoothSilent(isBus: true): "the system bus does not answer, and BlueZ is on it"
        case .bluetoothSilent(isBus: false): "BlueZ does not answer"
        case .noAdapter(nil): "this machine has no Bluetooth adapter"
        case .noAdapter(let name?): "there is no Bluetooth adapter \(name)"
        case .adapterOff(let name): "Bluetooth is off on \(name)"
        case .adapterBlocked(let name, let isHard):
            "Bluetooth is blocked on \(name) by \(isHard ? "a switch of the machine" : "rfkill")"
        case .notPermitted(let detail): "this user may not use the readers: \(detail)"
        case .busy(let operation): "\(operation.rawValue) is not possible now: BlueZ is at it already"
        case .bluetooth(let operation, let name, let text):
            "\(operation.rawValue) failed: \(text.isEmpty ? name : "\(text) (\(name))")"
        case .unknownReader(let id): "no reader \(id)"
        case .noPreviousReader: "no reader was connected yet, so there is no last one"
        case .vanished(let id): "reader \(id) is out of range, or off"
        case .connectedElsewhere(let id): "reader \(id) is connected to something else, such as a phone"
        case .held(let id, let holder): "reader \(id) is held by \(holder.text)"
        case .alreadyConnected(let id, let holder): "reader \(id) is connected already, by \(holder.text)"
        case .alreadyLinked(let id): "reader \(id) is connected already"
        case .connectionLost(let id, let operation):
            "the connection to reader \(id) was lost\(operation.map { " while \($0.rawValue)" } ?? "")"
        case .notReader(let id, let missing): "\(id) is no card reader: it has no \(missing)"
        case .notAnswering(let id): "reader \(id) does not answer"
        case .batteryTooLow(let id, let battery, let needed):
            "reader \(id) needs new firmware, and its battery is too low for that: \(battery) %, not \(needed) %"
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
        case .ended(let status): "ended with status \(status) in the middle"
        case .killed(let signal): "was ended by signal \(signal)"
        case .closedOutput: "closed its standard output and went on"
        case .silent(let awaited, let seconds): "said nothing for \(text(seconds)), while \(awaited) was awaited"
        case .unready(let request): "had not answered '\(request)' when the time was over"
        case .lineTooLong(let limit): "wrote a line of more than \(limit) bytes"
        case .flood(let lines): "wrote more than \(lines) lines in a second"
        case .notJSON(let excerpt): "wrote a line that is not a JSON object: '\(excerpt)'"
        case .violation(let rule): "broke the protocol: \(rule)"
        case .version(let theirs, let ours):
            "speaks version \(theirs.map(String.init).joined(separator: ", ")) of the protocol, and clover version \(ours)"
        case .lacks(let capability): "cannot do this: it does not have '\(capability)' among its capabilities"
        case .refused(let request, let code, let message): "refused '\(request)': \(message) (\(code))"
        }
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}

extension ReaderHolder {
    /// Such as `'reader connect' (process 4121)`.
    package var text: String {
        command.map { "'\($0)' (process \(processID))" } ?? "another process"
    }
}
