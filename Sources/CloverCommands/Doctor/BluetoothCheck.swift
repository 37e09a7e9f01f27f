import CloverCore
import CloverReaders
import Synchronization

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
        } catch let error as CancellationError {
            throw error
        } catch {
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
