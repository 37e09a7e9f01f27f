import Glibc

/// Which signals to hear ("Match Rules" of the D-Bus specification). What is nil matches anything.
package struct MatchRule: Sendable, Equatable {
    /// A well-known or unique bus name.
    package var sender: String?
    /// The object that sends it.
    package var path: String?
    /// This object and all below it. Not together with `path`.
    package var pathNamespace: String?
    package var interface: String?
    package var member: String?
    /// The first argument, where it is a string: `NameOwnerChanged` of one name, `PropertiesChanged` of one interface.
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

    /// As the bus reads it.
    ///
    /// A quote or a backslash in a value is refused: the specification and sd-bus disagree on how they are written, and
    /// no bus name, path, interface or member has one.
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
