import ArgumentParser
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
            let environment = messages.applied(to: environment)
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

        /// An event with its name and its line of JSON.
        private struct Report: Sendable {
            let event: TokenEventStream.Event
            let word: String
            let line: String
        }

        /// Maximum number of events that wait for the command.
        private static let longestQueue = 10_000

        /// Prints each event, then passes it to `onReport`.
        private func report(in environment: CommandEnvironment, _ onReport: @Sendable (Report) -> Void) async throws {
            try await TokenEventStream(choice: connection.choice).run(in: environment) { event in
                guard let word = Self.word(event, in: environment) else { return }
                let report = Report(event: event, word: word, line: Self.json(event, word).text + "\n")
                try await StandardOutput.print(report.line, in: environment)
                onReport(report)
            }
        }

        /// The event's name; nil for a credential that cannot be read, which is reported on standard error.
        private static func word(_ event: TokenEventStream.Event, in environment: CommandEnvironment) -> String? {
            switch event.event.kind {
            case .new: return "new"
            case .refreshed: return "refreshed"
            case .deleted, .nameForgotten: return "deleted"
            case .invalidated: return "invalidated"
            case .unreadable(let error):
                let key = event.event.key
                environment.diagnostics.failure(
                    "the sign-in of merchant \(key.merchantID) (\(key.environment)) cannot be read: \(error)",
                    code: "credential_file", status: ExitStatus.configuration.rawValue)
                return nil
            }
        }

        private static func json(_ event: TokenEventStream.Event, _ word: String) -> JSONLine {
            var line = JSONLine()
            line.add("event", word)
            line.add("profile", event.profile)
            line.add("environment", event.event.key.environment)
            line.add("merchant", event.event.key.merchantID)
            line.add("app", event.event.key.appID)
            line.add("accessTokenExpiresAt", event.event.accessTokenExpires.map { InstantText.utc(seconds: $0) })
            line.add("refreshTokenExpiresAt", event.event.refreshTokenExpires.map { InstantText.utc(seconds: $0) })
            line.add("at", InstantText.utc(milliseconds: event.event.at))
            return line
        }

        private static func run(
            _ command: String, for report: Report, in environment: CommandEnvironment
        ) async throws {
            let variables = [
                "CLOVER_EVENT": report.word, "CLOVER_EVENT_PROFILE": report.event.profile ?? "",
                "CLOVER_EVENT_MERCHANT": report.event.event.key.merchantID,
                "CLOVER_EVENT_ENVIRONMENT": report.event.event.key.environment,
            ]
            let status = try await environment.runShell(command, variables, Array(report.line.utf8))
            if status != 0 {
                environment.diagnostics.notice("the command for the event ended with status \(status)")
            }
        }
    }
}
