import BusTestSupport
import CloverDBus
import CloverTestSupport
import Glibc
import Testing

/// Finding a bus and connecting to it.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionTests {
    @Test func `the session bus is where the environment says`() throws {
        let both = ["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/tmp/x,guid=1", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(try BusAddress.session(variables: both).text == "unix:abstract=/tmp/x,guid=1")
        let folder = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/run/us er/7,;%"]
        #expect(try BusAddress.session(variables: folder).text == "unix:path=/run/us%20er/7%2c%3b%25/bus")
    }

    @Test func `without an environment the session bus is in the user's folder, where there is one`() throws {
        let folder = try TemporaryDirectory()
        #expect(throws: DBusError.noAddress(bus: "session")) {
            try BusAddress.session(variables: [:], userFolder: folder.path)
        }
        try folder.write("bus", [])
        #expect(try BusAddress.session(variables: [:], userFolder: folder.path).text == "unix:path=\(folder["bus"])")
    }

    @Test func `the system bus is in its usual place unless the environment says otherwise`() throws {
        #expect(try BusAddress.system(variables: [:]).text == "unix:path=/run/dbus/system_bus_socket")
        let other = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x"]
        #expect(try BusAddress.system(variables: other).text == "unix:path=/x")
    }

    @Test func `only local sockets are taken`() throws {
        #expect(
            try BusAddress("tcp:host=example.org;unix:path=/a;unixexec:path=b;unix:path=/c").text
                == "unix:path=/a;unix:path=/c")
        for text in ["tcp:host=localhost,port=1", "unixexec:path=/bin/false", "autolaunch:", "", "/run/bus"] {
            #expect(throws: DBusError.unusableAddress(text)) { try BusAddress(text) }
        }
    }

    @Test func `an address that cannot be read is unusable`() async throws {
        let address = try BusAddress("unix:guid=1")
        await #expect(throws: DBusError.unusableAddress("unix:guid=1")) { try await Bus.open(address) }
    }

    @Test func `where no socket is there is no bus`() async throws {
        let folder = try TemporaryDirectory()
        let address = try BusAddress("unix:path=\(folder["bus"])")
        await #expect(throws: DBusError.notConnected(address: address.text, errno: ENOENT)) {
            try await Bus.open(address)
        }
    }

    @Test func `a socket that a dead daemon left is no bus`() async throws {
        let server = try await PrivateBus()
        let address = try BusAddress("unix:path=\(server.folder["bus"])")
        let bus = try await Bus.open(server.address)
        server.kill()
        await #expect(throws: DBusError.disconnected) { try await server.connections(bus) }
        #expect(await eventually { server.hasEnded })
        await #expect(throws: DBusError.notConnected(address: address.text, errno: ECONNREFUSED)) {
            try await Bus.open(address)
        }
    }

    @Test func `a bus that accepts and says nothing ends at the limit`() async throws {
        let server = try await PrivateBus()
        server.pause()
        await #expect(throws: DBusError.timedOut(member: "Hello", seconds: 0.1)) {
            try await Bus.open(server.address, within: .milliseconds(100))
        }
        await #expect(throws: DBusError.timedOut(member: "Hello", seconds: 0.05)) {
            try await Bus.open(server.address, within: .seconds(3600), until: Deadline(after: .milliseconds(50)))
        }
    }

    @Test func `connecting can be cancelled`() async throws {
        let server = try await PrivateBus()
        server.pause()
        let task = Task { try await Bus.open(server.address, within: .seconds(3600)) }
        task.cancel()
        await #expect(throws: DBusError.cancelled) { try await task.value }
    }

    @Test func `a bus that does not let this user in is access denied`() async throws {
        let server = try await PrivateBus(policy: "<auth>DBUS_COOKIE_SHA1</auth>")
        let error = await #expect(throws: DBusError.self) { try await Bus.open(server.address) }
        guard case .accessDenied = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a missing library is an error with its name`() async throws {
        let server = try await PrivateBus()
        let error = await #expect(throws: DBusError.self) {
            try await Bus.open(server.address, libraryName: "libclover-none.so.0")
        }
        guard case .libraryMissing(let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains("libclover-none.so.0"))
    }

    @Test func `a library without the functions is an error with the name of the first`() async throws {
        let server = try await PrivateBus()
        await #expect(throws: DBusError.libraryMissing(detail: "libc.so.6 has no sd_bus_new")) {
            try await Bus.open(server.address, libraryName: "libc.so.6")
        }
    }

    @Test func `connections that are let go are closed`() async throws {
        let server = try await PrivateBus()
        let observer = try await Bus.open(server.address)
        for _ in 0..<20 {
            let bus = try await Bus.open(server.address)
            #expect(try await server.connections(bus).count >= 2)
        }
        #expect(try await eventually { try await server.connections(observer).count == 1 })
    }
}
