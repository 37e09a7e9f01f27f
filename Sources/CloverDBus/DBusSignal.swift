/// A signal as it came from the bus.
package struct DBusSignal: Sendable, Equatable {
    /// The unique name of who sent it.
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
