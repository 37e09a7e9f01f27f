/// Why there is no bus, or no answer from it.
package enum DBusError: Error, Equatable, Sendable {
    /// libsystemd is not installed or too old; `detail` is the loader's explanation.
    case libraryMissing(detail: String)
    /// Nothing says where the bus is.
    case noAddress(bus: String)
    /// The address is not that of a local socket.
    case unusableAddress(String)
    /// Nobody listens at the address, or the connection broke before it stood.
    case notConnected(address: String, errno: Int32)
    /// The bus refused us, or the service may not be called by this user.
    case accessDenied(detail: String)
    /// Nobody on the bus has this name, and nothing can be started for it.
    case serviceUnknown(String)
    /// The bus could not start the service; `name` is that of the error reply.
    case serviceNotStarted(String, name: String)
    /// No answer in the time allowed. The service may still carry out the call.
    case timedOut(member: String, seconds: Double)
    /// The service left the bus with the call unanswered.
    case abandoned(service: String)
    /// Any other error reply: its name as defined by the interface, and the text that came with it.
    case reply(name: String, text: String)
    /// The connection to the bus was lost, or closed by us.
    case disconnected
    /// The task was cancelled.
    case cancelled
    /// A name, a path or a value that no message can carry.
    case notSendable(member: String, errno: Int32)
    /// The message holds something that is not understood, such as a file descriptor.
    case unreadable(member: String, errno: Int32)
    /// Signals came faster than they were taken, and some are lost.
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
        // The bus waited for a program it started, and gave up.
        case "TimedOut": self = .serviceNotStarted(service, name: name)
        case let reason where reason.hasPrefix("Spawn."): self = .serviceNotStarted(service, name: name)
        default: self = .reply(name: name, text: text)
        }
    }
}
