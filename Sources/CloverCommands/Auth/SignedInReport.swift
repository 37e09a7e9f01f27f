import CloverAuth
import CloverCore

/// What is said after a sign-in.
enum SignedInReport {
    /// A line on standard error; with `--json` the status as a line on standard output too.
    static func give(_ signedIn: SignedIn, isJSON: Bool, in environment: CommandEnvironment) async throws {
        let name = signedIn.profile.map { ", profile \($0)" } ?? ""
        environment.diagnostics.notice(
            "signed in to merchant \(signedIn.key.merchantID) (\(signedIn.key.environment))\(name)")
        let status = try await SignInStatus.of(signedIn, in: environment)
        if status.kind == .oauth, status.isRenewable == false {
            let end = status.accessTokenExpires.map { " before \(InstantText.utc(seconds: $0))" } ?? ""
            environment.diagnostics.notice(
                "the service gave nothing to renew this sign-in with: work that runs unattended stops when its token ends; "
                    + "sign in again\(end)")
        }
        guard isJSON else { return }
        try await StandardOutput.print(StatusText.json(status).text + "\n", in: environment)
    }
}
