import CloverAuth
import CloverHTTP
import Glibc

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
            guard let line = InputLine.first(of: bytes ?? []) else { throw CoreError.secretMissing(secretFile) }
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
        noteReaders(of: path, in: environment)
        do {
            return try await SecretInput.firstLine(of: path, in: environment)
        } catch CoreError.unreadableFile(_, let number) {
            // The name may be a secret that somebody took for one.
            throw CoreError.unreadableSecret(errno: number)
        }
    }

    /// Says that others can read the secret, too, where it lies in a file of ours.
    private static func noteReaders(of path: String, in environment: CommandEnvironment) {
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_uid == geteuid(),
            found.st_mode & 0o077 != 0
        else { return }
        environment.diagnostics.notice(
            "the file of the app's secret is open to others (mode \(String(found.st_mode & 0o777, radix: 8))); "
                + "chmod 600 closes it")
    }
}
