import CloverAPI
package import CloverAuth
import CloverHTTP

/// `auth login --with-token`: keeps a token that was made elsewhere.
package struct SignIn: Sendable {
    package var choice: ConnectionChoice

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// No token is longer than this.
    private static let maximumInput = 64 << 10

    /// Reads the token from standard input and stores it. The credential becomes the current one.
    package func run(in environment: CommandEnvironment) async throws -> CredentialKey {
        let choice = choice.completed(by: environment.variables)
        guard let merchantID = choice.merchantID else { throw CoreError.merchantMissing }
        let service = try choice.environment.map { text throws(QueryError) in
            try ServiceEnvironment(parsing: text)
        }
        let key = try CredentialKey(environment: (service ?? .us).name, merchantID: merchantID)
        let input = try environment.readStandardInput(Self.maximumInput)
        let token = try Self.token(in: input)
        let store = try environment.credentialStore()
        try await store.save(
            Credential(key: key, kind: .staticToken, accessToken: token, createdAt: environment.now() / 1000))
        try await store.setCurrent(key)
        return key
    }

    /// The first line, without surrounding white space.
    static func token(in input: [UInt8]) throws(CoreError) -> Secret {
        let line = input.prefix { $0 != UInt8(ascii: "\n") }
        let isBlank: (UInt8) -> Bool = {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        var token = line.drop(while: isBlank)
        while let last = token.last, isBlank(last) { token.removeLast() }
        guard !token.isEmpty else { throw .noTokenOnInput }
        let secret = Secret(String(decoding: token, as: UTF8.self))
        guard Credential.isUsable(secret) else { throw .malformedToken }
        return secret
    }
}
