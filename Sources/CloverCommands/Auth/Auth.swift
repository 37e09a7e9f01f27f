import ArgumentParser

/// `clover auth`.
struct Auth: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign in, see who is signed in, sign out",
        discussion: """
            Examples:
              clover auth login --with-token --merchant MERCHANT <token.txt
              clover auth status
              clover auth logout

            Without signing in, CLOVER_ACCESS_TOKEN and CLOVER_MERCHANT_ID together are a credential.
            """,
        subcommands: [Login.self, Status.self, Logout.self]
    )
}
