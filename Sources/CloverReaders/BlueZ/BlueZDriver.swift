import CloverDBus

/// Readers over Bluetooth Low Energy, through BlueZ (bluetoothd(8)) on the system bus.
package struct BlueZDriver: ReaderDriver {
    package let transport = ReaderTransport.ble
    private let variables: [String: String]
    private let power: BlueZAdapterSelector

    /// - Parameters:
    ///   - variables: the environment; `DBUS_SYSTEM_BUS_ADDRESS` overrides the usual address of the bus.
    ///   - adapter: a name such as `hci0`, or an address; nil uses all adapters that are on.
    ///   - powersOn: whether to turn the adapter on if it is off.
    ///   - radioSwitches: the kernel's folder for rfkill(8).
    package init(
        variables: [String: String], adapter: String? = nil, powersOn: Bool = false,
        radioSwitches: String = "/sys/class/rfkill"
    ) {
        self.variables = variables
        power = BlueZAdapterSelector(
            adapter: adapter, powersOnAdapter: powersOn, radio: RfkillState(folder: radioSwitches))
    }

    /// A reader that BlueZ only remembers is reported first, as not live, and again once its signal is received.
    package func discover(
        allDevices: Bool, onSighting: @Sendable (DiscoveredReader) async throws -> Bool
    ) async throws {
        let link = try await openForScan()
        defer { link.close() }
        let adapters = try await power.usableAdapters(link)
        let paths = adapters.map(\.path)
        link.state.update { state in
            for device in paths.flatMap({ state.objects.devices(of: $0) }) { state.note(device.path) }
        }
        try await BlueZDiscovery.run(link, adapters[...]) {
            var reported: [String: DiscoveredReader] = [:]
            while true {
                let sighting = try await link.state.next { state in
                    while let device = state.nextChanged() {
                        guard paths.contains(device.adapter), allDevices || device.isCloverReader else {
                            continue
                        }
                        let sighting = DiscoveredReader(device.reader, isLive: device.isLive)
                        if reported[device.path] != sighting {
                            reported[device.path] = sighting
                            return sighting
                        }
                    }
                    try power.check(adapters, in: state)
                    return nil as DiscoveredReader?
                }
                guard try await onSighting(sighting) else { return }
            }
        }
    }

    /// Opens BlueZ for a scan. If it is cancelled before BlueZ responded, it throws an error instead of reporting that no
    /// readers are there, because nothing responded.
    private func openForScan() async throws -> BlueZLink {
        var hasBus = false
        do {
            return try await BlueZLink.open(variables: variables) { hasBus = true }
        } catch is CancellationError {
            throw ReaderError.bluetoothSilent(isBus: !hasBus)
        }
    }

    /// The time applies to the search for a reader that BlueZ does not know, and again to connecting.
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
        return objects.adapters.flatMap { objects.devices(of: $0.path) }.filter { $0.isConnected && $0.isCloverReader }
            .map(\.reader)
    }

    package func disconnectLinked(to id: String) async throws -> Bool {
        let link = try await BlueZLink.open(variables: variables)
        defer { link.close() }
        let objects = link.state.look(\.objects)
        let devices = objects.adapters.flatMap { objects.devices(of: $0.path) }
        guard let device = devices.first(where: { $0.isConnected && $0.isCalled(id) }) else { return false }
        do throws(DBusError) {
            _ = try await link.call(device.path, BlueZNames.device, "Disconnect")
        } catch {
            let failure = BlueZErrorMapper.error(error, during: .disconnecting, reader: id)
            // It disconnected on its own in the meantime.
            if case .reply(BlueZNames.errorPrefix + "NotConnected", _) = error { return false }
            if failure as? ReaderError == .vanished(id) { return false }
            throw failure
        }
        return true
    }
}

/// A Bluetooth adapter of this machine.
package struct BluetoothAdapter: Sendable, Equatable {
    /// Such as `hci0`.
    package let name: String
    package let isPowered: Bool
    /// Whether rfkill(8) or a hardware switch blocks it.
    package let isBlocked: Bool

    /// Asks BlueZ on the system bus for all adapters. Nothing is turned on or searched for.
    ///
    /// - Parameter limit: the total time.
    /// - Throws: `ReaderError.bluetoothSilent`, `.noSystemBus`, `.noBluetoothService` and other connection errors.
    package static func all(
        variables: [String: String], within limit: Duration
    ) async throws -> [BluetoothAdapter] {
        let hasBus = AsyncState(false)
        let adapters = try await OperationTimeout.value(within: limit) {
            let link = try await BlueZLink.open(variables: variables) { hasBus.update { $0 = true } }
            defer { link.close() }
            let radio = RfkillState()
            return link.state.look(\.objects.adapters).map { adapter in
                BluetoothAdapter(
                    name: adapter.name, isPowered: adapter.isPowered,
                    isBlocked: adapter.isBlocked || radio.block(of: adapter.name) != nil)
            }
        }
        guard let adapters else { throw ReaderError.bluetoothSilent(isBus: !hasBus.look { $0 }) }
        return adapters
    }
}

/// Reads a reader's device information service (Bluetooth SIG, DIS 1.1).
struct BlueZInformation: Sendable {
    let link: BlueZLink
    /// The device's path.
    let device: String

    /// Reads serial number, firmware and model; nil for those that the reader does not have.
    func read(_ objects: BlueZObjects) async throws -> Reader {
        guard let known = objects.device(device) else { throw ReaderError.vanished(device) }
        var reader = known.reader
        reader.serial = try await text(BlueZNames.serialNumber, objects)
        reader.firmware = try await text(BlueZNames.firmwareRevision, objects)
        reader.model = try await text(BlueZNames.modelNumber, objects)
        return reader
    }

    /// The value of a characteristic; nil if the reader or BlueZ does not permit reading it.
    func value(_ characteristic: String) async throws -> [UInt8]? {
        do throws(DBusError) {
            return try await link.call(
                characteristic, BlueZNames.gattCharacteristic, "ReadValue", [.variants([:])]
            ).first?.bytes
        } catch .reply {
            return nil
        } catch {
            throw BlueZErrorMapper.error(error, during: .initializing)
        }
    }

    private func text(_ uuid: String, _ objects: BlueZObjects) async throws -> String? {
        guard let path = objects.characteristic(uuid, of: BlueZNames.informationService, in: device),
            let bytes = try await value(path)
        else { return nil }
        // Some devices pad the value with zeros.
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        let clean = String(text.unicodeScalars.filter { $0.properties.generalCategory != .control }.map(Character.init))
        return clean.isEmpty ? nil : clean
    }
}
