import CloverAuth

/// The tokens of a stored sign-in.
extension Shop {
    /// Whether there are tokens that are valid, or can be renewed. Always true for a token that was passed in: only Clover
    /// knows.
    ///
    /// ```swift
    /// if try await !shop.isLoggedIn { print("run 'clover auth login --app-id APP'") }
    /// ```
    ///
    /// - Throws: `CloverError` of the kind `.state`.
    public var isLoggedIn: Bool {
        get async throws {
            do {
                return try await signIn?.isUsable() ?? true
            } catch {
                throw CloverError.wrapping(error)
            }
        }
    }

    /// Removes the stored tokens from this machine, for all programs. Clover accepts them until they expire.
    ///
    /// ```swift
    /// try await shop.logout()
    /// ```
    ///
    /// - Throws: `CloverError` of the kind `.request` for a token that was passed in, of the kind `.state` if the tokens
    ///   cannot be removed; or `CancellationError`.
    public func logout() async throws {
        do {
            try await stored().remove()
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    /// Calls `onChange` for each change of the stored tokens from the time this returns, whichever program makes it, until
    /// the observation is cancelled or no longer referenced.
    ///
    /// ```swift
    /// let observation = try await shop.addOnTokenChange { change in print(change.kind, change.merchantID) }
    /// print(try await shop.merchant().name ?? "")
    /// observation.cancel()
    /// ```
    ///
    /// - Parameter onChange: called one at a time.
    /// - Throws: `CloverError` of the kind `.request` for a token that was passed in, and of the kind `.state` if the
    ///   tokens cannot be watched.
    public func addOnTokenChange(
        _ onChange: @escaping @Sendable (TokenChange) async -> Void
    ) async throws -> TokenObservation {
        do {
            let signIn = try stored()
            let events = try await signIn.store.events(of: [signIn.credential.key], clock: .live)
            return TokenObservation(events, onChange)
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    private func stored() throws(CloverError) -> StoredSignIn {
        guard let signIn else {
            throw .request(
                "the shop has a token that is not stored on this machine",
                "make the shop of a sign-in: Shop(signedIn:)")
        }
        return signIn
    }
}

/// A change of stored tokens.
///
/// ```swift
/// let observation = try await shop.addOnTokenChange { change in
///     switch change.kind {
///     case .new, .refreshed: print("signed in", change.merchantID, change.time.date)
///     case .deleted, .invalidated: print("sign in again", change.merchantID)
///     case .unreadable: print("the tokens cannot be read")
///     }
/// }
/// try await Task.sleep(for: .seconds(3600))
/// observation.cancel()
/// ```
public struct TokenChange: Sendable, Hashable {
    /// What can happen to stored tokens.
    public enum Kind: Sendable, Hashable {
        /// There are tokens of a sign-in.
        case new
        /// The tokens were renewed.
        case refreshed
        /// The tokens were removed.
        case deleted
        /// Clover does not renew the tokens any more: a new sign-in is needed.
        case invalidated
        /// The tokens cannot be read. They are still watched.
        case unreadable
    }

    /// What happened.
    public let kind: Kind
    /// The merchant that the tokens are for.
    public let merchantID: String
    /// When the change was noticed.
    public let time: Timestamp

    /// Nil for a change of a name, which does not concern the tokens.
    fileprivate init?(_ event: TokenEvent) {
        switch event.kind {
        case .new: kind = .new
        case .refreshed: kind = .refreshed
        case .deleted: kind = .deleted
        case .invalidated: kind = .invalidated
        case .unreadable: kind = .unreadable
        case .nameForgotten: return nil
        }
        merchantID = event.key.merchantID
        time = Timestamp(milliseconds: event.at)
    }
}

/// An observation of stored tokens. It ends when it is cancelled or no longer referenced.
public final class TokenObservation: Sendable {
    private let task: Task<Void, Never>

    fileprivate init(
        _ events: AsyncThrowingStream<TokenEvent, any Error>,
        _ onChange: @escaping @Sendable (TokenChange) async -> Void
    ) {
        // Ended by `cancel`.
        task = Task {
            do {
                for try await event in events {
                    if let change = TokenChange(event) { await onChange(change) }
                }
            } catch {
                // The store can no longer be watched: nothing further is known of it.
            }
        }
    }

    deinit { task.cancel() }

    /// Ends the calls.
    public func cancel() { task.cancel() }
}
