import Glibc

/// Where a message bus listens, as a D-Bus server address ("Server Addresses" of the D-Bus specification).
///
/// Only local sockets are taken: what goes over the bus, secrets among it, must not leave the machine, and a TCP
/// address would make the name service a part of every time limit.
package struct BusAddress: Sendable, Equatable, CustomStringConvertible {
    /// One address, or several with `;` between them, of which the first that works is used.
    package let text: String

    package var description: String { text }

    /// - Parameter text: parts that are not `unix:` addresses are left out; with none left it is unusable.
    package init(_ text: String) throws(DBusError) {
        let local = text.split(separator: ";").filter { $0.hasPrefix("unix:") }
        guard !local.isEmpty else { throw .unusableAddress(text) }
        self.text = local.joined(separator: ";")
    }

    /// A socket in the file system.
    init(socket path: String) throws(DBusError) {
        self = try BusAddress("unix:path=\(Self.escaped(path))")
    }

    /// The bus of the user's session: `DBUS_SESSION_BUS_ADDRESS`; or `bus` in `XDG_RUNTIME_DIR`; or else, for cron, which
    /// sets neither, `bus` in the folder that the login service makes for the user, where it exists.
    package static func session(
        variables: [String: String], userFolder: String = "/run/user/\(getuid())"
    ) throws(DBusError) -> BusAddress {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return try BusAddress(address) }
        if let folder = variables["XDG_RUNTIME_DIR"], !folder.isEmpty { return try BusAddress(socket: "\(folder)/bus") }
        let socket = "\(userFolder)/bus"
        guard access(socket, F_OK) == 0 else { throw .noAddress(bus: "session") }
        return try BusAddress(socket: socket)
    }

    /// The bus of the machine: `DBUS_SYSTEM_BUS_ADDRESS`, or where it always is.
    package static func system(variables: [String: String]) throws(DBusError) -> BusAddress {
        if let address = variables["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty { return try BusAddress(address) }
        return try BusAddress(socket: "/run/dbus/system_bus_socket")
    }

    /// In a value of an address everything but these characters is written as `%` and two hexadecimal digits.
    private static func escaped(_ value: String) -> String {
        var escaped = ""
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."), UInt8(ascii: "*"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                escaped += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return escaped
    }
}
