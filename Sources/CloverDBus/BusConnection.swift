import CSystemd
import CloverSystem
import Glibc

/// One sd-bus connection with its open calls and subscriptions. It is created, used and freed on the bus thread,
/// because an `sd_bus` must not be shared between threads (sd-bus(3)).
final class BusConnection {
    private let bus: OpaquePointer
    private let functions: clover_systemd
    private let address: BusAddress
    private var calls: [ObjectIdentifier: ActiveCall] = [:]
    private var subscriptions: [ObjectIdentifier: ActiveSubscription] = [:]
    /// Nil once the bus has accepted the connection.
    private var opening: BusOpening?

    /// Messages processed before commands and deadlines are checked again.
    private static let messagesPerRound = 64

    /// Starts to connect; `opening` receives the outcome.
    init(_ address: BusAddress, library: SystemdLibrary, _ opening: BusOpening) throws(DBusError) {
        functions = library.functions.pointee
        self.address = address
        var created: OpaquePointer?
        let result = functions.sd_bus_new(&created)
        guard result >= 0, let created else { throw .system(call: "sd_bus_new", errno: -result) }
        bus = created
        self.opening = opening
        // Messages carry no descriptors, so none have to be closed.
        for setting in [
            functions.sd_bus_set_address(bus, address.text), functions.sd_bus_set_bus_client(bus, 1),
            functions.sd_bus_negotiate_fds(bus, 0),
        ] where setting < 0 {
            throw .unusableAddress(address.text)
        }
        let started = functions.sd_bus_start(bus)
        if started < 0 { throw failure(-started) }
    }

    deinit {
        calls = [:]
        subscriptions = [:]
        _ = functions.sd_bus_close_unref(bus)
    }

    func start(_ call: MethodCall) {
        guard !call.reply.isSettled else { return }
        do throws(DBusError) {
            calls[ObjectIdentifier(call.reply)] = try ActiveCall(call, bus: bus, functions: functions)
        } catch {
            call.reply.settle(.failure(error))
        }
    }

    func start(_ subscription: SignalSubscription) {
        guard !subscription.installed.isSettled else { return }
        do throws(DBusError) {
            subscriptions[ObjectIdentifier(subscription)] = try ActiveSubscription(
                subscription, bus: bus, functions: functions)
        } catch {
            subscription.end(error)
        }
    }

    func end(_ subscription: SignalSubscription) {
        subscriptions[ObjectIdentifier(subscription)] = nil
    }

    /// Reads and writes what it can without blocking, and completes calls that have a reply or have timed out.
    /// - Returns: true if there is more to do immediately.
    func process() throws(DBusError) -> Bool {
        var hasMore = true
        for _ in 0..<Self.messagesPerRound {
            let result = functions.sd_bus_process(bus, nil)
            if result < 0 { throw failure(-result) }
            hasMore = result > 0
            if !hasMore { break }
        }
        if let opening {
            if functions.sd_bus_is_ready(bus) > 0 {
                opening.outcome.settle(.success(()))
                self.opening = nil
            } else if let error = opening.deadline.error(for: "Hello") {
                throw error
            }
        }
        for (key, active) in calls {
            if let error = active.call.deadline.error(for: active.call.member) {
                active.call.reply.settle(.failure(error))
            }
            if active.call.reply.isSettled { calls[key] = nil }
        }
        for (key, active) in subscriptions where !active.subscription.installed.isSettled {
            guard let error = active.subscription.deadline.error(for: "AddMatch") else { continue }
            active.subscription.end(error)
            subscriptions[key] = nil
        }
        return hasMore
    }

