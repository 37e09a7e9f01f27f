import CloverAuth
import CloverCore

/// Reports a completed sign-in.
enum SignedInReport {
    /// Writes a line to standard error and, with `--json`, the status to standard output.
    static func give(_ signedIn: SignedIn, isJSON: Bool, in environment: CommandEnvironment) async throws {
        let name = signedIn.profile.map { ", profile \($0)" } ?? ""
        environment.diagnostics.notice(
            "signed in to merchant \(signedIn.key.merchantID) (\(signedIn.key.environment))\(name)")
        let status = try await SignInStatus.of(signedIn, in: environment)
        if status.kind == .oauth, status.isRenewable == false {
            let end = status.accessTokenExpires.map { " before \(InstantText.utc(seconds: $0))" } ?? ""
            environment.diagnostics.notice(
                "the service issued no refresh token for this sign-in, so unattended jobs stop when its access token "
                    + "expires; sign in again\(end)")
        }
        guard isJSON else { return }
        try await StandardOutput.print(StatusText.json(status).text + "\n", in: environment)
    }
}
