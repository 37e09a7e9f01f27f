import ArgumentParser
import CloverAuth
import CloverCore

extension Auth {
    /// `clover auth logout`.
    struct Logout: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "logout",
            abstract: "Forget tokens on this machine",
            discussion: """
                Examples:
                  clover auth logout
                  clover auth logout --profile downtown
                  clover auth logout --all

                Clover has no way to withdraw a token from here: what was issued \
                stays valid there until it ends, or until the merchant uninstalls \
                the app. Of several names of one sign-in --profile forgets only the \
                one that it says. CLOVER_ACCESS_TOKEN is not kept: while it is set, a \
                kept sign-in must be named by an option. With --all the rest goes \
                also when one sign-in cannot be removed; it is named, and the status \
                is then 82. Tokens in a keyring that cannot be used stay there, which \
                is said with the way to remove them, and the status is then 69 or 77.
                """
        )

        @Flag(name: .long, help: "Forget every sign-in on this machine.")
        var all = false

        @OptionGroup(title: "Connection")
        var app: SignInAppOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if all,
                app.appID != nil || connection.profile != nil || connection.merchant != nil
                    || connection.environment != nil
            {
                throw ValidationError("--all takes no choice of a sign-in")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var signOut = SignOut(choice: app.completing(connection.choice))
            signOut.isEverything = all
            let outcome = try await signOut.run(in: environment)
            // Said also when something could not be forgotten.
            defer {
                if environment.variables["CLOVER_ACCESS_TOKEN"]?.isEmpty == false {
                    environment.diagnostics.notice("CLOVER_ACCESS_TOKEN is still set, and commands go on using it")
                }
            }
            for removed in outcome.removed { environment.diagnostics.notice(Self.words(for: removed)) }
            for kept in outcome.kept {
                let report = ErrorReport(kept.error)
                environment.diagnostics.failure(
                    "still signed in to merchant \(kept.key.merchantID) (\(kept.key.environment)): \(report.message)",
                    code: report.code, status: report.status.rawValue)
            }
            let leftovers = outcome.removed.compactMap(\.leftover)
            // What became of the only one is its own error.
            if outcome.kept.isEmpty, outcome.removed.count == 1, let only = leftovers.first { throw only }
            for leftover in leftovers {
                let report = ErrorReport(leftover)
                environment.diagnostics.failure(
                    ([report.message] + report.hints).joined(separator: "; "), code: report.code,
                    status: report.status.rawValue)
            }
            if !outcome.kept.isEmpty || !leftovers.isEmpty {
                throw CoreError.signOutIncomplete(
                    outcome.kept.map(\.key), inKeyring: outcome.removed.filter { $0.leftover != nil }.map(\.key),
                    removed: outcome.removed.count - leftovers.count)
            }
            return 0
        }

        private static func words(for removed: SignOut.Removed) -> String {
            let merchant = "merchant \(removed.key.merchantID) (\(removed.key.environment))"
            let names = removed.profiles.joined(separator: ", ")
            if !removed.remaining.isEmpty {
                return "forgot the name \(names); the sign-in to \(merchant) stays, as "
                    + removed.remaining.joined(separator: ", ")
            }
            let profile = names.isEmpty ? "" : ", profile \(names)"
            return "signed out of \(merchant)\(profile); " + remainder(of: removed)
        }

        /// What the service goes on accepting.
        private static func remainder(of removed: SignOut.Removed) -> String {
            switch removed.kind {
            case .oauth:
                func until(_ end: Int64?) -> String {
                    end.map { "until " + InstantText.utc(seconds: $0) } ?? "until it ends"
                }
                return "at Clover the access token stays valid \(until(removed.accessTokenExpires)) and the refresh "
                    + "token \(until(removed.refreshTokenExpires)); uninstalling the app in the merchant's dashboard "
                    + "ends both"
            case .legacy:
                return "the token stays valid at Clover; uninstalling the app in the merchant's dashboard ends it"
            case .staticToken:
                return "the token stays valid at Clover until it is withdrawn there"
            case nil:
                return "what Clover issued stays valid there until it ends or is withdrawn"
            }
        }
    }
}
