import BusTestSupport
import CloverReaders
import CloverTestSupport
import Glibc
import Testing

/// Sessions with a reader, with a mock of BlueZ from another project, on a real bus.
@Suite(.serialized)
struct BlueZConnectionTests {
    private static let id = "D4:22:CD:00:9A:11"
    private static let path = BluetoothMock.path(id)

    private static func driver(_ mock: BluetoothMock) -> BlueZDriver {
        BlueZDriver(variables: mock.server.variables, radioSwitches: "/nonexistent")
    }

    /// A reader that can be connected, with the services of a Clover Go; `battery` is Python code that adds its battery level.
    private static func reader(battery: String) async throws -> BluetoothMock {
        let mock = try await BluetoothMock()
        try await mock.addDevice(id, "Clover_Go_630094", rssi: -58)
        try await mock.run(
            """
            path = '\(path)'
            def add_service(number, uuid, characteristics):
                service_path = '%s/service%04d' % (path, number)
                self.AddObject(service_path, service, {'UUID': uuid, 'Device': dbus.ObjectPath(path)}, [])
                self.object_manager_emit_added(service_path)
                for index, (uuid, value) in enumerate(characteristics):
                    characteristic_path = '%s/char%04d' % (service_path, index)
                    self.AddObject(characteristic_path, characteristic, {
                        'UUID': uuid, 'Service': dbus.ObjectPath(service_path), 'Value': dbus.Array([], signature='y'),
                    }, [
                        ('ReadValue', 'a{sv}', 'ay', 'ret = dbus.ByteArray(%r)' % value),
                        ('StartNotify', '', '', ''),
                    ])
                    self.object_manager_emit_added(characteristic_path)
            long = '0000%s-0000-1000-8000-00805f9b34fb'
            add_service(1, long % '180a', [])
            add_service(2, long % '180a', [
                (long % '2a26', b'1.0.14'), (long % '2a25', b'C041UG8123\\0\\0'), (long % '2a24', b'CLOVER_GO')])
            \(battery)
            """)
        try await mock.answer(
            path, "device", "Connect",
            """
            self.connected = True
            self.UpdateProperties('org.bluez.Device1', {
                'Connected': dbus.Boolean(True), 'ServicesResolved': dbus.Boolean(True)})
            """)
        return mock
    }

    /// BlueZ's own interface for the battery level.
    private static func charge(_ percent: Int) -> String {
        """
        objects[path].props[battery] = {'Percentage': dbus.Byte(\(percent))}
        """
    }

    private static let levelCharacteristic = "add_service(3, long % '180f', [(long % '2a19', b'\\x39')])"

    private static func events(_ session: any ReaderSession, until last: ReaderEvent) async throws -> [ReaderEvent] {
        var events: [ReaderEvent] = []
        while let event = try await session.nextEvent() {
            events.append(event)
            if event == last { break }
        }
        return events
    }

    private static let information = Reader(
        id: id, transport: .ble, name: "Clover_Go_630094", rssi: -58, battery: 57, firmware: "1.0.14",
        serial: "C041UG8123", model: "CLOVER_GO", paired: false, connected: true)

    @Test func `a session gets ready with the charge and what the reader says of itself, and follows the charge`()
        async throws
    {
        let mock = try await Self.reader(battery: Self.charge(57))
        let session = try await Self.driver(mock).connect(to: Self.id, timeout: 60)
        #expect(session.reader.name == "Clover_Go_630094")
        #expect(session.reader.connected)
        let events = try await Self.events(session, until: .state(.ready))
        #expect(events == [.state(.initializing), .details(Self.information), .battery(57), .state(.ready)])
        try await mock.update(Self.path, "battery", "{'Percentage': dbus.Byte(57)}")
        try await mock.update(Self.path, "battery", "{'Percentage': dbus.Byte(56)}")
        #expect(try await session.nextEvent() == .battery(56))
        await session.disconnect()
        #expect(try await Self.events(session, until: .state(.initializing)) == [.state(.disconnected)])
        #expect(try await mock.count(of: "Disconnect") == 1)
        await session.disconnect()
        #expect(try await mock.count(of: "Disconnect") == 1)
        #expect(try await mock.count(of: "StartDiscovery") == 0)
    }

