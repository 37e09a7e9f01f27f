import BusTestSupport
import CloverReaders
import CloverTestSupport
import Glibc
import Synchronization
import Testing

/// Discoveries with a mock of BlueZ from another project, on a real bus.
@Suite(.serialized)
struct BlueZDiscoveryTests {
    static let goReader = "D4:22:CD:00:9A:11"

    private static func driver(_ mock: BluetoothMock, adapter: String? = nil, powersOn: Bool = false) -> BlueZDriver {
        BlueZDriver(
            variables: mock.server.variables, adapter: adapter, powersOn: powersOn, radioSwitches: "/nonexistent")
    }

    /// The first `count` sightings of a discovery.
    /// - Parameters:
    ///   - change: runs during the discovery.
    ///   - reaction: runs after the first sighting.
    private static func sightings(
        _ driver: BlueZDriver, all: Bool = false, count: Int,
        during change: @escaping @Sendable () async throws -> Void = {},
        afterFirst reaction: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> [DiscoveredReader] {
        let reported = Mutex<[DiscoveredReader]>([])
        async let changed: Void = change()
        try await driver.discover(allDevices: all) { sighting in
            let number = reported.withLock { reported in
                reported.append(sighting)
                return reported.count
            }
            if number == 1 { try await reaction() }
            return number < count
        }
        try await changed
        return reported.withLock(\.self)
    }

    @Test func `reports a reader that appears late with all its details, then stops the discovery`()
        async throws
    {
        let mock = try await BluetoothMock()
        let reported = try await Self.sightings(Self.driver(mock), count: 1) {
            try await mock.waitForCall("StartDiscovery")
            try await mock.addDevice(Self.goReader, "Clover_Go_630094", rssi: -58)
        }
        #expect(
            reported == [
                DiscoveredReader(
                    Reader(
                        id: Self.goReader, transport: .ble, name: "Clover_Go_630094", rssi: -58, paired: false,
                        connected: false), isLive: true)
            ])
        #expect(try await mock.calls().filter { $0.hasSuffix("Discovery") } == ["StartDiscovery", "StopDiscovery"])
        let calls = try await mock.calls()
        let filter = try #require(calls.firstIndex(of: "SetDiscoveryFilter"))
        #expect(filter < (calls.firstIndex(of: "StartDiscovery") ?? 0))
    }

    @Test func `reports only Clover readers unless all devices are requested`() async throws {
        let mock = try await BluetoothMock()
        try await mock.addDevice("11:22:33:44:55:66", "Headset")
        try await mock.addDevice(Self.goReader, "Clover_Go_630094")
        let clovers = try await Self.sightings(Self.driver(mock), count: 1)
        #expect(clovers.map(\.reader.name) == ["Clover_Go_630094"])
        let all = try await Self.sightings(Self.driver(mock), all: true, count: 2)
        #expect(Set(all.map(\.reader.name)) == ["Headset", "Clover_Go_630094"])
    }

    @Test func `reports a cached device as not live, and again when it is in range`() async throws {
        let mock = try await BluetoothMock()
        try await mock.addDevice(Self.goReader, "Clover_Go_630094", rssi: nil)
        let reported = try await Self.sightings(
            Self.driver(mock), count: 2,
            afterFirst: {
                try await mock.run(
                    """
                    objects['\(BluetoothMock.path(Self.goReader))'].AddProperty(device, 'RSSI', dbus.Int16(-71))
                    objects['\(BluetoothMock.path(Self.goReader))'].UpdateProperties(device, {'RSSI': dbus.Int16(-71)})
                    """)
            })
        #expect(reported.map(\.isLive) == [false, true])
        #expect(reported.map(\.reader.rssi) == [nil, -71])
    }

    @Test func `reports an unknown signal strength as absent`() async throws {
        let mock = try await BluetoothMock()
        try await mock.addDevice(Self.goReader, "Clover_Go_630094", rssi: 127)
        let reported = try await Self.sightings(Self.driver(mock), count: 1)
        #expect(reported.map(\.reader.rssi) == [nil])
        #expect(reported.map(\.isLive) == [true])
    }

    @Test func `reports a reader again when its details change, but not for other properties`() async throws {
        let mock = try await BluetoothMock()
        try await mock.addDevice(Self.goReader, "Clover_Go_630094", rssi: -58)
        let path = BluetoothMock.path(Self.goReader)
        let reported = try await Self.sightings(
            Self.driver(mock), count: 2,
            afterFirst: {
                try await mock.update(path, "device", "{'TxPower': dbus.Int16(4)}")
                try await mock.update(path, "device", "{'RSSI': dbus.Int16(-58)}")
                try await mock.update(path, "device", "{'RSSI': dbus.Int16(-80)}")
            })
        #expect(reported.map(\.reader.rssi) == [-58, -80])
    }

