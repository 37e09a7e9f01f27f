import CloverAuth
import CloverCore
import CloverHTTP

/// A secret that Clover and the receiver of its webhooks share: from a file or a variable, never from an option.
struct WebhookSecret: Sendable {
    /// As messages call it.
    let name: String
    /// The option that names the file.
    let option: String
    let variable: String

    /// The fixed code in the header `X-Clover-Auth`.
    static let authCode = WebhookSecret(
        name: "the auth code", option: "--auth-code-file", variable: "CLOVER_WEBHOOK_AUTH_CODE")
    /// The secret under which Hosted Checkout's webhooks are signed.
    static let signing = WebhookSecret(
        name: "the signing secret", option: "--secret-file", variable: "CLOVER_WEBHOOK_SECRET")

    /// Maximum length in bytes.
    private static let maximumLength = 4096

    /// Reads the secret; nil if there is none.
    ///
    /// - Parameter file: the file's name; nil for the variable.
    /// - Throws: `WebhookFault.unusableSecret`.
    func read(file: String?, in environment: CommandEnvironment) async throws -> Secret? {
        let secret: Secret?
        if let file {
            SecretFile.noteLooseMode(of: file, name, in: environment)
            do {
                secret = InputLine.first(of: try await SecretInput.firstLine(of: file, in: environment))
            } catch CoreError.unreadableFile(_, let number) {
                // The name may be the secret itself, so the error does not show it.
                throw WebhookFault.unreadableSecret(self, errno: number)
            }
        } else {
            secret = environment.variables.nonEmpty(variable).map { Secret($0) }
            if secret == nil { return nil }
        }
        guard let secret, secret.exposed.utf8.count <= Self.maximumLength, Credential.isUsable(secret) else {
            throw WebhookFault.unusableSecret(self)
        }
        environment.diagnostics.mask.hide(secret)
        return secret
    }
}
