import CSystemd
import Glibc

/// Match rules that were sent to the bus. Used on the bus thread only.
final class ActiveSubscription {
    let subscription: SignalSubscription
    let deadline: Deadline
    private let bus: OpaquePointer
    private let functions: clover_systemd
    private var slots: [OpaquePointer] = []
    private var confirmed = 0

    init(
        _ subscription: SignalSubscription, deadline: Deadline, bus: OpaquePointer, functions: clover_systemd
    ) throws(DBusError) {
        self.subscription = subscription
        self.deadline = deadline
        self.bus = bus
        self.functions = functions
        for rule in subscription.rules {
            var slot: OpaquePointer?
            // The pointer is not a reference: `deinit` takes the slot away, and with it the only use of the pointer.
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
        // sd-bus takes the rules back at the bus.
        for slot in slots { _ = functions.sd_bus_slot_unref(slot) }
    }

    func expire() {
        subscription.end(.timedOut(member: "AddMatch", seconds: deadline.limit.seconds))
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
            if active.confirmed == active.slots.count { active.subscription.installed.give(.success(())) }
        }
        return 0
    }

    /// Anything but 0 would keep the signal from the other subscriptions.
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
