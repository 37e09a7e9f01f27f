import Glibc

/// A connection to a message bus: method calls and signals, on sd-bus of libsystemd (sd-bus(3)).
///
/// One thread owns the connection, and every call of sd-bus happens there; the methods here may be used from any task,
/// many at a time. The connection is closed when the object is released, and after ``close()``; nobody connects anew, so
/// after ``DBusError/disconnected`` a new `Bus` is needed.
package final class Bus: Sendable {
    /// Of libsystemd, as dlopen(3) looks for it.
    package static let libraryName = "libsystemd.so.0"
    /// For a call whose caller has no opinion; the same as in other D-Bus libraries.
    package static let usualLimit = Duration.seconds(25)
    /// Signals kept for one reader who is slow. At one more the stream ends with ``DBusError/signalsLost``.
    package static let signalsKept = 4096

    private let engine: BusEngine

    private init(_ engine: BusEngine) {
        self.engine = engine
    }

    deinit { engine.stop() }

    /// Connects, and waits until the bus has let us in.
    /// - Parameters:
    ///   - limit: for the whole of it.
    ///   - deadline: of a larger task; the earlier of the two counts.
    ///   - libraryName: another one only to try what happens without it.
    package static func open(
        _ address: BusAddress, within limit: Duration = .seconds(5), until deadline: Deadline? = nil,
        libraryName: String = Bus.libraryName
    ) async throws(DBusError) -> Bus {
        let bus = Bus(try BusEngine())
        let opened = Answer<Void>()
        let deadline = deadline?.shortened(to: limit) ?? Deadline(after: limit)
        bus.engine.start(address, libraryName: libraryName, opened: opened, deadline: deadline)
        let engine = bus.engine
        try await opened.value { engine.stop() }
        return bus
    }

    /// Calls a method and waits for what it returns.
    ///
    /// A service that is not running is started by the bus where it can be. After ``DBusError/timedOut(member:seconds:)``
    /// and ``DBusError/cancelled`` the service may still do what was asked.
    /// - Parameters:
    ///   - limit: for this call.
    ///   - deadline: of a larger task; the earlier of the two counts.
    ///   - isSensitive: libsystemd overwrites the memory of the message and its answer when it frees them.
    package func call(
        destination: String, path: String, interface: String, member: String, arguments: [DBusValue] = [],
        within limit: Duration = Bus.usualLimit, until deadline: Deadline? = nil, isSensitive: Bool = false
    ) async throws(DBusError) -> [DBusValue] {
        let call = MethodCall(
            destination: destination, path: path, interface: interface, member: member, arguments: arguments,
            isSensitive: isSensitive)
        let answer = Answer<[DBusValue]>()
        let deadline = deadline?.shortened(to: limit) ?? Deadline(after: limit)
        let engine = engine
        engine.leave(.call(call, answer, deadline))
        return try await answer.value { engine.leave(.look) }
    }

    /// One property of an object, out of its variant.
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

    /// Signals that match the rule. When this returns the bus has confirmed it: whatever happens from now on is heard, so
    /// subscribe first and then ask for the present state.
    ///
    /// The stream ends when its reader goes away, and with a ``DBusError`` when the connection is lost or the reader is too
    /// slow. It keeps the connection open.
    package func signals(
        matching rule: MatchRule, within limit: Duration = usualLimit, until deadline: Deadline? = nil
    ) async throws(DBusError) -> AsyncThrowingStream<DBusSignal, any Error> {
        try await signals(matchingAny: [rule], within: limit, until: deadline)
    }

    /// The same for several rules, in one stream and in the order in which they came. A signal that matches two of the
    /// rules comes twice.
    package func signals(
        matchingAny rules: [MatchRule], within limit: Duration = usualLimit, until deadline: Deadline? = nil
    ) async throws(DBusError) -> AsyncThrowingStream<DBusSignal, any Error> {
        var texts: [String] = []
        for rule in rules { texts.append(try rule.text()) }
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: DBusSignal.self, bufferingPolicy: .bufferingOldest(Self.signalsKept))
        let subscription = SignalSubscription(rules: texts, stream: continuation)
        let deadline = deadline?.shortened(to: limit) ?? Deadline(after: limit)
        let engine = engine
        // The bus itself is held here, and let go when the stream ends.
        continuation.onTermination = { _ in self.engine.leave(.unsubscribe(subscription)) }
        engine.leave(.subscribe(subscription, deadline))
        try await subscription.installed.value { engine.leave(.unsubscribe(subscription)) }
        return stream
    }

    /// Closes the connection. Calls under way and signal streams end with ``DBusError/disconnected``.
    package func close() {
        engine.stop()
    }
}
