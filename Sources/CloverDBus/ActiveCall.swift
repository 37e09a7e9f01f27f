import CSystemd

/// A call that was sent. Used on the bus thread only.
final class ActiveCall {
    let answer: Answer<[DBusValue]>
    let deadline: Deadline
    private let call: MethodCall
    private let bus: OpaquePointer
    private let functions: clover_systemd
    private var slot: OpaquePointer?

    /// Queues the message on the connection.
    init(
        _ call: MethodCall, answer: Answer<[DBusValue]>, deadline: Deadline, bus: OpaquePointer,
        functions: clover_systemd
    ) throws(DBusError) {
        self.call = call
        self.answer = answer
        self.deadline = deadline
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
        // The pointer is not a reference: `deinit` takes the slot away, and with it the only use of the pointer.
        let sent = functions.sd_bus_call_async(
            bus, &slot, message, { message, context, _ in ActiveCall.receive(message, context) },
            // The limit is ours, because sd-bus counts none before the connection stands.
            Unmanaged.passUnretained(self).toOpaque(), .max)
        if sent < 0 {
            // It tries to write at once, and so may be the first to notice that the bus is gone.
            guard functions.sd_bus_is_open(bus) > 0 else { throw .disconnected }
            throw .notSendable(member: call.member, errno: -sent)
        }
    }

    deinit {
        if let slot { _ = functions.sd_bus_slot_unref(slot) }
    }

    func expire() {
        answer.give(.failure(.timedOut(member: call.member, seconds: deadline.limit.seconds)))
    }

    private static func receive(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
        if let message, let context {
            let active = Unmanaged<ActiveCall>.fromOpaque(context).takeUnretainedValue()
            active.answer.give(active.result(message))
        }
        return 0
    }

    private func result(_ message: OpaquePointer) -> Result<[DBusValue], DBusError> {
        // While it closes a broken connection sd-bus answers every open call by itself.
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
