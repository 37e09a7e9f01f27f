import CloverAuth
import CloverHTTP

extension SecretVault {
    /// Finds out, before a code is spent, whether a secret can be kept here: keeps a harmless one, reads it back, and takes it
    /// away.
    func probe() async throws(SecretVaultError) {
        let attributes = ["application": "clover", "kind": "probe"]
        try await keep(Secret("probe"), for: attributes, label: "clover: is the keyring usable?")
        _ = try await remove(attributes)
    }
}
