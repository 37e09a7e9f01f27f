/// A token, key or password. It prints, interpolates, mirrors and encodes as `(redacted)`, so that no log line,
/// error text or debugger dump holds it by accident; `exposed` is the one way to the characters.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The characters themselves, for the request header or the private file that needs them.
    package let exposed: String

    package init(_ exposed: String) {
        self.exposed = exposed
    }

    package var description: String { "(redacted)" }
    package var debugDescription: String { "(redacted)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
