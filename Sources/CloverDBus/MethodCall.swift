/// A call of one method of one object.
struct MethodCall: Sendable {
    /// A bus name.
    let destination: String
    let path: String
    let interface: String
    let member: String
    let arguments: [DBusValue]
    /// The memory of the message and of its answer is overwritten when they are freed.
    let isSensitive: Bool
}
