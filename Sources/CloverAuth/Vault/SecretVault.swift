package import CloverHTTP

/// A place for secrets outside our files: the desktop's keyring. Every operation ends within two seconds, and none ever
/// asks the person anything.
package protocol SecretVault: Sendable {
    /// Keeps the secret under these attributes, in place of one with the same.
    ///
    /// - Parameter label: what the keyring's own program shows for it.
    func store(_ secret: Secret, for attributes: [String: String], label: String) async throws(SecretVaultError)

    /// The secret with these attributes; nil when there is no such item.
    func lookup(_ attributes: [String: String]) async throws(SecretVaultError) -> Secret?

    /// Forgets the secret with these attributes.
    ///
    /// - Returns: false when there was none.
    func remove(_ attributes: [String: String]) async throws(SecretVaultError) -> Bool
}

extension SecretVault {
    /// Keeps the secret as `store` does, and reads it back.
    ///
    /// - Throws: `.notKept` when the keyring then has another secret, or none.
    package func keep(
        _ secret: Secret, for attributes: [String: String], label: String
    ) async throws(SecretVaultError) {
        try await store(secret, for: attributes, label: label)
        let found: Secret?
        do throws(SecretVaultError) {
            found = try await lookup(attributes)
        } catch {
            // It said that it has the secret, and nothing shows that it has not.
            return
        }
        if found != secret { throw .notKept }
    }
}

/// Why the keyring cannot be used. `detail` is for people and holds no secret.
package enum SecretVaultError: Error, Equatable, Sendable {
    /// No session bus, no daemon, no Secret Service, or no library for it.
    case absent(detail: String)
    /// There is a Secret Service, but no default collection in it; making one would need a prompt.
    case noCollection
    /// The collection is locked and would need a prompt.
    case locked(detail: String)
    /// It does not answer.
    case noAnswer(seconds: Int)
    /// It said that it had kept a secret, and has another one, or none.
    case notKept
    /// Any other error reply.
    case failed(detail: String)
}

extension SecretVaultError {
    /// Whether asking again at once may end otherwise.
    var mayPass: Bool {
        switch self {
        case .noAnswer, .failed: true
        case .notKept, .absent, .noCollection, .locked: false
        }
    }
}

extension SecretVaultError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .absent(let detail): "the keyring cannot be used: \(detail)"
        case .noCollection: "the keyring cannot be used: it has no default collection"
        case .locked(let detail): "the keyring is locked: \(detail)"
        case .noAnswer(let seconds): "the keyring did not answer within \(seconds) s"
        case .notKept: "the keyring does not give back what it was given to keep"
        case .failed(let detail): "the keyring failed: \(detail)"
        }
    }
}
