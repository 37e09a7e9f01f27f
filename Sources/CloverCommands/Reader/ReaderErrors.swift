import CloverCore
import CloverReaders
import Glibc

extension ErrorReport {
    /// Errors of readers.
    ///
    /// - Parameter driver: the driver command, quoted as a shell word.
    init(_ error: ReaderError, driver: String = "PROGRAM") {
        self.init(code: "", status: .unavailable, message: ReaderErrorText.message(error))
        switch error {
        case .noSystemBus:
            code = "no_system_bus"
            hints = [
                "start it: sudo systemctl start dbus",
                "readers behind a driver need no bus: clover reader scan --driver PROGRAM",
            ]
        case .noBluetoothService:
            code = "no_bluetooth_service"
            hints = ["start it: sudo systemctl start bluetooth", "install it: sudo apt install bluez"]
        case .bluetoothServiceLost:
            code = "bluetooth_service_lost"
            hints = ["see why: journalctl -u bluetooth", "start it again: sudo systemctl start bluetooth"]
        case .bluetoothSilent(let isBus):
            code = "bluetooth_silent"
            hints = [
                isBus ? "see why: journalctl -u dbus" : "see why: journalctl -u bluetooth",
                isBus ? "inspect the bus: busctl list" : "restart BlueZ: sudo systemctl restart bluetooth",
            ]
        case .noAdapter(let name):
            code = "no_adapter"
            hints = [
                name == nil
                    ? "plug an adapter in; to list adapters: bluetoothctl list" : "to list adapters: bluetoothctl list"
            ]
        case .adapterOff:
            code = "adapter_off"
            hints = ["turn it on with: clover reader scan --power-on   (or bluetoothctl power on)"]
        case .adapterBlocked(_, let isHard):
            code = "adapter_blocked"
            hints = [
                isHard
                    ? "turn on this machine's radio switch or key"
                    : "unblock it: sudo rfkill unblock bluetooth"
            ]
        case .notPermitted:
            code = "not_permitted"
            status = .notAuthorized
            hints = ["add the user to the group: sudo usermod -aG bluetooth $USER   (and sign in again)"]
        case .busy:
            code = "busy"
            status = .tryAgain
            hints = ["another program is using it, such as bluetoothctl or the desktop's settings; run it again"]
        case .bluetooth:
            code = "bluetooth"
            hints = ["for details: journalctl -u bluetooth"]
        case .unknownReader(let id):
            code = "no_reader"
            status = .notFound
            hints = ["to find readers: clover reader scan", "to list those connected before: clover reader list"]
            if Self.isDeviceIdentifier(id) { hints.append("for one of the merchant's devices, add --transport cloud") }
        case .noPreviousReader:
            code = "no_reader"
            status = .notFound
            hints = ["find one: clover reader scan", "then: clover reader connect ID"]
        case .vanished:
            code = "out_of_range"
            hints = ["turn it on and bring it closer, then run it again"]
        case .connectedElsewhere:
            code = "connected_elsewhere"
            status = .tryAgain
            hints = ["disconnect it there; a reader has only one connection at a time"]
        case .held, .alreadyConnected, .alreadyLinked:
            code = "reader_held"
            status = .tryAgain
            hints = ["to release it: clover reader disconnect", "to watch it: clover reader watch"]
        case .connectionLost:
            code = "connection_lost"
            hints = ["bring the reader closer and connect again: clover reader connect"]
        case .notReader:
            code = "not_reader"
            status = .badData
            hints = ["to find Clover's readers: clover reader scan"]
        case .notAnswering:
            code = "not_answering"
            hints = ["turn it on, and check that it is online"]
        case .batteryTooLow:
            code = "battery_low"
            hints = ["charge the reader, then connect again"]
        case .updateFailed:
            code = "update_failed"
            hints = ["keep the reader nearby and charged, then connect again"]
        case .failed:
            code = "reader_failed"
            hints = ["turn the reader off and on, then connect again"]
        case .timedOut:
            code = "timed_out"
            hints = ["turn the reader on and bring it closer, then run it again; to wait longer, use --timeout"]
        case .driver(let failure, _):
            (code, status, hints) = Self.parts(failure, driver)
        }
    }

    /// Whether the text looks like the ID of a Clover device, a UUID (RFC 9562), and not like that of a Clover Go.
    private static func isDeviceIdentifier(_ text: String) -> Bool {
        text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
            && text.allSatisfy { $0 == "-" || $0.isHexDigit }
    }

    /// How to replace a driver that cannot be used.
    private static let driverSteps = [
        "to see what is set, and where: clover config list --explain",
        "set another: clover config set reader-driver 'PROGRAM ARGUMENTS'",
    ]

