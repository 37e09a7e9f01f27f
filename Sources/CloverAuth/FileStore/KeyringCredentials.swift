import CloverHTTP
import CloverSystem

/// Whole credentials as keyring items.
struct KeyringCredentials: Sendable {
    /// Nil if this program was started without a keyring.
    let vault: (any SecretVault)?

    /// The credential whose file at `path` refers to the keyring.
    func credential(for outline: CredentialOutline, path: String) async throws(CredentialError) -> Credential {
        let key = outline.key
        let found: Secret?
        do throws(SecretVaultError) {
            found = try await existingVault().lookup(Self.attributes(of: key, item: outline.item))
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
        let document = String(decoding: try CredentialDocument.encode(credential), as: UTF8.self)
        do throws(SecretVaultError) {
            try await existingVault().keep(
                Secret(document), for: Self.attributes(of: credential.key, item: item),
                label: "clover: \(credential.key.words)")
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
            _ = try await existingVault().remove(Self.attributes(of: key, item: item))
            return nil
        } catch {
            return .leftInKeyring(key, item: item, error)
        }
    }

    private func existingVault() throws(SecretVaultError) -> any SecretVault {
        guard let vault else { throw .absent(detail: "none is set up") }
        return vault
    }

    /// A new item name.
    static func makeItemName() -> String { RandomText.make(bytes: 16) }

    /// Whether Clover could have generated this name.
    static func isItemName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(PercentCoding.isUnreserved)
    }

    /// The attributes that identify the item (in the Secret Service, attributes are not secret).
    private static func attributes(of key: CredentialKey, item: String) -> [String: String] {
        [
            "application": "clover", "environment": key.environment, "merchant": key.merchantID,
            "app": key.appID ?? CredentialKey.noApp, "item": item,
        ]
    }
}
