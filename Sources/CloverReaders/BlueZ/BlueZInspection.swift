/// What there is of Bluetooth on this machine. Nothing is turned on and nothing is searched for.
package struct BlueZInspection: Sendable {
    package struct Adapter: Sendable, Equatable {
        /// Such as `hci0`.
        package let name: String
        package let isPowered: Bool
        /// By rfkill(8) or by a switch of the machine.
        package let isBlocked: Bool
    }

    package let adapters: [Adapter]

    /// Asks BlueZ on the system bus.
    ///
    /// - Parameter limit: for the whole of it.
    /// - Throws: `ReaderError.noSystemBus`, `.noBluetoothService`, `.timedOut` and others of the way there.
    package static func run(variables: [String: String], within limit: Duration) async throws -> BlueZInspection {
        try await TimeAllowed.run(
            limit, otherwise: .timedOut(.reachingBluetooth, reader: nil, seconds: limit.inSeconds)
        ) {
            let link = try await BlueZLink.open(variables: variables)
            defer { link.close() }
            let radio = RadioSwitch()
            return BlueZInspection(
                adapters: link.state.look(\.objects.adapters).map { adapter in
                    Adapter(
                        name: adapter.name, isPowered: adapter.isPowered,
                        isBlocked: adapter.isBlocked || radio.block(of: adapter.name) != nil)
                })
        }
    }
}
