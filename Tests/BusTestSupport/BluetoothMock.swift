import CloverDBus
import CloverTestSupport
import Glibc

/// A BlueZ that is none: python-dbusmock's own template on a private bus, driven from the test.
package final class BluetoothMock: Sendable {
    package let server: PrivateBus
    private let process: RunningCommand
    private let bus: Bus

    /// - Parameter adapters: such as `hci0`; all are on.
    package init(adapters: [String] = ["hci0"], on server: PrivateBus? = nil) async throws {
        let server = if let server { server } else { try await PrivateBus() }
        self.server = server
        process = try server.runner("/usr/bin/python3").start(["-m", "dbusmock", "--system", "-t", "bluez5"])
        let bus = try await Bus.open(server.address)
        self.bus = bus
        let serves = try await eventually {
            try await bus.call(
                destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus",
                member: "NameHasOwner", arguments: [.string("org.bluez")]) == [.bool(true)]
        }
        guard serves else { throw CommandError.unreadable(process.errorsSoFar) }
        _ = try await bus.call(
            destination: "org.bluez", path: "/", interface: "org.freedesktop.DBus.Mock", member: "AddMethod",
            arguments: [
                .string("org.example.Test"), .string("Run"), .string("s"), .string(""),
                .string("exec(args[0], dict(globals(), self=self, objects=objects, \(Self.names)))"),
            ])
        for adapter in adapters { try await run("self.AddAdapter('\(adapter)', 'desk')") }
    }

    deinit { process.send(SIGKILL) }

    private static let names = """
        adapter='org.bluez.Adapter1', device='org.bluez.Device1', service='org.bluez.GattService1', \
        characteristic='org.bluez.GattCharacteristic1', battery='org.bluez.Battery1', manager=OBJECT_MANAGER_IFACE
        """

    /// Runs Python in the mock. `objects` has every mocked object by its path, `self` is the one at `/`, and `adapter`,
    /// `device`, `service`, `characteristic`, `battery` and `manager` are names of interfaces.
    package func run(_ python: String) async throws {
        _ = try await bus.call(
            destination: "org.bluez", path: "/", interface: "org.example.Test", member: "Run",
            arguments: [.string(python)])
    }

    /// The path of a device.
    package static func path(_ address: String, adapter: String = "hci0") -> String {
        "/org/bluez/\(adapter)/dev_\(String(address.map { $0 == ":" ? "_" : $0 }))"
    }

    /// A device that is being heard from now on, or, without `rssi`, one that BlueZ only remembers.
    package func addDevice(_ address: String, _ name: String, rssi: Int? = -60, adapter: String = "hci0") async throws {
        let path = Self.path(address, adapter: adapter)
        // The template reports the device with its own strength, so the right one has to be in place before.
        try await run(
            """
            emit = self.EmitSignal
            self.EmitSignal = lambda *ignored: None
            objects['/'].EmitSignal = self.EmitSignal
            self.AddDevice('\(adapter)', '\(address)', '\(name)')
            del self.EmitSignal
            properties = objects['\(path)'].props[device]
            \(rssi.map { "properties['RSSI'] = dbus.Int16(\($0), variant_level=1)" } ?? "del properties['RSSI']")
            self.object_manager_emit_added('\(path)')
            """)
    }

    /// Changes properties of an object and tells so.
    package func update(_ path: String, _ interface: String, _ properties: String) async throws {
        try await run("objects['\(path)'].UpdateProperties(\(interface), \(properties))")
    }

    /// Replaces what a method does. `args` are its arguments, `ret` becomes its reply, `fail(name, text)` refuses.
    package func answer(
        _ path: String, _ interface: String, _ member: String, takes: String = "", gives: String = "",
        _ python: String
    ) async throws {
        let code = """
            def fail(name, text=''):
                raise dbus.exceptions.DBusException(text, name=name)
            \(python)
            """
        try await run("objects['\(path)'].AddMethod(\(interface), '\(member)', '\(takes)', '\(gives)', '''\(code)''')")
    }

    /// The methods of BlueZ that were called so far, in order.
    package func calls() async throws -> [String] {
        // What was called before is written before the mark.
        let mark = "mark \(UInt64.random(in: 0...UInt64.max))"
        try await run("self.log('\(mark)')")
        try await process.waitForOutput("the mark") { String(decoding: $0, as: UTF8.self).contains(mark + "\n") }
        return String(decoding: process.outputSoFar, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            // One that refuses is logged a second time, with `raised:`.
            guard words.count >= 2, words[1].first?.isUppercase ?? false, words.dropFirst(2).first != "raised:" else {
                return nil
            }
            return String(words[1])
        }
    }

    package func count(of member: String) async throws -> Int { try await calls().count { $0 == member } }

    /// Waits until a method has been called.
    package func waitForCall(_ member: String) async throws {
        try await process.waitForOutput("a call of \(member)") {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").contains { $0.hasSuffix(" \(member)") }
        }
    }

    /// Gone as in a crash.
    package func kill() { process.send(SIGKILL) }

    /// It keeps its place on the bus and never replies.
    package func pause() { process.send(SIGSTOP) }
}
