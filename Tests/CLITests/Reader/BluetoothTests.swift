import BusTestSupport
import CloverTestSupport
import Glibc
import Testing

/// `clover reader` with Bluetooth: the built program, a private bus, and a BlueZ mocked by another project.
@Suite("reader over Bluetooth", .serialized)
struct BluetoothTests {
    private static let reader = "D4:22:CD:00:9A:11"

    /// A mock, and a sandbox whose commands find it. Its token is never used.
    private func run(
        _ body: (Sandbox, BluetoothMock) async throws -> Void
    ) async throws {
        try await Sandbox.run { sandbox in
            let mock = try await BluetoothMock()
            let variables = ["DBUS_SYSTEM_BUS_ADDRESS": "\(mock.server.address)"]
            try await body(sandbox.using("http://127.0.0.1:9").with(variables), mock)
        }
    }

    @Test("a reader that is heard is one line of JSON")
    func scanned() async throws {
        try await run { sandbox, mock in
            try await mock.addDevice(Self.reader, "Clover_Go_630094", rssi: -58)
            let result = try await sandbox.clover("reader", "scan", "--json", "--first")
            expectSuccess(result)
            let record = try #require(try result.records().first)
            #expect(record["id"]?.string == Self.reader)
            #expect(record["name"]?.string == "Clover_Go_630094")
            #expect(record["transport"]?.string == "ble")
            #expect(record["rssi"]?.integer == -58)
            #expect(record["battery"] == .null)
            #expect(record["paired"] == .bool(false))
            #expect(record["connected"] == .bool(false))
        }
    }

    @Test("a device that BlueZ only remembers is not found")
    func remembered() async throws {
        try await run { sandbox, mock in
            try await mock.addDevice(Self.reader, "Clover_Go_630094", rssi: nil)
            let result = try await sandbox.clover("reader", "scan", "--json", "--timeout", "1s")
            #expect(result.ending == .exited(66), "\(result)")
            #expect(result.output.isEmpty)
        }
    }

    /// A way in which a scan ends.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int32
        var arguments = ["--timeout", "0"]
        var happen: @Sendable (RunningCommand, BluetoothMock) async throws -> Void = { _, _ in }

