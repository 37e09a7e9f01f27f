import ArgumentParser

/// `clover auth`.
struct Auth: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth",
        abstract: "Sign in, show sign-ins, and sign out",
        discussion: """
            Examples:
              clover auth login --app-id APP
              clover auth login --with-token --merchant MERCHANT <token.txt
              clover auth status

            You sign in once, with a browser; cron jobs can then run for as long as the service renews the tokens. \
            Every command renews them automatically when they are due. Instead of signing in, you can set both \
            CLOVER_ACCESS_TOKEN and CLOVER_MERCHANT_ID.
            """,
        subcommands: [
            Login.self, Receive.self, Status.self, Token.self, Refresh.self, Logout.self, List.self, Switch.self,
            Watch.self, Migrate.self, Import.self,
        ]
    )
}
