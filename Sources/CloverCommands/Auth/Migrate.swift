import ArgumentParser
import CloverAuth
import CloverCore

extension Auth {
    /// `clover auth migrate`.
    struct Migrate: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Exchange a legacy token for tokens that can be renewed",
            discussion: """
                Examples:
                  clover auth migrate --app-id APP
                  clover auth migrate --app-id APP --profile downtown
                  clover auth migrate --app-id APP --app-secret-file secret.txt

                Takes the stored token (or CLOVER_ACCESS_TOKEN), which must have been issued to the app in Clover's \
                legacy flow. The new tokens replace a stored one, and take over its name. If anything fails, the \
                legacy token is still there.
                """
        )

        @OptionGroup(title: "App")
        var app: AppOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var migration = TokenMigration(choice: connection.choice, app: app.choice)
            migration.isInKeyring = app.keyring
            let signedIn = try await migration.run(in: environment)
            try await SignedInReport.give(signedIn, isJSON: messages.json, in: environment)
            return 0
        }
    }
}