        static let all = [
            Ending(testDescription: "the time is over", status: 66, arguments: ["--timeout", "1s"]),
            Ending(testDescription: "enough was found", status: 0, arguments: ["--timeout", "0", "--first"]) {
                _, mock in
                try await mock.addDevice(reader, "Clover_Go_630094")
            },
            Ending(testDescription: "SIGINT", status: 130) { command, _ in command.send(SIGINT) },
            Ending(testDescription: "SIGTERM", status: 143) { command, _ in command.send(SIGTERM) },
            Ending(testDescription: "the adapter is turned off", status: 69) { _, mock in
                try await mock.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
            },
        ]
    }

    /// The discoveries' calls that a monitor on the bus saw.
    private func calls(_ monitor: RunningCommand) -> [String] {
        String(decoding: monitor.outputSoFar, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.split(separator: "member=").last.map(String.init).flatMap { $0.hasSuffix("Discovery") ? $0 : nil }
        }
    }

    private func monitor(_ mock: BluetoothMock) async throws -> RunningCommand {
        let monitor = try mock.server.runner("/usr/bin/dbus-monitor").start([
            "--address", "\(mock.server.address)", "type='method_call',interface='org.bluez.Adapter1'",
            "type='method_call',interface='org.example.Test'",
        ])
        // It hears something as soon as it has its place on the bus.
        let hears = try await eventually {
            try await mock.run("pass")
            return String(decoding: monitor.outputSoFar, as: UTF8.self).contains("member=Run")
        }
        try #require(hears)
        return monitor
    }

    @Test("however a scan ends, its discovery is stopped", arguments: Ending.all)
    func stopped(_ ending: Ending) async throws {
        try await run { sandbox, mock in
            let monitor = try await monitor(mock)
            let command = try sandbox.start(["reader", "scan", "--json"] + ending.arguments)
            try await mock.waitForCall("StartDiscovery")
            try await ending.happen(command, mock)
            let result = try await command.result()
            #expect(result.status == ending.status, "\(result)")
            let isPaired = await eventually { calls(monitor) == ["StartDiscovery", "StopDiscovery"] }
            #expect(isPaired, "\(calls(monitor))")
        }
    }

    @Test("a scan whose reader goes away ends at once, and its discovery is stopped")
    func closedPipe() async throws {
        try await run { sandbox, mock in
            try await mock.addDevice(Self.reader, "Clover_Go_630094", rssi: -58)
            let monitor = try await monitor(mock)
            let result = try await sandbox.shell(
                "clover reader scan --json --timeout 0 | head -n 1; exit ${PIPESTATUS[0]}")
            #expect(result.ending == .exited(141), "\(result)")
            #expect(result.lines.count == 1)
            let isPaired = await eventually { calls(monitor) == ["StartDiscovery", "StopDiscovery"] }
            #expect(isPaired, "\(calls(monitor))")
        }
    }

    @Test("connect gets a reader ready, and watch finds the link that it left up")
    func connected() async throws {
        try await run { sandbox, mock in
            try await mock.addDevice(Self.reader, "Clover_Go_630094", rssi: -58)
            let path = BluetoothMock.path(Self.reader)
            try await mock.run("objects['\(path)'].props[battery] = {'Percentage': dbus.Byte(57)}")
            try await mock.answer(
                path, "device", "Connect",
                """
                self.connected = True
                self.UpdateProperties('org.bluez.Device1', {
                    'Connected': dbus.Boolean(True), 'ServicesResolved': dbus.Boolean(True)})
                """)
            let connecting = try await sandbox.clover("reader", "connect", Self.reader, "--json")
            expectSuccess(connecting)
            let events = try connecting.records()
            #expect(events.first?["state"]?.string == "initializing")
            #expect(events.last?["state"]?.string == "ready")
            #expect(events.last?["battery"]?.integer == 57)
            #expect(try await mock.count(of: "Disconnect") == 0)

            let watching = try sandbox.start("reader", "watch", "--json")
            try await watching.waitForOutput("the present state") {
                String(decoding: $0, as: UTF8.self).contains(#""state":"ready""#)
            }
            try await mock.update(path, "battery", "{'Percentage': dbus.Byte(12)}")
            try await watching.waitForOutput("the low charge") {
                String(decoding: $0, as: UTF8.self).contains(#""state":"lowBattery""#)
            }
            try await mock.run("objects['\(path)'].methods[device]['Disconnect'][2](objects['\(path)'])")
            let watched = try await watching.result()
            expectSuccess(watched)
            #expect(try watched.records().last?["state"]?.string == "disconnected")
        }
    }

    @Test("a link that was left up has to be let go before another reader is connected")
    func linkedElsewhere() async throws {
        try await run { sandbox, mock in
            let other = "D4:22:CD:00:9A:22"
            for (address, name) in [(Self.reader, "Clover_Go_630094"), (other, "Clover_Go_630095")] {
                try await mock.addDevice(address, name, rssi: -58)
                try await mock.answer(
                    BluetoothMock.path(address), "device", "Connect",
                    """
                    self.connected = True
                    self.UpdateProperties('org.bluez.Device1', {
                        'Connected': dbus.Boolean(True), 'ServicesResolved': dbus.Boolean(True)})
                    """)
            }
            expectSuccess(try await sandbox.clover("reader", "connect", Self.reader))
            expectFailure(
                try await sandbox.clover("reader", "connect", other), status: 75,
                saying: "reader Clover_Go_630094 is already connected", "clover reader disconnect")
            // The same one is taken up again.
            expectSuccess(try await sandbox.clover("reader", "connect", Self.reader))
            let ended = try await sandbox.clover("reader", "disconnect")
            #expect(ended.ending == .exited(0), "\(ended)")
            // The mock reports the end, and does not store it.
            try await mock.update(BluetoothMock.path(Self.reader), "device", "{'Connected': dbus.Boolean(False)}")
            expectSuccess(try await sandbox.clover("reader", "connect", other))
        }
    }

    @Test("a BlueZ that does not respond is reported, with 69, even beside a driver whose readers are found")
    func silent() async throws {
        try await run { sandbox, mock in
            mock.pause()
            expectFailure(
                try await sandbox.clover("reader", "scan", "--timeout", "2s"), status: 69,
                saying: "BlueZ does not respond")
            let program = try CommandRunner.builtProgram("clover-emulator")
            let both = sandbox.with(["CLOVER_READER_DRIVER": "'\(program)' reader-driver --pace 0.1"])
            let result = try await both.clover("reader", "scan", "--json", "--timeout", "12s")
            #expect(result.status == 69 && !result.lines.isEmpty, "\(result)")
            #expect(result.errorText.contains("BlueZ does not respond"), "\(result)")
            // One reader was wanted, and one was found.
            let first = try await both.clover("reader", "scan", "--json", "--timeout", "0", "--first")
            #expect(first.status == 0 && first.lines.count == 1, "\(first)")
        }
    }

    @Test("without a system bus it says what to do, with a separate status")
    func noBus() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.with(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"]).clover(
                "reader", "scan", "--json")
            #expect(result.ending == .exited(69), "\(result)")
            #expect(result.errorText.contains("no_system_bus"))
        }
    }
}