    @Test func `without BlueZ's own account of it the charge comes from the battery service`() async throws {
        let mock = try await Self.reader(battery: Self.levelCharacteristic)
        let session = try await Self.driver(mock).connect(to: "Clover_Go_630094", timeout: 60)
        let events = try await Self.events(session, until: .state(.ready))
        #expect(events.contains(.battery(57)))
        #expect(try await mock.count(of: "StartNotify") == 1)
        let level = "\(Self.path)/service0003/char0000"
        try await mock.update(level, "characteristic", "{'Value': dbus.Array([dbus.Byte(19)], signature='y')}")
        #expect(try await session.nextEvent() == .battery(19))
        await session.disconnect()
    }

    @Test func `a reader that tells no charge gets ready without one`() async throws {
        let mock = try await Self.reader(battery: "")
        let session = try await Self.driver(mock).connect(to: Self.id, timeout: 60)
        let events = try await Self.events(session, until: .state(.ready))
        #expect(events.allSatisfy { if case .battery = $0 { false } else { true } })
        await session.disconnect()
    }

    @Test func `a reader that is not known is looked for, and the discovery stopped before the link is made`()
        async throws
    {
        let mock = try await BluetoothMock()
        try await mock.answer(
            "/org/bluez/hci0", "adapter", "StartDiscovery",
            """
            objects['/'].AddDevice('hci0', '\(Self.id)', 'Clover_Go_630094')
            """)
        let session = try await Self.driver(mock).connect(to: Self.id.lowercased(), timeout: 60)
        #expect(session.reader.id == Self.id)
        let calls = try await mock.calls().filter { ["StartDiscovery", "StopDiscovery", "Connect"].contains($0) }
        #expect(calls.prefix(3) == ["StartDiscovery", "StopDiscovery", "Connect"])
        // On a slow machine, connecting may take more than one attempt.
        #expect(calls.dropFirst(3).allSatisfy { $0 == "Connect" })
        await session.disconnect()
    }

