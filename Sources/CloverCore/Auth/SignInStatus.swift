import CloverAPI

/// `auth status`: who this machine is signed in as. It asks nobody.
package struct SignInStatus: Sendable, Equatable, Encodable {
    package var signedIn: Bool
    /// `sandbox`, `us`, `eu`, `la` or an address.
    package var environment: String?
    package var merchant: String?
    /// Where the token comes from: `environment` or `cache`.
    package var source: String?

    package static func current(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> SignInStatus {
        do {
            let connection = try await choice.resolve(in: environment)
            return SignInStatus(
                signedIn: true, environment: connection.environment.name, merchant: connection.merchantID,
                source: connection.source.rawValue)
        } catch CoreError.notSignedIn {
            return SignInStatus(signedIn: false)
        }
    }
}
