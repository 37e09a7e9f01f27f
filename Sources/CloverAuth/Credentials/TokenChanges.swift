/// What a subscription to token events has read, and the events that follow from it. It opens nothing.
package struct TokenChanges: Sendable {
    private let wanted: Set<CredentialKey>?
    private let clock: TokenClock
    private var known: [CredentialKey: Known] = [:]
    private var pending: [TokenEvent] = []
    /// The profile names when last read.
    private var names: [String: CredentialKey] = [:]

    /// The last successful reading of a credential, and the error of a later one.
    private struct Known: Equatable {
        var state: TokenState?
        var error: CredentialError?
    }

    /// - Parameters:
    ///   - keys: the credentials that matter; nil for all.
    ///   - clock: provides the times of events.
    package init(of keys: Set<CredentialKey>?, clock: TokenClock) {
        wanted = keys
        self.clock = clock
    }

    /// The credentials that were found when last read.
    package var keys: Set<CredentialKey> { Set(known.keys) }

    package func concerns(_ key: CredentialKey) -> Bool { wanted?.contains(key) ?? true }

    /// The next event; nil if there is none.
    package mutating func next() -> TokenEvent? { pending.isEmpty ? nil : pending.removeFirst() }

    /// Takes what was found so far as the beginning.
    package mutating func forgetEvents() { pending = [] }

    package mutating func noteAllGone() {
        for key in keys { note(key, Known()) }
    }

    /// Remembers a reading, and queues events for its changes.
    package mutating func note(_ key: CredentialKey, _ found: Result<TokenState?, CredentialError>) {
        guard concerns(key) else { return }
        switch found {
        case .success(let state): note(key, Known(state: state))
        // The previous state stays: when the credential can be read again, only a difference counts.
        case .failure(let error): note(key, Known(state: known[key]?.state, error: error))
        }
    }

    private mutating func note(_ key: CredentialKey, _ found: Known) {
        let before = known[key] ?? Known()
        known[key] = found == Known() ? nil : found
        // The credential's names end with it, whenever they are removed from the profiles.
        if found == Known() { names = names.filter { $0.value != key } }
        var kinds: [TokenEvent.Kind]
        if let error = found.error {
            kinds = before.error == error ? [] : [.unreadable(error)]
        } else {
            kinds = TokenState.changes(from: before.state, to: found.state)
            // An unreadable credential that was never read before, and is now gone.
            if kinds.isEmpty, before.error != nil, found.state == nil { kinds = [.deleted] }
        }
        let at = clock.wall()
        pending += kinds.map { kind in
            let isKnown = kind != .deleted && found.error == nil
            return TokenEvent(
                kind: kind, key: key, at: at, generation: isKnown ? found.state?.generation : nil,
                accessTokenExpires: isKnown ? found.state?.accessTokenExpires : nil,
                refreshTokenExpires: isKnown ? found.state?.refreshTokenExpires : nil)
        }
    }

    /// Remembers the profile names and reports those that no longer refer to their credential, before anything else found
    /// at the same time: when a name moves to another credential, it first ends for the old one.
    package mutating func noteNames(_ found: [String: CredentialKey]) {
        let at = clock.wall()
        let ends = names.sorted { $0.key < $1.key }.filter { name, key in
            found[name] != key && known[key] != nil && concerns(key)
        }
        pending = ends.map { TokenEvent(kind: .nameForgotten($0.key), key: $0.value, at: at) } + pending
        names = found
    }
}

/// What a watch remembers of one credential: enough to detect changes, and no token.
package struct TokenState: Equatable, Sendable {
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

    /// The state of tokens that can be read whole.
    package init(_ credential: Credential, _ journal: RefreshJournal?) {
        self.init(
            fingerprint: SecretHash.hexadecimal(of: credential.accessToken), origin: credential.origin,
            generation: credential.generation, createdAt: credential.createdAt,
            isInvalid: journal?.ends(credential.refreshToken.map { SecretHash.hexadecimal(of: $0) }) ?? false,
            accessTokenExpires: credential.accessTokenExpires, refreshTokenExpires: credential.refreshTokenExpires)
    }

    init(
        fingerprint: String, origin: Credential.Origin, generation: Int, createdAt: Int64, isInvalid: Bool,
        accessTokenExpires: Int64?, refreshTokenExpires: Int64?
    ) {
        self.fingerprint = fingerprint
        self.origin = origin
        self.generation = generation
        self.createdAt = createdAt
        self.isInvalid = isInvalid
        self.accessTokenExpires = accessTokenExpires
        self.refreshTokenExpires = refreshTokenExpires
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

extension RefreshJournal {
    /// Whether this shows that tokens with this refresh token can no longer be renewed.
    func ends(_ refreshTokenHash: String?) -> Bool {
        state != .sent && isAboutSpending && tokenHash == refreshTokenHash
    }
}
