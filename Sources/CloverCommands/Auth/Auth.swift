import ArgumentParser

/// `clover auth`.
struct Auth: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth",
        abstract: "Sign in, see who is signed in, sign out",
        discussion: """
            Examples:
              clover auth login --app-id APP
              clover auth login --with-token --merchant MERCHANT <token.txt
              clover auth status

            A person signs in once with a browser; cron jobs then run on that \
            for as long as the service renews the tokens, which every command \
            does by itself when it is due. Without signing in, \
            CLOVER_ACCESS_TOKEN and CLOVER_MERCHANT_ID together are a credential.
            """,
        subcommands: [
            Login.self, Receive.self, Status.self, Token.self, Refresh.self, Logout.self, List.self, Switch.self,
            Watch.self, Migrate.self,
        ]
    )
}
