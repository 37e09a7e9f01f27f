import CloverDBus
import CloverTestSupport
import Glibc

/// A real `gnome-keyring-daemon` on a private bus. It stops with the object.
package final class KeyringDaemon: Sendable {
    private let process: RunningCommand

    /// Starts it and waits until it serves.
    /// - Parameter password: unlocks the login keyring, which is made when there is none; nil leaves things locked.
    package init(on bus: PrivateBus, password: String?) async throws {
        var arguments = ["--foreground", "--components=secrets", "--control-directory=\(bus.folder["runtime"])"]
        if password != nil { arguments.append("--unlock") }
        process = try bus.runner("/usr/bin/gnome-keyring-daemon").start(
            arguments, input: password.map { .text($0) } ?? .nothing)
        let connection = try await Bus.open(bus.address)
        let serves = await eventually {
            do throws(DBusError) {
                let alias = try await connection.call(
                    destination: "org.freedesktop.secrets", path: "/org/freedesktop/secrets",
                    interface: "org.freedesktop.Secret.Service", member: "ReadAlias", arguments: [.string("default")])
                return password == nil || alias != [.objectPath("/")]
            } catch {
                return false
            }
        }
        guard serves else { throw CommandError.unreadable(process.errorsSoFar) }
    }

    deinit { process.send(SIGKILL) }

    /// It keeps its place on the bus and never replies.
    package func pause() { process.send(SIGSTOP) }

    /// Ends it and waits for that.
    package func stop() async throws {
        process.send(SIGTERM)
        _ = try await process.result()
    }
}