    private static func parts(_ failure: DriverFailure, _ driver: String) -> (String, ExitStatus, [String]) {
        let check = "to diagnose it: clover reader driver-check \(driver)"
        return switch failure {
        case .notStarted:
            (
                "driver_not_started", .unavailable,
                ["--driver and CLOVER_READER_DRIVER take a program and its arguments"] + Self.driverSteps
            )
        case .ended, .killed, .closedOutput: ("driver_ended", .unavailable, [check])
        case .silent: ("driver_silent", .unavailable, [check])
        case .unready:
            ("driver_silent", .unavailable, ["give it more time: clover reader scan --timeout 30s", check])
        case .lineTooLong, .flood, .notJSON, .violation, .unusableApproval: ("driver_nonsense", .nonsense, [check])
        case .version:
            ("driver_version", .nonsense, ["install a driver for this version of clover; see clover-reader-driver(5)"])
        case .lacks:
            ("driver_incapable", .unavailable, ["use a driver that supports this; see clover-reader-driver(5)"])
        case .refused: ("driver_refused", .unavailable, [])
        }
    }

    /// Errors of the reader commands.
    init(_ fault: ReaderFault) {
        switch fault {
        case .noDriver:
            self.init(
                code: "no_driver", status: .usage, message: "no driver program is configured",
                hints: [
                    "add --driver PROGRAM, or set CLOVER_READER_DRIVER",
                    "to try it without a reader: --driver 'clover-emulator reader-driver'",
                ])
        case .malformedDriver(let text):
            self.init(
                code: "bad_driver", status: .usage, message: "'\(text)' does not name a driver program",
                hints: ["write a program and its arguments, separated by spaces; quotes keep a word together"]
                    + Self.driverSteps)
        case .noneFound(let seconds, let transports, let others):
            self.init(
                code: "no_reader", status: .notFound,
                message: others == 0
                    ? Self.notFound(within: seconds, transports)
                    : "no matching reader was found; \(others) \(others == 1 ? "other was" : "others were") found",
                hints: Self.absence(transports, others: others))
        case .noneConnected:
            self.init(
                code: "not_connected", status: .notFound, message: "no reader is connected",
                hints: ["to connect one and keep the session: clover reader connect --follow"])
        case .otherConnected(let id, let holder):
            self.init(
                code: "other_connected", status: .notFound,
                message: "that reader is not connected; reader \(id) is, by \(holder.text)",
                hints: ["to release that one: clover reader disconnect"])
        case .notReleased(let id, let holder):
            self.init(
                code: "reader_held", status: .tryAgain, message: "reader \(id) is still held by \(holder.text)",
                hints: ["end that process: kill \(holder.processID)"])
        case .severalReaders(let word, let ids):
            self.init(
                code: "several_readers", status: .usage, message: "several readers have the name '\(word)'",
                hints: ["choose one by its id: " + ids.joined(separator: ", ")])
        case .driverFails(let program):
            self.init(
                code: "driver_nonsense", status: .badData, message: "driver \(program) does not follow the protocol",
                hints: ["see the step that failed; for the protocol: man clover-reader-driver"])
        case .checkIncomplete(let program):
            self.init(
                code: "check_incomplete", status: .unavailable,
                message:
                    "driver \(program) follows the protocol as far as it could be checked: no reader could be connected",
                hints: ["turn on a reader that is charged and up to date, and run it again"])
        }
    }

    /// Whether only the service is asked, which is asked once, whatever the timeout.
    private static func isService(_ transports: [ReaderTransport]) -> Bool { transports == [.cloud] }

    private static func notFound(within seconds: Double?, _ transports: [ReaderTransport]) -> String {
        if isService(transports) { return "no device of the merchant responds" }
        return "no reader was found\(seconds.map { " within " + shortened($0) } ?? "")"
    }

    private static func absence(_ transports: [ReaderTransport], others: Int) -> [String] {
        if isService(transports) {
            return others > 0
                ? ["to see all of them: clover reader scan --transport cloud"]
                : ["turn one on, and open Pay Display on it", "to list the merchant's devices: clover get devices"]
        }
        if others > 0 { return ["to see all of them: clover reader scan"] }
        var hints: [String] = []
        if transports.contains(.ble) {
            hints.append("turn the reader on and keep it nearby; a reader connected to a phone cannot be found")
        }
        if transports.contains(.driver) {
            hints.append("the driver found none; to check it: clover reader driver-check PROGRAM")
        }
        if transports.contains(.cloud) { hints.append("no device of the merchant responds") }
        return hints + ["to look longer: clover reader scan --timeout 30s"]
    }
}
