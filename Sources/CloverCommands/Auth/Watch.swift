import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCore
import CloverJSON

extension Auth {
    /// `clover auth watch`.
    struct Watch: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Report token changes",
            discussion: """
                Examples:
                  clover auth watch
                  clover auth watch --profile downtown --json
                  clover auth watch --exec 'echo "$CLOVER_EVENT" >>events.txt'

                Prints one JSON object a line for each event and each name of the sign-in, whichever process caused it: \
                new, refreshed, deleted (also if the name now stands for another sign-in), invalidated (the service \
                refused to renew it, and you must sign in again). Runs until it is stopped. A profile that does not \
                exist yet is waited for. No event contains a token.

                --exec runs a shell command for each event, one at a time, with the event as JSON on its standard input \
                and in CLOVER_EVENT, CLOVER_EVENT_PROFILE, CLOVER_EVENT_MERCHANT and CLOVER_EVENT_ENVIRONMENT. While \
                it runs, further events are printed and queued. If the watch is stopped while a command runs, the \
                command finishes.
                """
        )

        @Option(
            name: .customLong("exec"), parsing: .unconditional,
            help: ArgumentHelp("Shell command to run for each event.", valueName: "command"))
        var command: String?

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if command?.isEmpty == true { throw ValidationError("--exec needs a command") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            guard let command else {
                try await report(in: environment) { _ in }
                return 0
            }
            // A command may take long. Meanwhile, events are still printed, and queued here for it.
            let (waiting, queue) = AsyncStream.makeStream(
                of: Report.self, bufferingPolicy: .bufferingOldest(Self.longestQueue))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in waiting {
                        // Do not start a command after the watch was stopped.
                        try Task.checkCancellation()
                        try await Self.run(command, for: event, in: environment)
                    }
                }
                group.addTask {
                    defer { queue.finish() }
                    try await report(in: environment) { event in
                        guard case .dropped = queue.yield(event) else { return }
                        environment.diagnostics.notice(
                            "\(Self.longestQueue) events are waiting for the command; it is not run for one more")
                    }
                }
                // The first failure ends the other task as well.
                for try await _ in group {}
            }
            return 0
        }

        private struct Report: Sendable {
            let event: TokenEvent
            let profile: String?
            /// The event's name.
            let word: String

            /// One line of JSON.
            var line: String {
                var line = JSONLine()
                line.add("event", word)
                line.add("profile", profile)
                line.add("environment", event.key.environment)
                line.add("merchant", event.key.merchantID)
                line.add("app", event.key.appID)
                line.add("accessTokenExpiresAt", event.accessTokenExpires.map { InstantText.utc(seconds: $0) })
                line.add("refreshTokenExpiresAt", event.refreshTokenExpires.map { InstantText.utc(seconds: $0) })
                line.add("at", instant: event.at)
                return line.text + "\n"
            }
        }

        /// Maximum number of events that wait for the command.
        private static let longestQueue = 10_000

        /// Prints each event, one at a time, until cancelled, then passes it to `onReport`. Without a profile, merchant or
        /// environment it watches all credentials, and reports an event once for each name of its credential.
        private func report(in environment: CommandEnvironment, _ onReport: @Sendable (Report) -> Void) async throws {
            let choice = connection.choice
            let service = try choice.service()
            let profiles = try environment.profiles()
            if let name = choice.profile, !ProfileStore.isName(name) { throw CoreError.malformedProfile(name) }
            var names = try await profiles.all()
            if let name = choice.profile, names[name] == nil {
                let known = names.keys.sorted().joined(separator: ", ")
                environment.diagnostics.notice(
                    "no sign-in is named '\(name)' yet; waiting for one"
                        + (known.isEmpty ? "" : " (known names: \(known))"))
            }
            func emit(_ event: TokenEvent, profile: String?) async throws {
                guard let word = Self.word(event, in: environment) else { return }
                let report = Report(event: event, profile: profile, word: word)
                try await StandardOutput.print(report.line, in: environment)
                onReport(report)
            }
            for try await event in try await environment.credentialStore().events(of: nil, clock: .live) {
                try Task.checkCancellation()
                guard service == nil || event.key.environment == service?.name,
                    choice.merchantID == nil || event.key.merchantID == choice.merchantID
                else { continue }
                let present = try await profiles.all()
                names.merge(present) { $1 }
                // A name is added before its credential and removed after it, so a deletion also counts removed names.
                var counting = present
                var isFault = false
                switch event.kind {
                case .nameForgotten(let name):
                    names[name] = present[name]
                    if name == choice.profile ?? name { try await emit(event, profile: name) }
                    continue
                case .deleted:
                    counting = names
                    // Names still stored are about to be removed, or are read again with the next event.
                    names = names.filter { $0.value != event.key }
                case .unreadable: isFault = true
                case .new, .refreshed, .invalidated: break
                }
                let reported = counting.filter { $0.value == event.key && $0.key == choice.profile ?? $0.key }.keys
                    .sorted()
                if reported.isEmpty, choice.profile == nil { try await emit(event, profile: nil) }
                // An unreadable file is reported once, however many names it has.
                for name in isFault ? reported.prefix(1) : reported[...] { try await emit(event, profile: name) }
            }
            // A cancelled task ends the events without an error.
            try Task.checkCancellation()
        }

        /// The event's name; nil for a credential that cannot be read, which is reported on standard error.
        private static func word(_ event: TokenEvent, in environment: CommandEnvironment) -> String? {
            switch event.kind {
            case .new: return "new"
            case .refreshed: return "refreshed"
            case .deleted, .nameForgotten: return "deleted"
            case .invalidated: return "invalidated"
            case .unreadable(let error):
                environment.diagnostics.failure(
                    "the sign-in of \(event.key.words) cannot be read: \(error)",
                    code: "credential_file", status: ExitStatus.configuration.rawValue)
                return nil
            }
        }

        private static func run(
            _ command: String, for report: Report, in environment: CommandEnvironment
        ) async throws {
            let variables = [
                "CLOVER_EVENT": report.word, "CLOVER_EVENT_PROFILE": report.profile ?? "",
                "CLOVER_EVENT_MERCHANT": report.event.key.merchantID,
                "CLOVER_EVENT_ENVIRONMENT": report.event.key.environment,
            ]
            let status = try await environment.runToEnd(command, variables, Array(report.line.utf8))
            if status != 0 {
                environment.diagnostics.notice("the command for the event ended with status \(status)")
            }
        }
    }
}
