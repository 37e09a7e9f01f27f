/// Why the emulator cannot listen.
package enum EmulatorError: Error, Equatable, CustomStringConvertible {
    /// Somebody else listens on the port.
    case portInUse(Int)
    /// Another failure to listen, with the error number of bind(2) or listen(2).
    case cannotListen(port: Int, errno: Int32)

    package var description: String {
        switch self {
        case .portInUse(let port): "cannot listen on 127.0.0.1:\(port): the port is in use"
        case .cannotListen(let port, let errno): "cannot listen on 127.0.0.1:\(port): error \(errno)"
        }
    }
}
