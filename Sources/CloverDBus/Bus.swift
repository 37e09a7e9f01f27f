import CSystemd
import CloverSystem
import Glibc
import Synchronization

/// A connection to a message bus: method calls and signals, using sd-bus of libsystemd (sd-bus(3)).
///
/// One thread owns the connection and makes every sd-bus call; the methods here may be used from any task,
/// concurrently. The connection is closed when the object is released, or by ``close()``. It is never re-established:
/// after ``DBusError/disconnected``, create a new `Bus`.
package final class Bus: Sendable {
    /// The name under which dlopen(3) finds libsystemd.
    package static let libraryName = "libsystemd.so.0"
    /// The default timeout of a call; the same as in other D-Bus libraries.
    package static let usualLimit = Duration.seconds(25)
    /// Maximum number of signals queued for a slow reader. One more ends the stream with ``DBusError/signalsLost``.
    package static let signalsKept = 4096

    private let engine: BusEngine

    private init(_ engine: BusEngine) {
        self.engine = engine
    }

    deinit { engine.stop() }

    /// Connects, and waits until the bus has accepted the connection.
    /// - Parameters:
    ///   - limit: timeout for the whole operation.
    ///   - deadline: of a larger task; the earlier of the two applies.
    ///   - libraryName: another library, for tests only.
    package static func open(
        _ address: BusAddress, within limit: Duration = .seconds(5), until deadline: Deadline? = nil,
        libraryName: String = Bus.libraryName
    ) async throws(DBusError) -> Bus {
        let engine = try BusEngine()
        let bus = Bus(engine)
        let opening = BusOpening(deadline: Deadline(within: limit, until: deadline))
        engine.start(address, libraryName: libraryName, opening)
        try await opening.outcome.value(cancelledWith: .cancelled) { engine.stop() }
        return bus
    }

    /// Calls a method and waits for its result.
    ///
    /// The bus starts a service that is not running, if it can. After ``DBusError/timedOut(member:seconds:)`` and
    /// ``DBusError/cancelled``, the service may still carry out the call.
    /// - Parameters:
    ///   - limit: timeout of this call.
    ///   - deadline: of a larger task; the earlier of the two applies.
    ///   - isSensitive: makes libsystemd overwrite the memory of the message and its reply when it frees them.
    package func call(
        destination: String, path: String, interface: String, member: String, arguments: [DBusValue] = [],
        within limit: Duration = Bus.usualLimit, until deadline: Deadline? = nil, isSensitive: Bool = false
    ) async throws(DBusError) -> [DBusValue] {
        let call = MethodCall(
            destination: destination, path: path, interface: interface, member: member, arguments: arguments,
            isSensitive: isSensitive, deadline: Deadline(within: limit, until: deadline))
        let engine = engine
        engine.enqueue(.call(call))
        return try await call.reply.value(cancelledWith: .cancelled) { engine.enqueue(.recheck) }
    }

    /// A property of an object, unwrapped from its variant.
    package func property(
        _ name: String, of interface: String, destination: String, path: String, within limit: Duration = usualLimit,
        until deadline: Deadline? = nil
    ) async throws(DBusError) -> DBusValue {
        let values = try await call(
            destination: destination, path: path, interface: "org.freedesktop.DBus.Properties", member: "Get",
            arguments: [.string(interface), .string(name)], within: limit, until: deadline)
        guard case .variant(let value) = values.first else { throw .unreadable(member: "Get", errno: EBADMSG) }
        return value
    }

    /// Signals that match any of several rules, in one stream and in order of arrival. A signal that matches two of the
    /// rules is delivered twice. When this returns, the bus has confirmed the rules and no later signal is missed, so
    /// subscribe first and then read the current state.
    ///
    /// The stream ends when its reader stops, and with a ``DBusError`` if the connection is lost or the reader is too
    /// slow. It keeps the connection open.
    package func signals(
        matchingAny rules: [MatchRule], within limit: Duration = usualLimit, until deadline: Deadline? = nil
    ) async throws(DBusError) -> AsyncThrowingStream<DBusSignal, any Error> {
        var texts: [String] = []
        for rule in rules { texts.append(try rule.text()) }
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: DBusSignal.self, bufferingPolicy: .bufferingOldest(Self.signalsKept))
        let subscription = SignalSubscription(
            rules: texts, stream: continuation, deadline: Deadline(within: limit, until: deadline))
        let engine = engine
        // Captures the bus, which is released when the stream ends.
        continuation.onTermination = { _ in self.engine.enqueue(.unsubscribe(subscription)) }
        engine.enqueue(.subscribe(subscription))
        try await subscription.installed.value(cancelledWith: .cancelled) {
            engine.enqueue(.unsubscribe(subscription))
        }
        return stream
    }

    /// Closes the connection. Calls in progress and signal streams end with ``DBusError/disconnected``.
    package func close() {
        engine.stop()
    }
}

