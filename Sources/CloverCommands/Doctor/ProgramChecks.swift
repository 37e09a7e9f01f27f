import CloverConfiguration
import CloverCore
import CloverHTTP
import CloverOutput
import CloverReaders
import Synchronization

/// Checks that the reader driver, if one is set, starts and speaks the protocol. Does not scan for readers.
struct DriverStartCheck: DoctorCheck {
    private static let variable = "CLOVER_READER_DRIVER"

    func run(_ context: DoctorContext) async throws -> [Finding] {
        var choice = ReaderDriverChoice()
        choice.connection = context.choice
        let environment = context.environment
        let command: String
        do {
            guard let text = try await choice.driverText(in: environment) else {
                return .ok("no driver program is set")
            }
            command = text
        } catch is ConfigurationError {
            // Reported by the configuration check.
            return .skip("cannot check driver: see above")
        }
        let driver = try choice.external(command, limits: DriverLimits(answer: 2, ending: 0.5), in: environment)
        do {
            let path = try driver.command.locate(variables: environment.variables)
            let greeting = try await driver.greeting()
            return .ok("the driver \(path) responds: \(greeting)")
        } catch let error as ReaderError {
            let isSetByVariable = environment.variables.nonEmpty(Self.variable) != nil
            return .fail(
                DriverProblem(error: error, command: command),
                next: isSetByVariable
                    ? ["the variable overrides the configuration file: unset \(Self.variable)"] : [])
        }
    }
}

/// An error of a driver program, with the command that starts it.
struct DriverProblem: Error, Sendable {
    let error: ReaderError
    /// The program and its arguments, as configured.
    let command: String
}

/// Checks libjq, which `--jq` uses.
struct JQCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        switch try await JQVersion.found(context.environment.standardOutput) {
        case "1.6": .ok("libjq 1.6: whole numbers above 2^53 lose digits, in --jq only")
        case let version?: .ok("libjq \(version)")
        case nil:
            .fail(
                "libjq cannot compile any program", next: ["sudo apt install --reinstall \(LibjqFacts.debianPackage)"])
        }
    }
}

/// Reports the libcurl that sends the requests.
struct CurlCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        // Its own version, then those of its libraries, of which TLS and HTTP/2 matter here.
        let version: String
        do throws(HTTPTransportError) {
            version = try context.environment.transportVersion()
        } catch {
            return .fail(error)
        }
        let parts = version.split(separator: " ").map { $0.replacing("/", with: " ") }
        let shown = parts.prefix(2) + parts.dropFirst(2).filter { $0.hasPrefix("nghttp2") }
        return .ok(shown.joined(separator: ", "))
    }
}

/// Checks that BlueZ, which connects to card readers, is running.
struct BluetoothCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        switch try await context.bluetooth.result(context) {
        case .success: return .ok("BlueZ is running")
        case .failure(let error as ReaderError):
            switch error {
            case .noSystemBus: return .skip("cannot query BlueZ without a system bus")
            case .noBluetoothService:
                return .fail(
                    "BlueZ is not running: reader scan works with cloud and driver readers only",
                    next: [
                        "sudo systemctl start bluetooth", "or install it: sudo apt install bluez",
                        "if you use no card readers: clover doctor --skip bluetooth",
                    ])
            case .bluetoothSilent(isBus: true): return .skip("cannot query BlueZ: the system bus does not respond")
            case .bluetoothSilent(isBus: false):
                return .fail(
                    "BlueZ is on the bus, but did not respond within \(BluetoothProbe.seconds) s",
                    next: [
                        "sudo systemctl restart bluetooth", "see why: systemctl status bluetooth",
                        "if you use no card readers: clover doctor --skip bluetooth",
                    ])
            default: return .fail(error)
            }
        case .failure(let error): return .fail(error)
        }
    }
}

/// The result of querying BlueZ, shared by the bus, Bluetooth and adapter checks.
final class BluetoothProbe: Sendable {
    private let seen = Mutex<Result<[BluetoothAdapter], any Error>?>(nil)

    /// The time limit of the query.
    static let seconds = 3

    func result(_ context: DoctorContext) async throws -> Result<[BluetoothAdapter], any Error> {
        if let result = seen.withLock({ $0 }) { return result }
        let result: Result<[BluetoothAdapter], any Error>
        do {
            result = .success(
                try await BluetoothAdapter.all(variables: context.environment.variables, within: .seconds(Self.seconds))
            )
        } catch  where !(error is CancellationError) {
            result = .failure(error)
        }
        seen.withLock { $0 = result }
        return result
    }
}

/// Checks that the system bus, which BlueZ needs, responds.
struct BusCheck: DoctorCheck {
    /// Overrides the bus's default address (dbus-daemon(1)).
    private static let variable = "DBUS_SYSTEM_BUS_ADDRESS"

    private static let withoutBus = "driver readers need no bus: clover reader scan --driver PROGRAM"

    func run(_ context: DoctorContext) async throws -> [Finding] {
        guard case .failure(let error as ReaderError) = try await context.bluetooth.result(context) else {
            return .ok("the system bus responds")
        }
        switch error {
        // Only a warning: records and charges need no bus, so that a container may well be without one.
        case .noSystemBus where context.environment.variables.nonEmpty(Self.variable) == nil: return .warn(error)
        case .noSystemBus:
            return .warn(
                error.message, next: ["use the default address: unset \(Self.variable)", Self.withoutBus])
        case .bluetoothSilent(isBus: true):
            return .warn(
                "the system bus accepts connections, but did not respond within \(BluetoothProbe.seconds) s; BlueZ needs it",
                next: ["see its status: systemctl status dbus", Self.withoutBus])
        default: return .ok("the system bus responds")
        }
    }
}

/// Checks that a Bluetooth adapter is on.
struct AdapterCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        guard case .success(let adapters) = try await context.bluetooth.result(context) else {
            return .skip("cannot list adapters without BlueZ")
        }
        guard !adapters.isEmpty else { return .warn(ReaderError.noAdapter(named: nil)) }
        if let ready = adapters.first(where: { $0.isPowered && !$0.isBlocked }) {
            return .ok("Bluetooth is on at \(ready.name)")
        }
        return adapters.flatMap { adapter -> [Finding] in
            .warn(
                adapter.isBlocked
                    ? ReaderError.adapterBlocked(adapter.name, isHard: false) : ReaderError.adapterOff(adapter.name))
        }
    }
}
