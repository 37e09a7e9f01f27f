import CloverHTTP

/// Whole credentials as items of the keyring.
struct KeyringItems: Sendable {
    /// Nil when this program was started without a keyring.
    let vault: (any SecretVault)?

    /// The credential that `pointer` stands for.
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

    /// Keeps the whole credential as the item of this name.
    func store(_ credential: Credential, item: String, path: String) async throws(CredentialError) {
        let vault = try require(path)
        let document = String(decoding: try CredentialDocument.encode(credential), as: UTF8.self)
        do {
            try await vault.keep(
                Secret(document), for: CredentialPointer.attributes(of: credential.key, item: item),
                label: "clover: merchant \(credential.key.merchantID) (\(credential.key.environment))")
        } catch {
            // Nothing is going to point to what it may have kept.
            if error == .notKept { _ = await remove(item, key: credential.key) }
            throw .keyring(path: path, error)
        }
    }

    /// Removes the item; one that is gone already is as good.
    ///
    /// - Returns: why it is still there; nil when it is not.
    func remove(_ item: String, key: CredentialKey) async -> CredentialError? {
        do throws(SecretVaultError) {
            guard let vault else { throw Self.noVault }
            _ = try await vault.remove(CredentialPointer.attributes(of: key, item: item))
            return nil
        } catch {
            return .leftInKeyring(key, item: item, error)
        }
    }

    private func require(_ path: String) throws(CredentialError) -> any SecretVault {
        guard let vault else { throw .keyring(path: path, Self.noVault) }
        return vault
    }

    private static let noVault = SecretVaultError.absent(detail: "none is set up")
}
