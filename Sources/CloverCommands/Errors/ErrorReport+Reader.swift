import CloverCore
import CloverReaders
import Glibc

extension ErrorReport {
    /// The readers' own failures.
    ///
    /// - Parameter driver: how the driver program is called, as a word of a shell.
    init(_ error: ReaderError, driver: String = "PROGRAM") {
        self.init(code: "", status: .unavailable, message: ReaderErrorText.message(error))
        switch error {
        case .noSystemBus:
            code = "no_system_bus"
            hints = [
                "start it: sudo systemctl start dbus",
                "readers of a driver need no bus: clover reader scan --driver PROGRAM",
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
                isBus ? "look at the bus: busctl list" : "start BlueZ anew: sudo systemctl restart bluetooth",
            ]
        case .noAdapter(let name):
            code = "no_adapter"
            hints = [
                name == nil ? "'bluetoothctl list' shows adapters; plug one in" : "'bluetoothctl list' shows adapters"
            ]
        case .adapterOff:
            code = "adapter_off"
            hints = ["turn it on with: clover reader scan --power-on   (or bluetoothctl power on)"]
        case .adapterBlocked(_, let isHard):
            code = "adapter_blocked"
            hints = [
                isHard
                    ? "turn on the switch or key of this machine for radio"
                    : "unblock it: sudo rfkill unblock bluetooth"
            ]
        case .notPermitted:
            code = "not_permitted"
            status = .notAuthorized
            hints = ["add the user to the group: sudo usermod -aG bluetooth $USER   (and sign in anew)"]
        case .busy:
            code = "busy"
            status = .tryAgain
            hints = ["another program is at it, such as bluetoothctl or the desktop's settings; run it again"]
        case .bluetooth:
            code = "bluetooth"
            hints = ["see more: journalctl -u bluetooth"]
        case .unknownReader(let id):
            code = "no_reader"
            status = .notFound
            hints = ["see who is there: clover reader scan", "see who was connected: clover reader list"]
            if Self.isDeviceIdentifier(id) { hints.append("one of the merchant's devices: add --transport cloud") }
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
            hints = ["disconnect it there; a reader has one connection at a time"]
        case .held, .alreadyConnected, .alreadyLinked:
            code = "reader_held"
            status = .tryAgain
            hints = ["let it go: clover reader disconnect", "look on: clover reader watch"]
        case .connectionLost:
            code = "connection_lost"
            hints = ["bring the reader closer and connect again: clover reader connect"]
        case .notReader:
            code = "not_reader"
            status = .badData
            hints = ["see which devices are Clover's: clover reader scan"]
        case .notAnswering:
            code = "not_answering"
            hints = ["turn it on, and see that it is online"]
        case .batteryTooLow:
            code = "battery_low"
            hints = ["charge the reader, then connect again"]
        case .updateFailed:
            code = "update_failed"
            hints = ["leave the reader near and charged, then connect again"]
        case .failed:
            code = "reader_failed"
            hints = ["turn the reader off and on, then connect again"]
        case .timedOut:
            code = "timed_out"
            hints = ["turn the reader on and bring it closer, then run it again; --timeout gives more time"]
        case .driver(let failure, _):
            (code, status, hints) = Self.parts(failure, driver)
        }
    }

    /// Whether it looks like the id of a Clover device, a UUID (RFC 9562), and not like that of a Clover Go.
    private static func isDeviceIdentifier(_ text: String) -> Bool {
        text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
            && text.allSatisfy { $0 == "-" || $0.isHexDigit }
    }

    /// How another driver takes the place of one that cannot be used.
    private static let driverSteps = [
        "see what is set, and where: clover config list --explain",
        "set another: clover config set reader-driver 'PROGRAM ARGUMENTS'",
    ]

