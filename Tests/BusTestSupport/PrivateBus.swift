package import CloverDBus
package import CloverTestSupport
import Glibc

/// A real `dbus-daemon` with a private home and folders for the services on it. It knows no service
/// files, so it starts nothing by itself. Everything stops and goes away with the object.
package final class PrivateBus: Sendable {
    package let address: BusAddress
    package let folder: TemporaryDirectory
    private let daemon: RunningCommand
    /// The daemon and what is on the bus end with their values; until then they stay, however long a test takes.
    private static let limit = Duration.seconds(3600)

    /// - Parameter policy: what is allowed on it, as in dbus-daemon(1); everything by default.
    package init(
        policy: String = """
        <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>\
        <allow own="*"/></policy>
        """
    ) async throws {
        let folder = try TemporaryDirectory()
        for name in ["home", "data", "runtime", "config"] { try folder.makeFolder(name) }
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>unix:path=\(folder["bus"])</listen>\(policy)</busconfig>
            """
        try folder.write("bus.conf", configuration.utf8)
        var runner = CommandRunner(executable: "/usr/bin/dbus-daemon", environment: [:])
        runner.limit = Self.limit
        daemon = try runner.start([
            "--config-file=\(folder["bus.conf"])", "--nofork", "--nopidfile", "--print-address",
        ])
        self.folder = folder
        address = try BusAddress(try await daemon.firstLine())
    }

    deinit { daemon.send(SIGKILL) }

    /// The environment of a program on this bus.
    package var variables: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder["home"], "XDG_DATA_HOME": folder["data"],
            "XDG_RUNTIME_DIR": folder["runtime"], "XDG_CONFIG_HOME": folder["config"],
            "DBUS_SESSION_BUS_ADDRESS": address.text, "DBUS_SYSTEM_BUS_ADDRESS": address.text,
        ]
    }

    package func runner(_ executable: String) -> CommandRunner {
        var runner = CommandRunner(executable: executable, environment: variables)
        runner.limit = Self.limit
        return runner
    }

    /// Starts a Python program, which prints a first line when it is on the bus. Debian's own Python has the modules.
    package func startScript(_ path: String, _ arguments: [String] = []) async throws -> RunningCommand {
        let script = try runner("/usr/bin/python3").start([path] + arguments)
        _ = try await script.firstLine()
        return script
    }

    /// It accepts connections and says nothing any more.
    package func pause() { daemon.send(SIGSTOP) }

    /// Gone as in a crash.
    package func kill() { daemon.send(SIGKILL) }

    /// Whether the daemon is gone with all its sockets, which close one after the other.
    package var hasEnded: Bool { daemon.hasEnded }

    /// The unique names on the bus, one for each connection.
    package func connections(_ bus: Bus) async throws -> [String] {
        let names = try await bus.call(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "ListNames")
        return names.first?.elements?.compactMap(\.text).filter { $0.hasPrefix(":") } ?? []
    }
}
