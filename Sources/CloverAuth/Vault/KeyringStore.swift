package import CloverHTTP

/// Storage for secrets outside Clover's files: the desktop keyring. Every operation ends within two seconds, and none
/// prompts the user.
package protocol KeyringStore: Sendable {
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

extension KeyringStore {
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
    /// The keyring does not respond.
    case noAnswer(seconds: Int)
    /// The keyring reported that it had stored a secret, but has another one, or none.
    case notKept
    /// Any other error reply.
    case failed(detail: String)
}

extension SecretVaultError {
    /// Whether an immediate retry may succeed.
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
        case .notKept: "the keyring did not return what was stored in it"
        case .failed(let detail): "the keyring failed: \(detail)"
        }
    }
}

/// Whole credentials as keyring items.
struct KeyringCredentials: Sendable {
    /// Nil if this program was started without a keyring.
    let vault: (any KeyringStore)?

    /// The credential that `pointer` refers to.
    func credential(
        for pointer: CredentialPointer, key: CredentialKey, path: String
    ) async throws(CredentialError) -> Credential {
        let vault = try require(path)
        let found: Secret?
        do {
            found = try await vault.lookup(CredentialPointer.attributes(of: key, item: pointer.item))
        } catch {
            throw .keyring(path: path, error)
        }
        guard let found else { throw .missingInKeyring(key) }
        guard
            case .whole(var credential, _) = try CredentialDocument.decode(
                Array(found.exposed.utf8), key: key, path: path)
        else { throw .malformed(path: path, field: "keyring") }
        credential.isInKeyring = true
        return credential
    }

    /// Stores the whole credential as the item of this name.
    func store(_ credential: Credential, item: String, path: String) async throws(CredentialError) {
        let vault = try require(path)
        let document = String(decoding: try CredentialDocument.encode(credential), as: UTF8.self)
        do {
            try await vault.keep(
                Secret(document), for: CredentialPointer.attributes(of: credential.key, item: item),
                label: "clover: merchant \(credential.key.merchantID) (\(credential.key.environment))")
        } catch {
            // The item that may have been stored will not be referenced.
            if error == .notKept { _ = await remove(item, key: credential.key) }
            throw .keyring(path: path, error)
        }
    }

    /// Removes the item; one that is already gone counts as removed.
    ///
    /// - Returns: why it is still there; nil if it is not.
    func remove(_ item: String, key: CredentialKey) async -> CredentialError? {
        do throws(SecretVaultError) {
            guard let vault else { throw Self.noVault }
            _ = try await vault.remove(CredentialPointer.attributes(of: key, item: item))
            return nil
        } catch {
            return .leftInKeyring(key, item: item, error)
        }
    }

    private func require(_ path: String) throws(CredentialError) -> any KeyringStore {
        guard let vault else { throw .keyring(path: path, Self.noVault) }
        return vault
    }

    private static let noVault = SecretVaultError.absent(detail: "none is set up")
}
