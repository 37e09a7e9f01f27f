import CloverDBus

/// Readers over Bluetooth Low Energy, through BlueZ (bluetoothd(8)) on the system bus.
package struct BlueZDriver: ReaderDriver {
    package let transport = ReaderTransport.ble
    private let variables: [String: String]
    private let power: BlueZPower

    /// - Parameters:
    ///   - variables: of the environment; `DBUS_SYSTEM_BUS_ADDRESS` says where the bus is when it is not at its usual
    ///     place.
    ///   - adapter: a name such as `hci0`, or an address; nil chooses all that are on.
    ///   - powersOn: turns the adapter on where it is off.
    ///   - radioSwitches: where the kernel tells of rfkill(8).
    package init(
        variables: [String: String], adapter: String? = nil, powersOn: Bool = false,
        radioSwitches: String = "/sys/class/rfkill"
    ) {
        self.variables = variables
        power = BlueZPower(adapter: adapter, turnsOn: powersOn, radio: RadioSwitch(folder: radioSwitches))
    }

    /// A reader that BlueZ only remembers is told first, as not live; once it is heard it is told again.
    package func discover(
        _ filter: DiscoveryFilter, onSighting: @Sendable (ReaderSighting) async throws -> Bool
    ) async throws {
        let link = try await openForScan()
        defer { link.close() }
        let adapters = try await power.usableAdapters(link)
        let paths = adapters.map(\.path)
        link.state.update { state in
            for device in paths.flatMap({ state.objects.devices(of: $0) }) { state.note(device.path) }
        }
        try await BlueZDiscovery.run(link, adapters[...]) {
            var told: [String: ReaderSighting] = [:]
            while true {
                let sighting = try await link.state.next { state in
                    while let device = state.nextChanged() {
                        guard paths.contains(device.adapter), filter.includesAllDevices || device.isClovers else {
                            continue
                        }
                        let sighting = ReaderSighting(device.reader, isLive: device.isLive)
                        if told[device.path] != sighting {
                            told[device.path] = sighting
                            return sighting
                        }
                    }
                    try power.check(adapters, in: state)
                    return nil as ReaderSighting?
                }
                guard try await onSighting(sighting) else { return }
            }
        }
    }

    /// A scan that was cancelled before BlueZ answered found no reader because nothing answered, which is something else
    /// than an empty room.
    private func openForScan() async throws -> BlueZLink {
        var hasBus = false
        do {
            return try await BlueZLink.open(variables: variables) { hasBus = true }
        } catch is CancellationError {
            throw ReaderError.bluetoothSilent(isBus: !hasBus)
        }
    }

    /// The time is for the search for a reader that BlueZ does not know, and again for the link.
    package func connect(to id: String, timeout: Double) async throws -> any ReaderSession {
        let link = try await BlueZLink.open(variables: variables)
        do {
            let adapters = try await power.usableAdapters(link)
            let connection = BlueZConnection(link: link, adapters: adapters, power: power, id: id)
            return try await connection.establish(within: .seconds(timeout))
        } catch {
            link.close()
            throw error
        }
    }

    package func linkedReaders() async throws -> [Reader] {
        let link = try await BlueZLink.open(variables: variables)
        defer { link.close() }
        let objects = link.state.look(\.objects)
        return objects.adapters.flatMap { objects.devices(of: $0.path) }.filter { $0.isConnected && $0.isClovers }
            .map(\.reader)
    }

    package func endLink(to id: String) async throws -> Bool {
        let link = try await BlueZLink.open(variables: variables)
        defer { link.close() }
        let objects = link.state.look(\.objects)
        let devices = objects.adapters.flatMap { objects.devices(of: $0.path) }
        guard let device = devices.first(where: { $0.isConnected && $0.isCalled(id) }) else { return false }
        do throws(DBusError) {
            _ = try await link.call(device.path, BlueZNames.device, "Disconnect")
        } catch {
            let failure = BlueZFailure.error(error, during: .disconnecting, reader: id)
            // It went by itself meanwhile.
            if case .reply(BlueZNames.Refusal.prefix + "NotConnected", _) = error { return false }
            if failure as? ReaderError == .vanished(id) { return false }
            throw failure
        }
        return true
    }
}