    /// Blocks until there is something to do, or `wake` was called.
    func wait(or wake: EventFD) throws(DBusError) {
        let events = functions.sd_bus_get_events(bus)
        if events < 0 { throw failure(-events) }
        var descriptors = [
            pollfd(fd: functions.sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = try timeUntilNextTimeout()?.pollMilliseconds ?? -1
        let result = poll(&descriptors, nfds_t(descriptors.count), timeout)
        if result < 0, errno != EINTR, errno != EAGAIN { throw .system(call: "poll", errno: errno) }
        if descriptors[1].revents != 0 { wake.clear() }
    }

    /// Fails everything that still waits.
    func end(_ error: DBusError) {
        opening?.outcome.settle(.failure(error))
        for active in calls.values { active.call.reply.settle(.failure(error)) }
        for active in subscriptions.values { active.subscription.end(error) }
    }

    /// Time until the next timeout, of a call or of sd-bus itself; nil if there is none.
    private func timeUntilNextTimeout() throws(DBusError) -> Duration? {
        let waiting = subscriptions.values.map(\.subscription).filter { !$0.installed.isSettled }
        var limits = (calls.values.map(\.call.deadline) + waiting.map(\.deadline)).map(\.remaining)
        if let opening { limits.append(opening.deadline.remaining) }
        var end: UInt64 = .max
        let result = functions.sd_bus_get_timeout(bus, &end)
        if result < 0 { throw failure(-result) }
        if end != .max {
            // A time on CLOCK_MONOTONIC in microseconds (sd_bus_get_timeout(3)); a time in the past means now.
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
            limits.append(.microseconds(end > microseconds ? Int64(min(end - microseconds, 1 << 40)) : 0))
        }
        return limits.min()
    }

    /// The error for an error number of the connection in its current state.
    private func failure(_ number: Int32) -> DBusError {
        guard opening != nil else { return .disconnected }
        switch number {
        case EACCES, EPERM: return .accessDenied(detail: "the bus at \(address) refuses this user")
        case EINVAL: return .unusableAddress(address.text)
        default: return .notConnected(address: address.text, errno: number)
        }
    }
}

/// A connection that is being established.
struct BusOpening: Sendable {
    let outcome = Promise<Void, DBusError>()
    let deadline: Deadline
}

/// A call of one method of one object.
struct MethodCall: Sendable {
    /// A bus name.
    let destination: String
    let path: String
    let interface: String
    let member: String
    let arguments: [DBusValue]
    /// Overwrite the memory of the message and of its reply when they are freed.
    let isSensitive: Bool
    let reply = Promise<[DBusValue], DBusError>()
    let deadline: Deadline
}

/// A signal from the bus.
package struct DBusSignal: Sendable, Equatable {
    /// The unique name of the sender.
    package let sender: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [DBusValue]

    package init(sender: String, path: String, interface: String, member: String, arguments: [DBusValue]) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// A request for signals.
final class SignalSubscription: Sendable {
    let rules: [String]
    let stream: AsyncThrowingStream<DBusSignal, any Error>.Continuation
    /// Settled when the bus has confirmed every rule.
    let installed = Promise<Void, DBusError>()
    let deadline: Deadline

    init(
        rules: [String], stream: AsyncThrowingStream<DBusSignal, any Error>.Continuation, deadline: Deadline
    ) {
        self.rules = rules
        self.stream = stream
        self.deadline = deadline
    }

    /// Ends it for tasks that wait for it or read from it.
    func end(_ error: DBusError) {
        installed.settle(.failure(error))
        stream.finish(throwing: error)
    }
}

/// Selects signals ("Match Rules" of the D-Bus specification). A nil field matches anything.
package struct MatchRule: Sendable, Equatable {
    /// A well-known or unique bus name.
    package var sender: String?
    /// The object that sends it.
    package var path: String?
    /// This object and all below it. Not allowed together with `path`.
    package var pathNamespace: String?
    package var interface: String?
    package var member: String?
    /// The first argument, if it is a string: `NameOwnerChanged` of one name, `PropertiesChanged` of one interface.
    package var firstArgument: String?

    package init(
        sender: String? = nil, path: String? = nil, pathNamespace: String? = nil, interface: String? = nil,
        member: String? = nil, firstArgument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.firstArgument = firstArgument
    }

    /// The rule in the bus's syntax.
    ///
    /// A quote or a backslash in a value is refused: the specification and sd-bus disagree on how to escape them, and
    /// no bus name, path, interface or member contains one.
    func text() throws(DBusError) -> String {
        let parts: [(key: String, value: String?)] = [
            ("sender", sender), ("path", path), ("path_namespace", pathNamespace), ("interface", interface),
            ("member", member), ("arg0", firstArgument),
        ]
        var text = "type='signal'"
        for (key, value) in parts {
            guard let value else { continue }
            guard !value.utf8.contains(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\") || $0 == 0 }) else {
                throw .notSendable(member: "AddMatch", errno: EINVAL)
            }
            text += ",\(key)='\(value)'"
        }
        return text
    }
}
