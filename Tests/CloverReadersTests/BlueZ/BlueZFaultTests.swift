import BusTestSupport
import CloverReaders
import CloverTestSupport
import Glibc
import Testing

/// Errors on a machine without working Bluetooth, and if Bluetooth disappears during use.
@Suite(.serialized)
struct BlueZFaultTests {
    private static func driver(_ mock: BluetoothMock, radioSwitches: String = "/nonexistent") -> BlueZDriver {
        BlueZDriver(variables: mock.server.variables, powersOn: true, radioSwitches: radioSwitches)
    }

    private static func discover(_ driver: BlueZDriver) async throws {
        try await driver.discover(allDevices: false) { _ in true }
    }

    /// The error that ends a discovery if something happens after its start.
    private static func ending(
        _ mock: BluetoothMock, _ happening: () async throws -> Void
    ) async throws -> ReaderError? {
        let task = Task { try await discover(driver(mock)) }
        try await mock.waitForCall("StartDiscovery")
        try await happening()
        return await #expect(throws: ReaderError.self) { try await task.value }
    }

    @Test func `no system bus`() async throws {
        let driver = BlueZDriver(variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        let error = await #expect(throws: ReaderError.self) { try await Self.discover(driver) }
        guard case .noSystemBus(let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains("/nonexistent/bus"))
    }

    @Test func `a bus without BlueZ`() async throws {
        let server = try await PrivateBus()
        await #expect(throws: ReaderError.noBluetoothService) {
            try await Self.discover(BlueZDriver(variables: server.variables))
        }
    }

    @Test func `a BlueZ that does not answer before the scan is cancelled`() async throws {
        let mock = try await BluetoothMock()
        mock.pause()
        let scan = Task { try await Self.discover(Self.driver(mock)) }
        scan.cancel()
        let error = await #expect(throws: ReaderError.self) { try await scan.value }
        #expect(error?.isUnresponsive == true, "\(String(describing: error))")
    }

    @Test func `no adapter`() async throws {
        let mock = try await BluetoothMock(adapters: [])
        await #expect(throws: ReaderError.noAdapter(named: nil)) { try await Self.discover(Self.driver(mock)) }
    }

    @Test func `a user who may not speak with BlueZ`() async throws {
        let server = try await PrivateBus(
            policy: """
                <policy context="default"><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>\
                <deny send_interface="org.freedesktop.DBus.ObjectManager"/></policy>
                """)
        let mock = try await BluetoothMock(on: server)
        let error = await #expect(throws: ReaderError.self) { try await Self.discover(Self.driver(mock)) }
        guard case .notPermitted = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [("soft", false), ("hard", true)])
    func `an adapter that rfkill blocks`(file: String, isHard: Bool) async throws {
        let mock = try await BluetoothMock()
        try await mock.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
        let folder = try TemporaryDirectory()
        for (name, adapter) in [("rfkill0", "phy0"), ("rfkill1", "hci0")] {
            try folder.makeFolder(name)
            try folder.write("\(name)/name", "\(adapter)\n".utf8)
            for other in ["soft", "hard"] {
                try folder.write("\(name)/\(other)", (other == file && adapter == "hci0" ? "1\n" : "0\n").utf8)
            }
        }
        await #expect(throws: ReaderError.adapterBlocked("hci0", isHard: isHard)) {
            try await Self.discover(Self.driver(mock, radioSwitches: folder.path))
        }
    }

    @Test func `an adapter of which BlueZ says that it is blocked`() async throws {
        let mock = try await BluetoothMock()
        try await mock.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
        try await mock.run("objects['/org/bluez/hci0'].AddProperty(adapter, 'PowerState', 'off-blocked')")
        await #expect(throws: ReaderError.adapterBlocked("hci0", isHard: false)) {
            try await Self.discover(Self.driver(mock))
        }
    }

    @Test(arguments: [
        ("org.bluez.Error.NotReady", ReaderError.adapterOff("hci0")),
        ("org.bluez.Error.InProgress", .busy(.startingDiscovery)),
        ("org.bluez.Error.NotAuthorized", .notPermitted(detail: "why")),
        ("org.bluez.Error.Blocked", .adapterBlocked("hci0", isHard: false)),
        ("org.freedesktop.DBus.Error.AccessDenied", .notPermitted(detail: "why")),
        ("org.freedesktop.DBus.Error.UnknownObject", .noAdapter(named: "hci0")),
        ("org.bluez.Error.Failed", .bluetooth(.startingDiscovery, name: "org.bluez.Error.Failed", text: "why")),
        ("org.example.Odd", .bluetooth(.startingDiscovery, name: "org.example.Odd", text: "why")),
    ])
    func `a discovery that BlueZ refuses to start`(name: String, expected: ReaderError) async throws {
        let mock = try await BluetoothMock()
        try await mock.answer("/org/bluez/hci0", "adapter", "StartDiscovery", "fail('\(name)', 'why')")
        await #expect(throws: expected) { try await Self.discover(Self.driver(mock)) }
        #expect(try await mock.count(of: "StopDiscovery") == 0)
    }

    @Test func `the bus dies in the middle`() async throws {
        let mock = try await BluetoothMock()
        let error = try await Self.ending(mock) { mock.server.kill() }
        #expect(error == .noSystemBus(detail: "the connection was lost"))
    }

    @Test func `BlueZ dies in the middle`() async throws {
        let mock = try await BluetoothMock()
        #expect(try await Self.ending(mock) { mock.kill() } == .bluetoothServiceLost)
    }

    @Test func `the adapter is turned off in the middle`() async throws {
        let mock = try await BluetoothMock()
        let error = try await Self.ending(mock) {
            try await mock.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
        }
        #expect(error == .adapterOff("hci0"))
    }

    @Test func `the adapter is pulled out in the middle`() async throws {
        let mock = try await BluetoothMock()
        #expect(
            try await Self.ending(mock) { try await mock.run("self.RemoveAdapter('hci0')") }
                == .noAdapter(named: "hci0"))
    }
}
