import CloverAuth
import CloverHTTP

/// The app that a merchant signs in to, and where its secret is found, if it has one.
package struct AppChoice: Sendable, Equatable {
    /// The app's id from Clover's developer dashboard.
    package var appID: String?
    /// A file with the app's secret; `-` is standard input.
    package var secretFile: String?

    package init(appID: String?, secretFile: String?) {
        self.appID = appID
        self.secretFile = secretFile
    }

    /// Nothing that is called a secret is longer, in bytes.
    private static let maximumSecret = 4096

    /// The secret from the file, else from `CLOVER_APP_SECRET`; nil when there is none, and the exchange is proved by a
    /// code verifier instead.
    func secret(in environment: CommandEnvironment) async throws -> Secret? {
        let secret: Secret
        if let secretFile {
            let bytes =
                secretFile == "-"
                ? try await SecretInput.read("the app's secret", limit: Self.maximumSecret, in: environment)
                : try await Self.read(secretFile, in: environment)
            guard let line = InputLine.first(of: bytes) else { throw CoreError.secretMissing(secretFile) }
            secret = line
        } else if let text = environment.variables.nonEmpty("CLOVER_APP_SECRET") {
            secret = Secret(text)
        } else {
            return nil
        }
        guard Credential.isUsable(secret) else { throw CoreError.malformedSecret }
        environment.diagnostics.mask.hide(secret)
        return secret
    }

    private static func read(_ path: String, in environment: CommandEnvironment) async throws -> [UInt8] {
        do {
            return try await SecretInput.firstLine(of: path, in: environment)
        } catch CoreError.unreadableFile(_, let number) {
            // The name may be a secret that somebody took for one.
            throw CoreError.unreadableSecret(errno: number)
        }
    }
}
