import ArgumentParser
import CloverAuth
import CloverCore

extension Auth {
    /// `clover auth switch`.
    struct Switch: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "switch",
            abstract: "Choose the sign-in that commands use",
            discussion: """
                Examples:
                  clover auth switch downtown
                  clover auth switch MERCHANT --environment eu
                  clover auth switch MERCHANT --app-id APP

                NAME is a profile or a merchant ID from 'clover auth list'. If there are several sign-ins to one \
                merchant, choose one with --app-id. In cron jobs, use --profile instead, because 'auth switch' does not \
                affect it.
                """
        )

        @Argument(help: ArgumentHelp("A profile, or a merchant ID.", valueName: "name"), completion: .asked)
        var name: String?

        @OptionGroup(title: "Connection")
        var app: SignInAppOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if name == nil, app.appID == nil, connection.profile == nil, connection.merchant == nil,
                connection.environment == nil
            {
                throw ValidationError("name a profile or a merchant ID; to list them: clover auth list")
            }
            if name != nil, connection.profile != nil {
                throw ValidationError("give the profile once: as the argument, or with --profile")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let chosen = try await StoredSignIns.read(in: environment)
                .find(name, app.completing(connection.choice), in: environment)
            try await environment.credentialStore().setCurrentChoice(chosen)
            try environment.noteOverrides(of: chosen)
            let name = chosen.profile.map { ", profile \($0)" } ?? (chosen.key.appID.map { ", app \($0)" } ?? "")
            environment.diagnostics.notice(
                "commands now use \(chosen.key.words)\(name)")
            return 0
        }
    }
}
