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

                Clover has no way to revoke a token from here: tokens stay valid at Clover until they expire, or until \
                the merchant uninstalls the app. If a sign-in has several names, --profile forgets only the one given. \
                CLOVER_ACCESS_TOKEN is not stored: while it is set, you must name the stored sign-in with an option. \
                With --all, the other sign-ins are removed even if one cannot be; it is named, and the status is then \
                82. Tokens in a keyring that cannot be used stay there; the command then tells how to remove them, and \
                the status is 69 or 77.
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
                throw ValidationError("--all and options that select a sign-in exclude each other")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var signOut = SignOut(choice: app.completing(connection.choice))
            signOut.isEverything = all
            let outcome = try await signOut.run(in: environment)
            // Also after an error.
            defer {
                if environment.variables["CLOVER_ACCESS_TOKEN"]?.isEmpty == false {
                    environment.diagnostics.notice("CLOVER_ACCESS_TOKEN is still set, and commands still use it")
                }
            }
            for removed in outcome.removed { environment.diagnostics.notice(Self.summary(of: removed)) }
            for kept in outcome.kept {
                let report = ErrorReport(kept.error)
                environment.diagnostics.failure(
                    "still signed in to merchant \(kept.key.merchantID) (\(kept.key.environment)): \(report.message)",
                    code: report.code, status: report.status.rawValue)
            }
            let leftovers = outcome.removed.compactMap(\.leftover)
            // If there is only one sign-in, its error is the command's.
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

        private static func summary(of removed: SignOut.Removed) -> String {
            let merchant = "merchant \(removed.key.merchantID) (\(removed.key.environment))"
            let names = removed.profiles.joined(separator: ", ")
            if !removed.remaining.isEmpty {
                return "forgot the name \(names); the sign-in to \(merchant) stays, as "
                    + removed.remaining.joined(separator: ", ")
            }
            let profile = names.isEmpty ? "" : ", profile \(names)"
            return "signed out of \(merchant)\(profile); " + validTokens(of: removed)
        }

        /// Explains which tokens stay valid at the service.
        private static func validTokens(of removed: SignOut.Removed) -> String {
            switch removed.kind {
            case .oauth:
                func until(_ end: Int64?) -> String {
                    end.map { "until " + InstantText.utc(seconds: $0) } ?? "until it expires"
                }
                return "at Clover the access token stays valid \(until(removed.accessTokenExpires)) and the refresh "
                    + "token \(until(removed.refreshTokenExpires)); to revoke both, uninstall the app in the merchant's "
                    + "dashboard"
            case .legacy:
                return "the token stays valid at Clover; to revoke it, uninstall the app in the merchant's dashboard"
            case .staticToken:
                return "the token stays valid at Clover until it is revoked there"
            case nil:
                return "what Clover issued stays valid there until it expires or is revoked"
            }
        }
    }
}
