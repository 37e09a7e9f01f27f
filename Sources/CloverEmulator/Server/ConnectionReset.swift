import Glibc
import NIOCore

/// Ends connections the hard way.
enum ConnectionReset {
    /// Closes with a reset instead of an orderly end: lingering for no time drops what is unsent and sends RST (socket(7),
    /// SO_LINGER).
    ///
    /// - Throws: always, in the end: there is nobody to answer any more.
    static func perform(on channel: any Channel) async throws -> Never {
        if let options = channel as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.close().get()
        throw ChannelError.ioOnClosedChannel
    }
}
