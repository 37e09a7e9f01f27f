package import CloverAuth

/// `auth list`: every credential kept on this machine.
package enum SignInList {
    /// A credential, or why it cannot be read.
    package enum Entry: Sendable {
        case status(SignInStatus)
        case unreadable(CredentialKey, profile: String?, CredentialError)
    }

    package static func entries(in environment: CommandEnvironment) async throws -> [Entry] {
        let store = try environment.credentialStore()
        var entries: [Entry] = []
        for key in try await store.keys() {
            do throws(CredentialError) {
                // One that was removed meanwhile is no entry.
                guard let credential = try await store.load(key) else { continue }
                entries.append(.status(try await status(of: credential, in: environment)))
            } catch {
                entries.append(
                    .unreadable(key, profile: try await environment.profiles().name(of: key), error))
            }
        }
        return entries
    }

    private static func status(
        of credential: Credential, in environment: CommandEnvironment
    ) async throws(CredentialError) -> SignInStatus {
        do {
            return try await SignInStatus.of(credential, in: environment)
        } catch let error as CredentialError {
            throw error
        } catch {
            throw .notEncodable
        }
    }
}
