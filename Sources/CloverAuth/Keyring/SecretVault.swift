package import CloverHTTP

/// Storage for secrets outside Clover's files: the desktop keyring. Every operation ends within two seconds, and none
/// prompts the user.
package protocol SecretVault: Sendable {
    /// Stores the secret under these attributes, replacing an item with the same attributes.
    ///
    /// - Parameter label: the name shown by the keyring's own program.
    func store(_ secret: Secret, for attributes: [String: String], label: String) async throws(SecretVaultError)

    /// The secret with these attributes; nil if there is no such item.
    func lookup(_ attributes: [String: String]) async throws(SecretVaultError) -> Secret?

    /// Removes the secret with these attributes.
    ///
    /// - Returns: false if there was none.
    func remove(_ attributes: [String: String]) async throws(SecretVaultError) -> Bool
}

extension SecretVault {
    /// Stores the secret with `store`, and reads it back.
    ///
    /// - Throws: `.notKept` if the keyring then has another secret, or none.
    package func keep(
        _ secret: Secret, for attributes: [String: String], label: String
    ) async throws(SecretVaultError) {
        try await store(secret, for: attributes, label: label)
        let found: Secret?
        do throws(SecretVaultError) {
            found = try await lookup(attributes)
        } catch {
            // The keyring reported success, and there is no evidence to the contrary.
            return
        }
        if found != secret { throw .notKept }
    }
}

/// Why the keyring cannot be used. `detail` is for display and contains no secret.
package enum SecretVaultError: Error, Equatable, Sendable {
    /// No session bus, no daemon, no Secret Service, or no library for it.
    case absent(detail: String)
    /// The Secret Service has no default collection, and creating one would need a prompt.
    case noCollection
    /// The collection is locked, and unlocking it would need a prompt.
    case locked(detail: String)
    case noAnswer(seconds: Int)
    case notKept
    case failed(detail: String)
}

extension SecretVaultError: CustomStringConvertible {
    /// Whether an immediate retry may succeed.
    var mayPass: Bool {
        switch self {
        case .noAnswer, .failed: true
        case .notKept, .absent, .noCollection, .locked: false
        }
    }

    package var description: String {
        switch self {
        case .absent(let detail): "the keyring cannot be used: \(detail)"
        case .noCollection: "the keyring cannot be used: it has no default collection"
        case .locked(let detail): "the keyring is locked: \(detail)"
        case .noAnswer(let seconds): "the keyring did not answer within \(seconds) s"
        case .notKept: "the keyring did not return what was stored in it"
        case .failed(let detail): "the keyring failed: \(detail)"
        }
    }
}
