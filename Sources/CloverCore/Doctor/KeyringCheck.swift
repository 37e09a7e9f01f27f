import CloverAuth

/// The desktop's keyring. Nothing is kept in it unless it was asked for at a sign-in.
struct KeyringCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        do throws(SecretVaultError) {
            // There is no such item; asking for it shows whether the keyring answers and is unlocked.
            _ = try await patient.environment.secretVault().lookup(["application": "clover", "kind": "probe"])
            return [.ok(.keyring, "the keyring answers")]
        } catch {
            // A sign-in that is in the keyring fails by itself, in another check.
            switch error {
            case .absent: return [.ok(.keyring, "no keyring here: tokens are kept in private files")]
            case .noCollection:
                return [.ok(.keyring, "the keyring has no default collection: tokens are kept in private files")]
            case .locked, .noAnswer, .notKept, .failed: return [.warn(.keyring, error)]
            }
        }
    }
}