/// A D-Bus server address ("Server Addresses" of the D-Bus specification).
///
/// Only local sockets are accepted: the traffic on the bus, which includes secrets, must not leave the machine, and a
/// TCP address would make name lookup a part of every timeout.
package struct BusAddress: Sendable, Equatable, CustomStringConvertible {
    /// One address, or several separated by `;`, of which the first that works is used.
    package let text: String

    package var description: String { text }

    /// - Parameter text: parts that are not `unix:` addresses are dropped; if none remain, it is unusable.
    package init(_ text: String) throws(DBusError) {
        let local = text.split(separator: ";").filter { $0.hasPrefix("unix:") }
        guard !local.isEmpty else { throw .unusableAddress(text) }
        self.text = local.joined(separator: ";")
    }

    /// A socket in the file system.
    init(socket path: String) throws(DBusError) {
        self = try BusAddress("unix:path=\(Self.escaped(path))")
    }

    /// The bus of the user's session: `DBUS_SESSION_BUS_ADDRESS`, or `bus` in `XDG_RUNTIME_DIR`. For cron, which sets
    /// neither: `bus` in the directory that the login service creates for the user, if it exists.
    package static func session(
        variables: [String: String], userFolder: String = "/run/user/\(getuid())"
    ) throws(DBusError) -> BusAddress {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return try BusAddress(address) }
        if let folder = variables["XDG_RUNTIME_DIR"], !folder.isEmpty { return try BusAddress(socket: "\(folder)/bus") }
        let socket = "\(userFolder)/bus"
        guard access(socket, F_OK) == 0 else { throw .noAddress(bus: "session") }
        return try BusAddress(socket: socket)
    }

    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or its standard socket.
    package static func system(variables: [String: String]) throws(DBusError) -> BusAddress {
        if let address = variables["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty { return try BusAddress(address) }
        return try BusAddress(socket: "/run/dbus/system_bus_socket")
    }

    /// In an address value, all other characters are written as `%` and two hexadecimal digits.
    private static func escaped(_ value: String) -> String {
        value.utf8.map { byte in
            let isKept = PercentCoding.isUnreserved(byte) && byte != UInt8(ascii: "~") || "/*".utf8.contains(byte)
            return isKept ? String(Unicode.Scalar(byte)) : "%" + [byte].hexadecimalDigits
        }.joined()
    }
}

/// libsystemd, loaded when the first bus is opened and kept until the process ends.
final class SystemdLibrary: @unchecked Sendable {
    // Unchecked: the table is filled in init, never written afterwards and never freed.
    let functions: UnsafePointer<clover_systemd>

    private static let loaded = Mutex<[String: SystemdLibrary]>([:])

    /// The library of this name, as found by dlopen(3). Reads files, so call it on a thread that may block.
    static func named(_ name: String) throws(DBusError) -> SystemdLibrary {
        let result = loaded.withLock { loaded -> Result<SystemdLibrary, DBusError> in
            if let library = loaded[name] { return .success(library) }
            return Result { () throws(DBusError) in
                let library = try SystemdLibrary(name)
                loaded[name] = library
                return library
            }
        }
        return try result.get()
    }

    private init(_ name: String) throws(DBusError) {
        functions = try LoadedLibrary.functions(
            of: name, fill: clover_systemd_fill, missing: DBusError.libraryMissing)
    }
}