    @Test func `all adapters that are on are searched, and a reader is connected by the one that hears it`()
        async throws
    {
        let mock = try await BluetoothMock(adapters: ["hci0", "hci1", "hci2"])
        try await mock.update("/org/bluez/hci2", "adapter", "{'Powered': dbus.Boolean(False)}")
        let second = "D4:22:CD:00:9A:22"
        let reported = try await Self.sightings(Self.driver(mock), count: 2) {
            let started = try await eventually { try await mock.count(of: "StartDiscovery") == 2 }
            #expect(started)
            try await mock.addDevice(Self.goReader, "Clover_Go_630094", adapter: "hci0")
            try await mock.addDevice(second, "Clover_Go_630095", adapter: "hci1")
        }
        #expect(reported.map(\.reader.id) == [Self.goReader, second])
        #expect(try await mock.count(of: "StopDiscovery") == 2)
        try await mock.answer(
            BluetoothMock.path(second, adapter: "hci1"), "device", "Connect",
            """
            self.connected = True
            self.UpdateProperties('org.bluez.Device1', {
                'Connected': dbus.Boolean(True), 'ServicesResolved': dbus.Boolean(True)})
            """)
        let session = try await Self.driver(mock).connect(to: second, timeout: 60)
        #expect(session.reader.id == second)
        await session.release()
    }

    @Test func `reports each of 500 simultaneous devices exactly once`() async throws {
        let mock = try await BluetoothMock()
        let reported = try await Self.sightings(Self.driver(mock), all: true, count: 500) {
            try await mock.waitForCall("StartDiscovery")
            try await mock.run(
                """
                for number in range(500):
                    self.AddDevice('hci0', 'D4:22:CD:00:%02X:%02X' % divmod(number, 256), 'Clover_Go_%06d' % number)
                """)
        }
        #expect(Set(reported.map(\.reader.id)).count == 500)
    }

    @Test func `a slow consumer gets the latest state of each reader, not every change`() async throws {
        let mock = try await BluetoothMock()
        try await mock.addDevice(Self.goReader, "Clover_Go_630094", rssi: -20)
        let path = BluetoothMock.path(Self.goReader)
        let reported = Mutex<[Int?]>([])
        try await Self.driver(mock).discover(allDevices: false) { sighting in
            let count = reported.withLock { reported in
                reported.append(sighting.reader.rssi)
                return reported.count
            }
            if count == 1 {
                try await mock.run(
                    """
                    for number in range(21, 60):
                        objects['\(path)'].UpdateProperties(device, {'RSSI': dbus.Int16(-number)})
                    """)
                // The response to another call to the same service arrives after its earlier signals.
                try await mock.addDevice("11:22:33:44:55:66", "Clover_Go_000001")
                return true
            }
            return sighting.reader.id == Self.goReader && sighting.reader.rssi != -59
        }
        let strengths = reported.withLock(\.self)
        #expect(strengths.first == -20)
        #expect(strengths.last != -20)
        #expect(strengths.count < 40)
    }

    @Test(arguments: ["stop", "throw", "cancel"])
    func `however a discovery ends, it is stopped first`(way: String) async throws {
        struct Enough: Error {}
        let mock = try await BluetoothMock()
        let task = Task {
            try await Self.driver(mock).discover(allDevices: false) { _ in
                if way == "throw" { throw Enough() }
                return way != "stop"
            }
        }
        try await mock.waitForCall("StartDiscovery")
        #expect(try await mock.count(of: "StopDiscovery") == 0)
        if way == "cancel" { task.cancel() } else { try await mock.addDevice(Self.goReader, "Clover_Go_630094") }
        let result = await task.result
        switch way {
        case "stop": #expect(throws: Never.self) { try result.get() }
        case "throw": #expect(throws: Enough.self) { try result.get() }
        default: #expect(throws: CancellationError.self) { try result.get() }
        }
        #expect(try await mock.count(of: "StartDiscovery") == 1)
        #expect(try await mock.count(of: "StopDiscovery") == 1)
    }

    @Test func `a discovery that is cancelled while BlueZ starts it is stopped too`() async throws {
        let mock = try await BluetoothMock()
        try await mock.answer("/org/bluez/hci0", "adapter", "StartDiscovery", "import time; time.sleep(0.5)")
        let task = Task { try await Self.driver(mock).discover(allDevices: false) { _ in true } }
        try await mock.waitForCall("StartDiscovery")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await mock.count(of: "StopDiscovery") == 1)
    }

    @Test func `the adapter is chosen by name or address, else one that is on`() async throws {
        let mock = try await BluetoothMock(adapters: ["hci0", "hci1"])
        try await mock.addDevice(Self.goReader, "Clover_Go_000000", adapter: "hci0")
        try await mock.addDevice(Self.goReader, "Clover_Go_000001", adapter: "hci1")
        for (word, name) in [("hci1", "Clover_Go_000001"), ("00:01:02:03:04:05", "Clover_Go_000000")] {
            let reported = try await Self.sightings(Self.driver(mock, adapter: word), count: 1)
            #expect(reported.map(\.reader.name) == [name])
        }
        try await mock.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
        let reported = try await Self.sightings(Self.driver(mock), count: 1)
        #expect(reported.map(\.reader.name) == ["Clover_Go_000001"])
        await #expect(throws: ReaderError.noAdapter(named: "hci7")) {
            try await Self.sightings(Self.driver(mock, adapter: "hci7"), count: 1)
        }
    }

    @Test func `an adapter that is off is turned on where that is asked for`() async throws {
        let mock = try await BluetoothMock()
        try await mock.addDevice(Self.goReader, "Clover_Go_630094")
        try await mock.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
        await #expect(throws: ReaderError.adapterOff("hci0")) {
            try await Self.sightings(Self.driver(mock), count: 1)
        }
        #expect(try await mock.count(of: "StartDiscovery") == 0)
        let reported = try await Self.sightings(Self.driver(mock, powersOn: true), count: 1)
        #expect(reported.count == 1)
    }
}