    private static func parts(_ failure: DriverFailure, _ driver: String) -> (String, ExitStatus, [String]) {
        let check = "look closer: clover reader driver-check \(driver)"
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
        case .lineTooLong, .flood, .notJSON, .violation: ("driver_nonsense", .nonsense, [check])
        case .version:
            ("driver_version", .nonsense, ["install a driver for this version of clover; see clover-reader-driver(5)"])
        case .lacks: ("driver_incapable", .unavailable, ["use a driver that can; see clover-reader-driver(5)"])
        case .refused: ("driver_refused", .unavailable, [])
        }
    }

    /// The reader commands' own failures.
    init(_ fault: ReaderFault) {
        switch fault {
        case .noDriver:
            self.init(
                code: "no_driver", status: .usage, message: "no driver program is named",
                hints: [
                    "add --driver PROGRAM, or set CLOVER_READER_DRIVER",
                    "try it without a reader: --driver 'clover-emulator reader-driver'",
                ])
        case .malformedDriver(let text):
            self.init(
                code: "bad_driver", status: .usage, message: "'\(text)' names no driver program",
                hints: ["it is a program and its arguments, separated by spaces; quotes keep a word together"]
                    + Self.driverSteps)
        case .noneFound(let seconds, let transports, let others):
            self.init(
                code: "no_reader", status: .notFound,
                message: others == 0
                    ? Self.nobody(within: seconds, transports)
                    : "no reader was found that is as asked for; \(others) \(others == 1 ? "other was" : "others were") in sight",
                hints: Self.absence(transports, others: others))
        case .noneConnected:
            self.init(
                code: "not_connected", status: .notFound, message: "no reader is connected",
                hints: ["connect one, and stay with it: clover reader connect --follow"])
        case .otherConnected(let id, let holder):
            self.init(
                code: "other_connected", status: .notFound,
                message: "that reader is not connected; reader \(id) is, by \(holder.text)",
                hints: ["let that one go: clover reader disconnect"])
        case .notReleased(let id, let holder):
            self.init(
                code: "reader_held", status: .tryAgain, message: "reader \(id) is still held by \(holder.text)",
                hints: ["end that process: kill \(holder.processID)"])
        case .severalReaders(let word, let ids):
            self.init(
                code: "several_readers", status: .usage, message: "several readers go by the name '\(word)'",
                hints: ["choose one by its id: " + ids.joined(separator: ", ")])
        case .driverFails(let program):
            self.init(
                code: "driver_nonsense", status: .badData, message: "driver \(program) does not keep to the protocol",
                hints: ["the step that failed says where; the protocol is in: man clover-reader-driver"])
        case .checkIncomplete(let program):
            self.init(
                code: "check_incomplete", status: .unavailable,
                message:
                    "driver \(program) keeps to the protocol as far as could be seen: no reader could be connected",
                hints: ["turn on a reader that is charged and up to date, and run it again"])
        }
    }

    /// The service is asked once, however much time there is.
    private static func isService(_ transports: [ReaderTransport]) -> Bool { transports == [.cloud] }

    private static func nobody(within seconds: Double?, _ transports: [ReaderTransport]) -> String {
        if isService(transports) { return "no device of the merchant answers" }
        return "no reader was found\(seconds.map { " within " + shortened($0) } ?? "")"
    }

    private static func absence(_ transports: [ReaderTransport], others: Int) -> [String] {
        if isService(transports) {
            return others > 0
                ? ["see all of them: clover reader scan --transport cloud"]
                : ["turn one on, and open Pay Display on it", "see which there are: clover get devices"]
        }
        if others > 0 { return ["see all of them: clover reader scan"] }
        var hints: [String] = []
        if transports.contains(.ble) {
            hints.append("turn the reader on and keep it near; one that is connected to a phone is not to be found")
        }
        if transports.contains(.driver) {
            hints.append("the driver told of none; try it: clover reader driver-check PROGRAM")
        }
        if transports.contains(.cloud) { hints.append("the merchant has no device that answers") }
        return hints + ["look longer: clover reader scan --timeout 30s"]
    }
}
