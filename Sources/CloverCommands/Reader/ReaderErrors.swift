import CloverCore
import CloverReaders
import Glibc

extension ErrorReport {
    /// Errors of readers.
    ///
    /// - Parameter driver: the driver command, quoted as a shell word.
    init(_ error: ReaderError, driver: String = "PROGRAM") {
        let (code, status, hints) = Self.facts(of: error, driver)
        self.init(code, status, error.message, hints: hints)
    }

    private static func facts(of error: ReaderError, _ driver: String) -> (String, ExitStatus, [String]) {
        switch error {
        case .noSystemBus:
            (
                "no_system_bus", .unavailable,
                [
                    "start it: sudo systemctl start dbus",
                    "readers behind a driver need no bus: clover reader scan --driver PROGRAM",
                ]
            )
        case .noBluetoothService:
            (
                "no_bluetooth_service", .unavailable,
                ["start it: sudo systemctl start bluetooth", "install it: sudo apt install bluez"]
            )
        case .bluetoothServiceLost:
            (
                "bluetooth_service_lost", .unavailable,
                ["see why: journalctl -u bluetooth", "start it again: sudo systemctl start bluetooth"]
            )
        case .bluetoothSilent(isBus: true):
            ("bluetooth_silent", .unavailable, ["see why: journalctl -u dbus", "inspect the bus: busctl list"])
        case .bluetoothSilent(isBus: false):
            (
                "bluetooth_silent", .unavailable,
                ["see why: journalctl -u bluetooth", "restart BlueZ: sudo systemctl restart bluetooth"]
            )
        case .noAdapter(nil):
            ("no_adapter", .unavailable, ["plug an adapter in; to list adapters: bluetoothctl list"])
        case .noAdapter: ("no_adapter", .unavailable, ["to list adapters: bluetoothctl list"])
        case .adapterOff:
            (
                "adapter_off", .unavailable,
                ["turn it on with: clover reader scan --power-on   (or bluetoothctl power on)"]
            )
        case .adapterBlocked(_, isHard: true):
            ("adapter_blocked", .unavailable, ["turn on this machine's radio switch or key"])
        case .adapterBlocked(_, isHard: false):
            ("adapter_blocked", .unavailable, ["unblock it: sudo rfkill unblock bluetooth"])
        case .notPermitted:
            (
                "not_permitted", .notAuthorized,
                ["add the user to the group: sudo usermod -aG bluetooth $USER   (and sign in again)"]
            )
        case .busy:
            (
                "busy", .tryAgain,
                ["another program is using it, such as bluetoothctl or the desktop's settings; run it again"]
            )
        case .bluetooth: ("bluetooth", .unavailable, ["for details: journalctl -u bluetooth"])
        case .unknownReader(let id):
            (
                "no_reader", .notFound,
                ["to find readers: clover reader scan", "to list those connected before: clover reader list"]
                    + (isDeviceIdentifier(id) ? ["for one of the merchant's devices, add --transport cloud"] : [])
            )
        case .noPreviousReader:
            ("no_reader", .notFound, ["find one: clover reader scan", "then: clover reader connect ID"])
        case .devicesIncomplete:
            ("incomplete", .incomplete, ["run it again", "to list the merchant's devices: clover get devices"])
        case .vanished: ("out_of_range", .unavailable, ["turn it on and bring it closer, then run it again"])
        case .connectedElsewhere:
            (
                "connected_elsewhere", .tryAgain,
                ["disconnect it there; a reader has only one connection at a time"]
            )
        case .held, .alreadyConnected, .alreadyLinked:
            (
                "reader_held", .tryAgain,
                ["to release it: clover reader disconnect", "to watch it: clover reader watch"]
            )
        case .connectionLost:
            ("connection_lost", .unavailable, ["bring the reader closer and connect again: clover reader connect"])
        case .notReader: ("not_reader", .badData, ["to find Clover's readers: clover reader scan"])
        case .notAnswering: ("not_answering", .unavailable, ["turn it on, and check that it is online"])
        case .batteryTooLow: ("battery_low", .unavailable, ["charge the reader, then connect again"])
        case .updateFailed:
            ("update_failed", .unavailable, ["keep the reader nearby and charged, then connect again"])
        case .failed: ("reader_failed", .unavailable, ["turn the reader off and on, then connect again"])
        case .timedOut:
            (
                "timed_out", .unavailable,
                ["turn the reader on and bring it closer, then run it again; to wait longer, use --timeout"]
            )
        case .driver(let failure, _): facts(of: failure, driver)
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

    private static func facts(of failure: DriverFailure, _ driver: String) -> (String, ExitStatus, [String]) {
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
                "no_driver", .usage, "no driver program is configured",
                "add --driver PROGRAM, or set CLOVER_READER_DRIVER",
                "to try it without a reader: --driver 'clover-emulator reader-driver'")
        case .malformedDriver(let text):
            self.init(
                "bad_driver", .usage, "'\(text)' does not name a driver program",
                hints: ["write a program and its arguments, separated by spaces; quotes keep a word together"]
                    + Self.driverSteps)
        case .noneFound(let seconds, let transports, let others):
            self.init(
                "no_reader", .notFound,
                others == 0
                    ? Self.notFound(within: seconds, transports)
                    : "no matching reader was found; \(others) \(others == 1 ? "other was" : "others were") found",
                hints: Self.absence(transports, others: others))
        case .noneConnected:
            self.init(
                "not_connected", .notFound, "no reader is connected",
                "to connect one and keep the session: clover reader connect --follow")
        case .otherConnected(let id, let holder):
            self.init(
                "other_connected", .notFound, "that reader is not connected; reader \(id) is, by \(holder.text)",
                "to release that one: clover reader disconnect")
        case .notReleased(let id, let holder):
            self.init(
                "reader_held", .tryAgain, "reader \(id) is still held by \(holder.text)",
                "end that process: kill \(holder.processID)")
        case .severalReaders(let word, let ids):
            self.init(
                "several_readers", .usage, "several readers have the name '\(word)'",
                "choose one by its id: " + ids.joined(separator: ", "))
        case .driverFails(let program):
            self.init(
                "driver_nonsense", .badData, "driver \(program) does not follow the protocol",
                "see the step that failed; for the protocol: man clover-reader-driver")
        case .checkIncomplete(let program):
            self.init(
                "check_incomplete", .unavailable,
                "driver \(program) follows the protocol as far as it could be checked: no reader could be connected",
                "turn on a reader that is charged and up to date, and run it again")
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
