import ArgumentParser
import CloverAuth
import CloverCore

extension Auth {
    /// `clover auth watch`.
    struct Watch: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Report when tokens change",
            discussion: """
                Examples:
                  clover auth watch
                  clover auth watch --profile downtown --json
                  clover auth watch --exec 'echo "$CLOVER_EVENT" >>events.txt'

                One JSON object a line for each event, and for each name of the \
                sign-in, whichever process caused it: new, refreshed, deleted (a name that stands for another \
                sign-in now is deleted too), invalidated (the service refused to \
                renew it: a new sign-in is needed). Runs until it is stopped. \
                --exec runs a shell command for each event, one after the other, \
                with the event as JSON on its standard input and in CLOVER_EVENT, \
                CLOVER_EVENT_PROFILE, CLOVER_EVENT_MERCHANT and \
                CLOVER_EVENT_ENVIRONMENT. While it runs, further events are told, and \
                wait for it. A profile that is not there yet is waited for. No event holds a token. A command that \
                runs when the watch is stopped comes to its own end.
                """
        )

        @Option(
            name: .customLong("exec"), parsing: .unconditional,
            help: ArgumentHelp("Run this shell command for each event.", valueName: "command"))
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
            // A command may take its time. The events go on being told meanwhile, and wait for it here.
            let (waiting, queue) = AsyncStream.makeStream(
                of: Told.self, bufferingPolicy: .bufferingOldest(Self.longestQueue))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await told in waiting {
                        // What a stopped watch has not begun is not run.
                        try Task.checkCancellation()
                        try await Self.run(command, for: told, in: environment)
                    }
                }
                group.addTask {
                    defer { queue.finish() }
                    try await report(in: environment) { told in
                        guard case .dropped = queue.yield(told) else { return }
                        environment.diagnostics.notice(
                            "\(Self.longestQueue) events wait for the command; it is not run for one more")
                    }
                }
                // The first failure ends the other as well.
                for try await _ in group {}
            }
            return 0
        }

        /// An event, its name, and its line of JSON.
        private struct Told: Sendable {
            let event: TokenEventStream.Event
            let word: String
            let line: String
        }

        /// How many events wait for the command at most.
        private static let longestQueue = 10_000

        /// Prints each event, and hands it on then.
        private func report(in environment: CommandEnvironment, _ onTold: @Sendable (Told) -> Void) async throws {
            try await TokenEventStream(choice: connection.choice).run(in: environment) { event in
                guard let word = Self.word(event, in: environment) else { return }
                let told = Told(event: event, word: word, line: Self.json(event, word).text + "\n")
                try await StandardOutput.print(told.line, in: environment)
                onTold(told)
            }
        }

        /// The event's name; nil for a credential that cannot be read, which is said on standard error.
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
            _ command: String, for told: Told, in environment: CommandEnvironment
        ) async throws {
            let variables = [
                "CLOVER_EVENT": told.word, "CLOVER_EVENT_PROFILE": told.event.profile ?? "",
                "CLOVER_EVENT_MERCHANT": told.event.event.key.merchantID,
                "CLOVER_EVENT_ENVIRONMENT": told.event.event.key.environment,
            ]
            let status = try await environment.runShell(command, variables, Array(told.line.utf8))
            if status != 0 {
                environment.diagnostics.notice("the command for the event ended with status \(status)")
            }
        }
    }
}
