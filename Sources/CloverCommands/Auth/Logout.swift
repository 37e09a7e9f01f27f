import ArgumentParser
import CloverAPI
import CloverAuth
import CloverConfiguration
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
            let (removed, kept) = try await signOut(app.completing(connection.choice), in: environment)
            // Also after an error.
            defer {
                if environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") != nil {
                    environment.diagnostics.notice("CLOVER_ACCESS_TOKEN is still set, and commands still use it")
                }
            }
            for removed in removed { environment.diagnostics.notice(Self.summary(of: removed)) }
            for (key, error) in kept {
                let report = ErrorReport(error)
                environment.diagnostics.failure(
                    "still signed in to \(key.words): \(report.message)",
                    code: report.code, status: report.status.rawValue)
            }
            let leftovers = removed.compactMap(\.leftover)
            // If there is only one sign-in, its error is the command's.
            if kept.isEmpty, removed.count == 1, let only = leftovers.first { throw only }
            for leftover in leftovers {
                let report = ErrorReport(leftover)
                environment.diagnostics.failure(
                    ([report.message] + report.hints).joined(separator: "; "), code: report.code,
                    status: report.status.rawValue)
            }
            if !kept.isEmpty || !leftovers.isEmpty {
                throw CoreError.signOutIncomplete(
                    kept.map(\.key), inKeyring: removed.filter { $0.leftover != nil }.map(\.key),
                    removed: removed.count - leftovers.count)
            }
            return 0
        }

        private struct Removed {
            let key: CredentialKey
            /// Nil if it could not be read, or if only a name was removed.
            var credential: Credential?
            /// The names that were removed.
            let profiles: [String]
            /// Other names of the same credential. If there are any, only the requested name was removed.
            var remaining: [String] = []
            /// The reason why the tokens are still in the keyring; nil if they are not.
            var leftover: CredentialError?
        }

        /// Removes credentials and their names from this machine. With --all, if there are several, continues after one
        /// that cannot be removed.
        ///
        /// - Throws: `CoreError.notSignedIn` if there is no credential, and the reason if the only one cannot be removed.
        private func signOut(
            _ choice: ConnectionChoice, in environment: CommandEnvironment
        ) async throws -> (removed: [Removed], kept: [(key: CredentialKey, error: CredentialError)]) {
            let store = try environment.credentialStore()
            // If the named merchant has several credentials, an error asks which one: never remove one by a guess.
            let isNamed = choice.merchantID != nil || choice.environment != nil || choice.appID != nil
            if !all, !isNamed, choice.profile == nil { try await checkVariables(store, in: environment) }
            let keys =
                all
                ? try await store.keys()
                : [try await choice.key(in: environment, takesCurrent: !isNamed)].compactMap { $0 }
            let asked = all ? nil : try await choice.completed(in: environment).profile
            var removed: [Removed] = []
            var kept: [(key: CredentialKey, error: CredentialError)] = []
            for key in keys {
                do {
                    if let one = try await remove(key, named: asked, from: store, in: environment) {
                        removed.append(one)
                    }
                } catch let error as CredentialError where keys.count > 1 && error != .cancelled {
                    kept.append((key, error))
                }
            }
            guard removed.isEmpty, kept.isEmpty else { return (removed, kept) }
            if environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") != nil, try await store.keys().isEmpty {
                throw CoreError.onlyVariableToken
            }
            throw CoreError.notSignedIn(try await choice.completed(in: environment))
        }

        /// Checks the variables, which decide if no option names a sign-in, as for all commands. `CLOVER_ACCESS_TOKEN` is
        /// not stored, so it cannot be removed, and no stored credential is removed in its place. Other variables must
        /// agree.
        private func checkVariables(_ store: any CredentialStore, in environment: CommandEnvironment) async throws {
            let variables = environment.variables
            if variables.nonEmpty("CLOVER_ACCESS_TOKEN") != nil {
                guard try await store.keys().isEmpty else { throw CoreError.variableNotForgotten }
                return
            }
            guard let name = variables.nonEmpty("CLOVER_PROFILE"),
                let key = try await environment.profiles().key(named: name)
            else { return }
            let merchantID = try variables.checked(.merchant)
            let service = try variables.checked(.environment).map { try ServiceEnvironment(parsing: $0) }
            if (merchantID ?? key.merchantID) != key.merchantID || (service?.name ?? key.environment) != key.environment
            {
                throw CoreError.profileConflict(
                    name, merchantID: key.merchantID, environment: key.environment, isByVariables: true)
            }
        }

        /// Removes one credential, or only the requested name; nil if it was already gone.
        private func remove(
            _ key: CredentialKey, named asked: String?, from store: any CredentialStore,
            in environment: CommandEnvironment
        ) async throws -> Removed? {
            let profiles = try environment.profiles()
            let names = try await profiles.all().filter { $0.value == key }.keys.sorted()
            if let asked, names.contains(asked), names.count > 1 {
                _ = try await profiles.remove(asked)
                let remaining = names.filter { $0 != asked }
                if try await store.currentChoice() == SignedIn(key: key, profile: asked) {
                    try await store.setCurrentChoice(SignedIn(key: key, profile: remaining.first))
                }
                return Removed(key: key, profiles: [asked], remaining: remaining)
            }
            guard try await store.keys().contains(key) else { return nil }
            // Let a renewal in progress finish first: its tokens are the ones that stay valid at the service.
            let lease = try await environment.leaseForSigningInOrOut(key)
            defer { lease.release() }
            var removed = Removed(key: key, profiles: names)
            do throws(CredentialError) {
                removed.credential = try await lease.load()
            } catch {
                if case .newerVersion = error { throw error }
                // An unreadable file can still be removed; `remove` refuses files that are not ours.
                environment.diagnostics.detail("\(error)")
            }
            var isRemoved = true
            do throws(CredentialError) {
                isRemoved = try await lease.remove()
            } catch {
                guard case .leftInKeyring = error else { throw error }
                removed.leftover = error
            }
            lease.release()
            try await store.forgetChoice(of: key)
            guard isRemoved else { return nil }
            try await profiles.removeAll(key)
            return removed
        }

        private static func summary(of removed: Removed) -> String {
            let merchant = removed.key.words
            let names = removed.profiles.joined(separator: ", ")
            if !removed.remaining.isEmpty {
                return "forgot the name \(names); the sign-in to \(merchant) stays, as "
                    + removed.remaining.joined(separator: ", ")
            }
            let profile = names.isEmpty ? "" : ", profile \(names)"
            return "signed out of \(merchant)\(profile); " + validTokens(of: removed.credential)
        }

        /// Explains which tokens stay valid at the service.
        private static func validTokens(of credential: Credential?) -> String {
            switch credential?.kind {
            case .oauth:
                func until(_ end: Int64?) -> String {
                    end.map { "until " + InstantText.utc(seconds: $0) } ?? "until it expires"
                }
                return
                    "at Clover the access token stays valid \(until(credential?.accessTokenExpires)) and the refresh "
                    + "token \(until(credential?.refreshTokenExpires)); to revoke both, uninstall the app in the "
                    + "merchant's dashboard"
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
