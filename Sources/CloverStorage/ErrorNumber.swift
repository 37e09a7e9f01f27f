/// A bare errno(3) value on its way to the place that knows the path and can say what it means.
package struct ErrorNumber: Error, Equatable, Sendable {
    /// The number, such as `ENOENT`.
    package let code: Int32

    /// Keeps `code`; read `errno` at once after the call that set it.
    package init(_ code: Int32) {
        self.code = code
    }
}
