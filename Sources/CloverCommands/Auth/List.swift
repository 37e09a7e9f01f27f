import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCore
import CloverJSON

extension Auth {
    /// `clover auth list`.
    struct List: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List every sign-in on this machine",
            discussion: """
                Examples:
                  clover auth list
                  clover auth list --jq 'select(.loggedIn|not).merchant' -r
                  clover auth list --format csv --fields profile,merchant,loggedIn

                Prints one JSON object a line, or a table on a terminal. The service is not asked. A sign-in that \
                cannot be read is named on standard error, and the status is then 78. If the tokens of a sign-in are in \
                a keyring that is locked or unavailable, the list shows what its file contains.
                """
        )

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: environment)
            var statuses: [SignInStatus] = []
            var unreadable = 0
            for entry in try await entries(connection.choice, in: environment) {
                switch entry {
                case .status(let status): statuses.append(status)
                case .unreachable(let status, let error):
                    statuses.append(status)
                    let report = ErrorReport(error)
                    environment.diagnostics.failure(report.message, code: report.code, status: report.status.rawValue)
                case .unreadable(let key, let profile, let error):
                    unreadable += 1
                    let name = profile.map { ", profile \($0)" } ?? ""
                    environment.diagnostics.failure(
                        "the sign-in of merchant \(key.merchantID) (\(key.environment)\(name)) cannot be read: \(error)",
                        code: "credential_file", status: ExitStatus.configuration.rawValue)
                }
            }
            let list = OwnList(
                lines: statuses.map { StatusText.json($0).text },
                columns: [
                    "profile", "environment", "merchant", "app", "employee", "loggedIn", "kind", "source", "current",
                    "accessTokenExpiresAt", "refreshTokenExpiresAt", "refreshDue", "renewable", "reason",
                ], times: ["accessTokenExpiresAt", "refreshTokenExpiresAt"])
            let status = try await list.print(output, messages, connection.choice, in: environment) { times in
                StatusText.table(statuses, times, in: environment)
            }
            let left = try await environment.signInsInFiles()
            if left > 0 { environment.diagnostics.notice(State.signInsLeft(left)) }
            if unreadable > 0 { throw CoreError.unreadableCredentials(unreadable) }
            return status
        }

        /// A credential, or the reason why it cannot be read.
        private enum Entry {
            case status(SignInStatus)
            /// Its file exists, but the keyring cannot be used or no longer has its tokens.
            case unreachable(SignInStatus, CredentialError)
            case unreadable(CredentialKey, profile: String?, CredentialError)
        }

        /// One entry for each name, and one for each credential without a name, limited to those that match the choice.
        private func entries(_ choice: ConnectionChoice, in environment: CommandEnvironment) async throws -> [Entry] {
            let service = try choice.service()
            let profiles = try await environment.profiles().all()
            if let name = choice.profile, profiles[name] == nil {
                throw CoreError.unknownProfile(name, known: profiles.keys.sorted())
            }
            var entries: [Entry] = []
            for key in try await environment.credentialStore().keys() {
                guard service == nil || key.environment == service?.name,
                    choice.merchantID == nil || key.merchantID == choice.merchantID
                else { continue }
                var names: [String?] = profiles.filter { $0.value == key }.keys.sorted()
                if let name = choice.profile {
                    names = names.filter { $0 == name }
                } else if names.isEmpty {
                    names = [nil]
                }
                for name in names {
                    if let entry = try await entry(key, name: name, in: environment) { entries.append(entry) }
                }
            }
            return entries
        }

        private func entry(
            _ key: CredentialKey, name: String?, in environment: CommandEnvironment
        ) async throws -> Entry? {
            do {
                // A credential removed in the meantime has no entry.
                guard let kept = try await SignInStatus.kept(key, in: environment) else { return nil }
                var status = kept.status
                // If the current credential has several names, only one of them is current.
                status.isCurrent = status.isCurrent && status.profile == name
                status.profile = name
                if let error = kept.error { return .unreachable(status, error) }
                return .status(status)
            } catch let error as CredentialError {
                // Of the key that all sign-ins in the database need.
                if case .stateKey(let problem) = error, problem.isOfKeyring { throw error }
                return .unreadable(key, profile: name, error)
            }
        }
    }
}