    @Test func `a reader that is not in range is unknown, and the discovery is stopped`() async throws {
        let mock = try await BluetoothMock()
        await #expect(throws: ReaderError.unknownReader(Self.id)) {
            try await Self.driver(mock).connect(to: Self.id, timeout: 1)
        }
        #expect(try await mock.count(of: "StopDiscovery") == 1)
    }

    @Test func `a link that stands is taken over, and one that is left stays up until it is ended`() async throws {
        let mock = try await Self.reader(battery: Self.charge(57))
        let driver = Self.driver(mock)
        #expect(try await driver.linkedReaders().isEmpty)
        let first = try await driver.connect(to: Self.id, timeout: 60)
        _ = try await Self.events(first, until: .state(.ready))
        await first.release()
        #expect(try await mock.count(of: "Disconnect") == 0)
        #expect(try await driver.linkedReaders().map(\.id) == [Self.id])
        let second = try await driver.connect(to: Self.id, timeout: 60)
        _ = try await Self.events(second, until: .state(.ready))
        #expect(try await mock.count(of: "Connect") == 1)
        await second.release()
        #expect(try await driver.disconnectLinked(to: Self.id))
        #expect(try await mock.count(of: "Disconnect") == 1)
        #expect(try await driver.disconnectLinked(to: Self.id) == false)
    }

    @Test(arguments: [
        ("org.bluez.Error.AlreadyConnected", "", ReaderError.connectedElsewhere(id)),
        ("org.bluez.Error.Failed", "le-connection-terminated-by-peer", .connectedElsewhere(id)),
        ("org.bluez.Error.Failed", "le-connection-abort-by-local", .notAnswering(id)),
        ("org.bluez.Error.InProgress", "", .busy(.connecting)),
        ("org.bluez.Error.NotReady", "", .adapterOff("hci0")),
        ("org.freedesktop.DBus.Error.UnknownObject", "", .vanished(id)),
        ("org.bluez.Error.Failed", "odd", .bluetooth(.connecting, name: "org.bluez.Error.Failed", text: "odd")),
    ])
    func `a link that BlueZ refuses`(name: String, text: String, expected: ReaderError) async throws {
        let mock = try await Self.reader(battery: "")
        try await mock.answer(Self.path, "device", "Connect", "fail('\(name)', '\(text)')")
        await #expect(throws: expected) { try await Self.driver(mock).connect(to: Self.id, timeout: 60) }
    }

    @Test func `a reader that is removed while it is being connected to has vanished`() async throws {
        let mock = try await Self.reader(battery: "")
        try await mock.answer(
            Self.path, "device", "Connect",
            "objects['/org/bluez/hci0'].methods['org.bluez.Adapter1']['RemoveDevice'][2](objects['/org/bluez/hci0'], "
                + "'\(Self.path)'); fail('org.bluez.Error.Failed', 'Software caused connection abort')")
        await #expect(throws: ReaderError.vanished(Self.id)) {
            try await Self.driver(mock).connect(to: Self.id, timeout: 60)
        }
    }

    @Test func `a link that does not come about in time is given up at BlueZ too`() async throws {
        let mock = try await Self.reader(battery: "")
        try await mock.run("objects['\(Self.path)'].connected = True")
        try await mock.answer(Self.path, "device", "Connect", "import time; time.sleep(8)")
        await #expect(throws: ReaderError.timedOut(.connecting, reader: Self.id, seconds: 4)) {
            try await Self.driver(mock).connect(to: Self.id, timeout: 4)
        }
        #expect(try await mock.count(of: "Disconnect") == 1)
    }

    @Test func `a first link that is lost at once is made again`() async throws {
        let mock = try await Self.reader(battery: Self.charge(57))
        try await mock.answer(
            Self.path, "device", "Connect",
            """
            self.connected = getattr(self, 'attempts', 0) > 0
            self.attempts = 1
            self.UpdateProperties('org.bluez.Device1', {'Connected': dbus.Boolean(True)})
            self.UpdateProperties('org.bluez.Device1', {
                'Connected': dbus.Boolean(self.connected), 'ServicesResolved': dbus.Boolean(self.connected)})
            """)
        let session = try await Self.driver(mock).connect(to: Self.id, timeout: 60)
        let events = try await Self.events(session, until: .state(.ready))
        #expect(events.last == .state(.ready))
        #expect(try await mock.count(of: "Connect") == 2)
        await session.disconnect()
    }

    @Test func `a link that BlueZ has but sends no signal of is found by asking`() async throws {
        let mock = try await Self.reader(battery: Self.charge(57))
        try await mock.answer(
            Self.path, "device", "Connect",
            """
            self.connected = True
            self.props['org.bluez.Device1']['Connected'] = dbus.Boolean(True)
            self.UpdateProperties('org.bluez.Device1', {'ServicesResolved': dbus.Boolean(True)})
            """)
        let session = try await Self.driver(mock).connect(to: Self.id, timeout: 60)
        let events = try await Self.events(session, until: .state(.ready))
        #expect(events == [.state(.initializing), .details(Self.information), .battery(57), .state(.ready)])
        #expect(try await mock.count(of: "Connect") == 1)
        try await mock.update(Self.path, "device", "{'Connected': dbus.Boolean(False)}")
        #expect(try await session.nextEvent() == .state(.disconnected))
    }

    @Test func `services of which BlueZ tells after it says that it knows them are waited for`() async throws {
        let mock = try await BluetoothMock()
        try await mock.addDevice(Self.id, "Clover_Go_630094", rssi: -58)
        try await mock.answer(
            Self.path, "device", "Connect",
            """
            self.connected = True
            self.UpdateProperties('org.bluez.Device1', {
                'Connected': dbus.Boolean(True), 'ServicesResolved': dbus.Boolean(True)})
            # Shown when the objects are read, but not signalled so far.
            prefix, long = self.path + '/service0001', '0000%s-0000-1000-8000-00805f9b34fb'
            self.AddObject(prefix, 'org.bluez.GattService1', {
                'UUID': long % '180a', 'Device': dbus.ObjectPath(self.path)}, [])
            self.AddObject(prefix + '/char0000', 'org.bluez.GattCharacteristic1', {
                'UUID': long % '2a26', 'Service': dbus.ObjectPath(prefix)},
                [('ReadValue', 'a{sv}', 'ay', "ret = dbus.ByteArray(b'1.0.14')")])
            """)
        let session = try await Self.driver(mock).connect(to: Self.id, timeout: 60)
        let events = try await Self.events(session, until: .state(.ready))
        let firmware = events.compactMap { if case .details(let reader) = $0 { reader.firmware } else { nil } }
        #expect(firmware == ["1.0.14"])
        await session.disconnect()
    }

    @Test func `services that do not come in time are a time-out of their own`() async throws {
        let mock = try await Self.reader(battery: "")
        try await mock.answer(
            Self.path, "device", "Connect",
            "self.UpdateProperties('org.bluez.Device1', {'Connected': dbus.Boolean(True)})")
        // On a busy machine, connecting alone may take longer than the first of them.
        for seconds in [1.0, 4, 16, 64] {
            let session: any ReaderSession
            do {
                session = try await Self.driver(mock).connect(to: Self.id, timeout: seconds)
            } catch ReaderError.timedOut(.connecting, _, _) where seconds < 64 {
                continue
            }
            await #expect(throws: ReaderError.timedOut(.resolvingServices, reader: Self.id, seconds: seconds)) {
                _ = try await Self.events(session, until: .state(.ready))
            }
            await session.disconnect()
            return
        }
    }

    /// An event that ends a ready session, and the resulting error.
    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: ReaderError?
        let happen: @Sendable (BluetoothMock) async throws -> Void

        static let all = [
            Loss(testDescription: "the reader goes out of range", expected: nil) {
                try await $0.update(path, "device", "{'Connected': dbus.Boolean(False)}")
            },
            Loss(testDescription: "the reader is removed", expected: .vanished(id)) {
                try await $0.run(
                    """
                    self.EmitSignal(manager, 'InterfacesRemoved', 'oas', [dbus.ObjectPath('\(path)'), [device, battery]])
                    """)
            },
            Loss(testDescription: "the adapter is turned off", expected: .adapterOff("hci0")) {
                try await $0.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
            },
            Loss(testDescription: "BlueZ dies", expected: .bluetoothServiceLost) { $0.kill() },
            Loss(
                testDescription: "the bus dies", expected: .noSystemBus(detail: "the connection was lost")
            ) { $0.server.kill() },
        ]
    }

    @Test(arguments: Loss.all)
    func `a session that is lost says how`(loss: Loss) async throws {
        let mock = try await Self.reader(battery: Self.charge(57))
        let session = try await Self.driver(mock).connect(to: Self.id, timeout: 60)
        _ = try await Self.events(session, until: .state(.ready))
        try await loss.happen(mock)
        if let expected = loss.expected {
            await #expect(throws: expected) { try await session.nextEvent() }
        } else {
            #expect(try await session.nextEvent() == .state(.disconnected))
            #expect(try await session.nextEvent() == nil)
        }
        await session.disconnect()
    }

    @Test func `waiting for an event can be given up and taken up again`() async throws {
        let mock = try await Self.reader(battery: Self.charge(57))
        let session = try await Self.driver(mock).connect(to: Self.id, timeout: 60)
        _ = try await Self.events(session, until: .state(.ready))
        let waiting = Task { try await session.nextEvent() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await mock.update(Self.path, "battery", "{'Percentage': dbus.Byte(12)}")
        #expect(try await session.nextEvent() == .battery(12))
        await session.disconnect()
    }
}
