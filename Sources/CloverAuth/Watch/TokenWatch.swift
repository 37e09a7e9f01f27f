package import CloverStorage
import CloverThreads
import Glibc

/// Tells what happens to the tokens of this user, whichever process does it.
///
/// It is built on inotify(7), which hears the changes of this machine only, and which says that something happened, not
/// what: the files are read, and compared with what was read before. Changes that follow one another faster than they
/// are taken are told as one.
package struct TokenWatch: Sendable {
    private let state: StateDirectory
    private let clock: TokenClock

    /// - Parameter clock: dates the events.
    package init(state: StateDirectory, clock: TokenClock = .live) {
        self.state = state
        self.clock = clock
    }

    /// The events of these credentials, of all when nil, from the moment on in which this returns. The directory of
    /// credentials is made where it is missing; later it may be removed and made again.
    ///
    /// Events are pulled: while nobody asks, nothing is kept but what the kernel keeps. The stream ends when the task
    /// that reads it is cancelled. A file that cannot be read is an event; the stream fails when the directory itself
    /// cannot be watched any more.
    package func events(
        of keys: Set<CredentialKey>?
    ) async throws(CredentialError) -> AsyncThrowingStream<TokenEvent, any Error> {
        let session = try await DedicatedThread.run { () throws(CredentialError) in
            try WatchSession(state: state, clock: clock, keys: keys)
        }
        let thread = SerialThread(name: "clover-watch")
        return AsyncThrowingStream {
            let end = await withTaskCancellationHandler {
                await thread.run { Result { () throws(CredentialError) in try session.next() } }
            } onCancel: {
                session.stop()
            }
            guard let end else { throw CredentialError.storage(.system(.watch, path: state.path, errno: EAGAIN)) }
            return try end.get()
        }
    }
}
