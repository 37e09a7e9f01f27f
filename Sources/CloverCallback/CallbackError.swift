/// Why there is no callback.
package enum CallbackError: Error, Equatable, Sendable {
    /// Another program listens on this port of the loopback interface.
    case portInUse(Int)
    /// Another failure to listen, with the error number of socket(2), bind(2) or listen(2).
    case cannotListen(port: Int, errno: Int32)
    /// The one callback was already handed out, or another caller waits for it.
    case alreadyTaken
    /// The listener was closed, or its socket failed.
    case closed
}
