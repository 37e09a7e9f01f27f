internal import Synchronization

/// What there is of Bluetooth on this machine. Nothing is turned on and nothing is searched for.
package struct BlueZInspection: Sendable {
    package struct Adapter: Sendable, Equatable {
        /// Such as `hci0`.
        package let name: String
        package let isPowered: Bool
        /// By rfkill(8) or by a switch of the machine.
        package let isBlocked: Bool
    }

    /// Who was asked, and did not answer in the time allowed.
    package enum Silence: Error, Sendable, Equatable {
        case bus(seconds: Double)
        case bluetooth(seconds: Double)
    }

    package let adapters: [Adapter]

    /// Asks BlueZ on the system bus.
    ///
    /// - Parameter limit: for the whole of it.
    /// - Throws: `Silence`; `ReaderError.noSystemBus`, `.noBluetoothService` and others of the way there.
    package static func run(variables: [String: String], within limit: Duration) async throws -> BlueZInspection {
        let progress = Progress()
        do {
            return try await TimeAllowed.run(
                limit, otherwise: .timedOut(.reachingBluetooth, reader: nil, seconds: limit.inSeconds)
            ) {
                let link = try await BlueZLink.open(variables: variables) { progress.busAnswered() }
                defer { link.close() }
                let radio = RadioSwitch()
                return BlueZInspection(
                    adapters: link.state.look(\.objects.adapters).map { adapter in
                        Adapter(
                            name: adapter.name, isPowered: adapter.isPowered,
                            isBlocked: adapter.isBlocked || radio.block(of: adapter.name) != nil)
                    })
            }
        } catch ReaderError.bluetoothSilent(let isBus) {
            throw isBus ? Silence.bus(seconds: limit.inSeconds) : Silence.bluetooth(seconds: limit.inSeconds)
        } catch ReaderError.timedOut(_, _, let seconds) {
            throw progress.hasBus ? Silence.bluetooth(seconds: seconds) : Silence.bus(seconds: seconds)
        }
    }

    /// How far the way to BlueZ was gone.
    private final class Progress: Sendable {
        private let state = Mutex(false)

        var hasBus: Bool { state.withLock { $0 } }

        func busAnswered() { state.withLock { $0 = true } }
    }
}
