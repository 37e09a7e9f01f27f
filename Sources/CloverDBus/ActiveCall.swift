import CSystemd
import CloverSystem
import Glibc

/// A call that was sent. Used on the bus thread only.
final class ActiveCall {
    let call: MethodCall
    private let bus: OpaquePointer
    private let functions: clover_systemd
    private var slot: OpaquePointer?

    /// Queues the message on the connection.
    init(_ call: MethodCall, bus: OpaquePointer, functions: clover_systemd) throws(DBusError) {
        self.call = call
        self.bus = bus
        self.functions = functions
        var created: OpaquePointer?
        let result = functions.sd_bus_message_new_method_call(
            bus, &created, call.destination, call.path, call.interface, call.member)
        guard result >= 0, let message = created else { throw .notSendable(member: call.member, errno: -result) }
        // sd_bus_call_async takes its own reference.
        defer { _ = functions.sd_bus_message_unref(message) }
        if call.isSensitive { _ = functions.sd_bus_message_sensitive(message) }
        try MessageWriter(functions: functions, message: message, member: call.member).write(call.arguments)
        // The pointer is not a reference: `deinit` removes the slot, and with it the only use of the pointer.
        let sent = functions.sd_bus_call_async(
            bus, &slot, message, { message, context, _ in ActiveCall.receive(message, context) },
            // Timeouts are handled by this module, because sd-bus counts none before the connection is established.
            Unmanaged.passUnretained(self).toOpaque(), .max)
        if sent < 0 {
            // It tries to write immediately, so it may be the first to notice that the bus is gone.
            guard functions.sd_bus_is_open(bus) > 0 else { throw .disconnected }
            throw .notSendable(member: call.member, errno: -sent)
        }
    }

    deinit {
        if let slot { _ = functions.sd_bus_slot_unref(slot) }
    }

    private static func receive(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
        if let message, let context {
            let active = Unmanaged<ActiveCall>.fromOpaque(context).takeUnretainedValue()
            active.call.reply.settle(active.result(message))
        }
        return 0
    }

    private func result(_ message: OpaquePointer) -> Result<[DBusValue], DBusError> {
        // When it closes a broken connection, sd-bus itself completes every open call.
        guard functions.sd_bus_is_open(bus) > 0 else { return .failure(.disconnected) }
        if call.isSensitive { _ = functions.sd_bus_message_sensitive(message) }
        if let error = functions.sd_bus_message_get_error(message) {
            return .failure(DBusError(error.pointee, service: call.destination))
        }
        return Result { () throws(DBusError) in
            try MessageReader(functions: functions, message: message, member: call.member).read()
        }
    }
}

extension DBusError {
    init(_ error: sd_bus_error, service: String) {
        self.init(
            reply: error.name.map { String(cString: $0) } ?? "",
            text: error.message.map { String(cString: $0) } ?? "", service: service)
    }
}

/// Match rules that were sent to the bus. Used on the bus thread only.
final class ActiveSubscription {
    let subscription: SignalSubscription
    private let bus: OpaquePointer
    private let functions: clover_systemd
    private var slots: [OpaquePointer] = []
    private var confirmed = 0

    init(_ subscription: SignalSubscription, bus: OpaquePointer, functions: clover_systemd) throws(DBusError) {
        self.subscription = subscription
        self.bus = bus
        self.functions = functions
        for rule in subscription.rules {
            var slot: OpaquePointer?
            // The pointer is not a reference: `deinit` removes the slot, and with it the only use of the pointer.
            let result = functions.sd_bus_add_match_async(
                bus, &slot, rule, { message, context, _ in ActiveSubscription.receive(message, context) },
                { message, context, _ in ActiveSubscription.confirm(message, context) },
                Unmanaged.passUnretained(self).toOpaque())
            guard result >= 0, let slot else {
                guard functions.sd_bus_is_open(bus) > 0 else { throw .disconnected }
                throw .notSendable(member: "AddMatch", errno: -result)
            }
            slots.append(slot)
        }
    }

    deinit {
        // sd-bus removes the rules from the bus.
        for slot in slots { _ = functions.sd_bus_slot_unref(slot) }
    }

