package import ArgumentParser
import CloverAuth
package import CloverCore
import CloverRecords

/// The root command.
package struct Clover: CloverCommand {
    package static let configuration = CommandConfiguration(
        commandName: "clover",
        abstract: "Read and change a Clover merchant's data as JSON lines",
        discussion: """
            Made for shell scripts, cron and pipes: data goes to standard output, one JSON object a line; everything \
            else goes to standard error. Status 0 means that every record asked for was delivered.

              clover get orders --all --jq '{id,total}'
              clover get items --filter 'price>=500' -r --jq .name
              clover export orders payments --to ~/exports
              clover post items --field name=Latte --field price=450
              clover auth login --app-id APP

            For topics other than commands, run 'clover help TOPIC': \(HelpTopic.names.joined(separator: ", ")).
            """,
        version: CloverVersion.text,
        subcommands: [
            Auth.self, Get.self, Post.self, Put.self, Delete.self, Endpoints.self, Schema.self, Limits.self,
            Export.self,
            Charge.self, Config.self, ReaderCommand.self, Emulator.self,
            DoctorCommand.self,
        ]
    )

    package init() {}

    package func run(in environment: CommandEnvironment) async throws -> Int32 {
        let page = FirstPage.text(
            signedIn: await signInLine(in: environment), columns: environment.terminal.outputSize?.columns)
        try await StandardOutput.print(page, in: environment)
        return 0
    }

    /// An unreadable stored sign-in does not prevent the first page; `auth status` reports the problem in full.
    private func signInLine(in environment: CommandEnvironment) async -> String {
        do {
            let choice = ConnectionChoice(environment: nil, merchantID: nil)
            let status = try await SignInStatus.current(choice, in: environment)
            return status.isLoggedIn
                ? "Signed in to merchant \(status.key?.merchantID ?? "") (\(status.key?.environment ?? ""))."
                : "Not signed in. Run 'clover auth login --app-id APP', or try everything offline with 'clover emulator demo'."
        } catch {
            return "Cannot determine whether you are signed in: see 'clover auth status'."
        }
    }
}
