import CloverHTTP
package import CloverSystem
import Glibc

/// Reports changes to this user's tokens, whichever process makes them.
///
/// It is built on inotify(7), which reports changes made on this machine only, and reports that something happened, not
/// what: the files are read and compared with their previous content. Changes that follow each other faster than they
/// are read are reported as one.
package struct TokenWatch: Sendable {
    private let state: StateDirectory
    private let clock: TokenClock

    /// - Parameter clock: provides the times of events.
    package init(state: StateDirectory, clock: TokenClock = .live) {
        self.state = state
        self.clock = clock
    }

    /// Events of these credentials, or of all if nil, from the time this returns. Creates the directory of credentials
    /// if it is missing; later it may be removed and created again.
    ///
    /// Events are pulled: until the next one is requested, only the kernel queues them. The stream ends when the task
    /// that reads it is cancelled. An unreadable file is an event; the stream fails if the directory itself can no
    /// longer be watched.
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

/// What a watch remembers of one credential: enough to detect changes, and no token.
struct TokenState: Equatable, Sendable {
    /// Identifies the access token; for a credential in the keyring, whose token cannot be read at every change, the
    /// rest of the pointer.
    let fingerprint: String
    let origin: Credential.Origin
    let generation: Int
    let createdAt: Int64
    /// Whether the journal shows that these tokens can no longer be renewed.
    let isInvalid: Bool
    let accessTokenExpires: Int64?
    let refreshTokenExpires: Int64?

    /// Reads the files of `key`; nil if there is no credential.
    static func read(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> TokenState? {
        guard let content = try CredentialFiles.read(key, in: directory) else { return nil }
        let journal = try CredentialFiles.readJournal(key, in: directory)
        let end = journal.flatMap { $0.state == .sent || !$0.isAboutSpending ? nil : $0.tokenHash }
        switch content {
        case .whole(let credential, _):
            let refreshTokenHash = credential.refreshToken.map { SecretHash.hexadecimal(of: $0) }
            return TokenState(
                fingerprint: SecretHash.hexadecimal(of: credential.accessToken), origin: credential.origin,
                generation: credential.generation, createdAt: credential.createdAt,
                isInvalid: end != nil && end == refreshTokenHash,
                accessTokenExpires: credential.accessTokenExpires, refreshTokenExpires: credential.refreshTokenExpires)
        case .pointer(let pointer):
            return TokenState(
                fingerprint: "\(pointer)", origin: pointer.origin, generation: pointer.generation,
                createdAt: pointer.createdAt, isInvalid: end != nil && end == pointer.refreshTokenHash,
                accessTokenExpires: pointer.accessTokenExpires, refreshTokenExpires: pointer.refreshTokenExpires)
        }
    }

    /// The changes between two readings. Intermediate changes that left no trace are not reported.
    static func changes(from before: TokenState?, to after: TokenState?) -> [TokenEvent.Kind] {
        guard let after else { return before == nil ? [] : [.deleted] }
        var changes: [TokenEvent.Kind] = []
        if before?.fingerprint != after.fingerprint {
            // A renewal keeps the time of the sign-in and increments the generation; any other change of the token is
            // new.
            let isRenewal =
                after.origin == .refresh && before?.createdAt == after.createdAt
                && before.map { $0.generation < after.generation } == true
            changes.append(isRenewal ? .refreshed : .new)
        }
        let wasInvalid = before?.isInvalid == true && before?.fingerprint == after.fingerprint
        if after.isInvalid, !wasInvalid { changes.append(.invalidated) }
        return changes
    }
}

/// A change to the tokens of one credential, made by this process or another.
package struct TokenEvent: Equatable, Sendable {
    /// What happened.
    package enum Kind: Equatable, Sendable {
        /// There are tokens that did not come from a renewal: from a sign-in, or passed in.
        case new
        /// The tokens were renewed.
        case refreshed
        /// The credential was removed.
        case deleted
        /// The service refused to renew the current tokens, or the response with their successors was lost: a new
        /// sign-in is needed.
        case invalidated
        /// The name no longer refers to this credential, which still exists.
        case nameForgotten(String)
        /// The credential can no longer be read. It is still watched.
        case unreadable(CredentialError)
    }

    package let kind: Kind
    package let key: CredentialKey
    /// When the change was noticed, in milliseconds since 1970 UTC.
    package let at: Int64
    /// Number of renewals since the sign-in; nil if there are no tokens, or none that can be read.
    package let generation: Int?
    /// When the access token expires, in seconds since 1970 UTC; nil if unspecified.
    package let accessTokenExpires: Int64?
    /// When the refresh token expires, in seconds since 1970 UTC; nil if unspecified.
    package let refreshTokenExpires: Int64?

    /// Creates an event.
    package init(
        kind: Kind, key: CredentialKey, at: Int64, generation: Int? = nil, accessTokenExpires: Int64? = nil,
        refreshTokenExpires: Int64? = nil
    ) {
        self.kind = kind
        self.key = key
        self.at = at
        self.generation = generation
        self.accessTokenExpires = accessTokenExpires
        self.refreshTokenExpires = refreshTokenExpires
    }
}