    private static func confirm(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let message, let context else { return 0 }
        let active = Unmanaged<ActiveSubscription>.fromOpaque(context).takeUnretainedValue()
        if let error = active.functions.sd_bus_message_get_error(message) {
            let isOpen = active.functions.sd_bus_is_open(active.bus) > 0
            active.subscription.end(
                isOpen ? DBusError(error.pointee, service: "org.freedesktop.DBus") : .disconnected)
        } else {
            active.confirmed += 1
            if active.confirmed == active.slots.count { active.subscription.installed.settle(.success(())) }
        }
        return 0
    }

    /// Any result other than 0 would hide the signal from the other subscriptions.
    private static func receive(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let message, let context else { return 0 }
        let active = Unmanaged<ActiveSubscription>.fromOpaque(context).takeUnretainedValue()
        do throws(DBusError) {
            if case .dropped = active.subscription.stream.yield(try active.signal(message)) {
                active.subscription.stream.finish(throwing: DBusError.signalsLost)
            }
        } catch {
            active.subscription.stream.finish(throwing: error)
        }
        return 0
    }

    private func signal(_ message: OpaquePointer) throws(DBusError) -> DBusSignal {
        // A message is read once for each subscription it matches; sd-bus rewinds it before each.
        let text = { (characters: UnsafePointer<CChar>?) in characters.map { String(cString: $0) } ?? "" }
        let member = text(functions.sd_bus_message_get_member(message))
        return DBusSignal(
            sender: text(functions.sd_bus_message_get_sender(message)),
            path: text(functions.sd_bus_message_get_path(message)),
            interface: text(functions.sd_bus_message_get_interface(message)), member: member,
            arguments: try MessageReader(functions: functions, message: message, member: member).read())
    }
}

/// Why there is no bus, or no response from it.
package enum DBusError: Error, Equatable, Sendable {
    /// libsystemd is not installed or too old; `detail` is the loader's explanation.
    case libraryMissing(detail: String)
    /// The bus address is not specified anywhere.
    case noAddress(bus: String)
    /// The address is not that of a local socket.
    case unusableAddress(String)
    /// No process listens at the address, or the connection failed while it was being established.
    case notConnected(address: String, errno: Int32)
    /// The bus refused the connection, or this user may not call the service.
    case accessDenied(detail: String)
    /// No process on the bus has this name, and none can be started for it.
    case serviceUnknown(String)
    /// The bus could not start the service; `name` is that of the error reply.
    case serviceNotStarted(String, name: String)
    /// The call timed out. The service may still carry it out.
    case timedOut(member: String, seconds: Double)
    /// The service left the bus without responding to the call.
    case abandoned(service: String)
    /// Any other error reply: its name as defined by the interface, and its text.
    case reply(name: String, text: String)
    /// The connection to the bus was lost, or closed by Clover.
    case disconnected
    case cancelled
    /// A name, a path or a value that no message can carry.
    case notSendable(member: String, errno: Int32)
    /// The message contains something unsupported, such as a file descriptor.
    case unreadable(member: String, errno: Int32)
    /// Signals arrived faster than they were read, and some were lost.
    case signalsLost
    /// The system refused a thread or a descriptor.
    case system(call: String, errno: Int32)
}

extension DBusError {
    /// The error for an error reply to a call of `service`.
    ///
    /// The names are those of the reference bus and its library ("dbus/dbus-protocol.h").
    init(reply name: String, text: String, service: String) {
        let standard = "org.freedesktop.DBus.Error."
        guard name.hasPrefix(standard) else {
            self = .reply(name: name, text: text)
            return
        }
        switch name.dropFirst(standard.count) {
        case "ServiceUnknown", "NameHasNoOwner": self = .serviceUnknown(service)
        case "AccessDenied", "AuthFailed", "InteractiveAuthorizationRequired": self = .accessDenied(detail: text)
        case "NoReply": self = .abandoned(service: service)
        case "Disconnected": self = .disconnected
        // The bus timed out waiting for a program that it had started.
        case "TimedOut": self = .serviceNotStarted(service, name: name)
        case let reason where reason.hasPrefix("Spawn."): self = .serviceNotStarted(service, name: name)
        default: self = .reply(name: name, text: text)
        }
    }
}
