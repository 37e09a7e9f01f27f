import CloverAuth
import CloverHTTP

/// `auth login --with-token`: keeps a token that was made elsewhere.
package struct SignIn: Sendable {
    package var choice: ConnectionChoice
    package var isInKeyring = false

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// No token is longer than this.
    private static let maximumInput = 64 << 10

    /// Reads the token from standard input and stores it. The credential becomes the current one.
    package func run(in environment: CommandEnvironment) async throws -> SignedIn {
        let target = try await SignInTarget.resolve(choice, app: nil, in: environment)
        let key = try target.key(merchantID: nil)
        let token = try Self.token(
            in: try await SecretInput.read("the token", limit: Self.maximumInput, in: environment) ?? [])
        let credential = Credential(
            key: key, kind: .staticToken, accessToken: token, createdAt: environment.clock.wall() / 1000,
            origin: .token, isInKeyring: isInKeyring)
        // A keyring may ask the person first, and another process may have the sign-in.
        return try await ProgressBoard.during(in: environment) { board in
            board.line("auth login") { $0.words = "keeping the token" }
            // What is kept by now has nothing to do with a keyring that cannot be used.
            if isInKeyring { try await environment.secretVault().probe() }
            return try await target.keep(credential, in: environment)
        }
    }

    /// The first line, without surrounding white space.
    static func token(in input: [UInt8]) throws(CoreError) -> Secret {
        guard let token = InputLine.first(of: input) else { throw .noTokenOnInput }
        // A whole answer of the service is easily pasted for the token in it.
        guard Credential.isUsable(token), !token.exposed.hasPrefix("{") else { throw .malformedToken }
        return token
    }
}
