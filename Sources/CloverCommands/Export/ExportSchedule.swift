import ArgumentParser
import CloverAuth
import CloverConfiguration
import CloverCore
import CloverExport
import CloverSystem
import Glibc

extension Export {
    /// `clover export schedule`.
    struct Schedule: EnvironmentCommand {
        static let configuration = CommandConfiguration(
            commandName: "schedule",
            abstract: "Print a crontab line or systemd units that run an export regularly",
            discussion: """
                Examples:
                  clover export schedule --every 15m -- orders payments --to ~/exports
                  (crontab -l; clover export schedule --at 02:30 -- orders --to ~/exports) \\
                    | crontab -
                  clover export schedule --every 15m --print service -- orders --to /srv/out \\
                    | sudo tee /etc/systemd/system/clover-export.service

                The words after -- are the resources and options of the export. They are checked now, so that mistakes \
                do not wait for the first run. Nothing is sent, and nothing is installed.

                Paths are made absolute; a symbolic link to the program stays one. The directories of the \
                configuration and the state, and variables for the sign-in, are written with their current values; an \
                access token is not written. The sign-in in use now is written as --profile or --merchant, so that \
                'clover auth switch' does not redirect the export; if you are not signed in, none is written. --quiet \
                and a --max-time are added unless you type your own. On a terminal, everything that is pinned is shown.

                The service can write only to the destination and the state directory, and runs as the current user. \
                To rate its security, run 'systemd-analyze security FILE --offline=true'. Install the output of \
                --print timer beside it as clover-export.timer, then start it with 'sudo systemctl enable --now \
                clover-export.timer'.
                """
        )

        @Option(
            name: .long,
            help: ArgumentHelp(
                """
                Interval of the runs: 1m, 15m, 6h, 1d, 7d. A systemd timer takes any number of minutes up to a week; \
                cron takes what divides an hour or a day.
                """, valueName: "duration"))
        var every: String?

        @Option(name: .long, help: ArgumentHelp("Run every day at this time: 02:30.", valueName: "time"))
        var at: String?

        @Option(
            name: .customLong("print"),
            help: ArgumentHelp(
                "What to print: a crontab line, both systemd units, or one of them.",
                valueName: "what"))
        var form: Form = .cron

        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Resources and options of the export.", valueName: "export"))
        var words: [String] = []

        enum Form: String, CaseIterable, ExpressibleByArgument {
            case cron, systemd, service, timer
        }

        func validate() throws {
            guard (every == nil) != (at == nil) else { throw ValidationError("use --every DURATION or --at TIME") }
            let run: Export.Run
            do {
                try MissingOptionValue.check(["export", "run"] + exportWords)
                run = try Export.Run.parse(exportWords)
            } catch {
                throw ValidationError("in the export: \(Export.Run.message(for: error))")
            }
            guard run.destination.directory != nil else {
                throw ValidationError("a scheduled export needs --to DIRECTORY")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let request = try await Export.Run.parse(exportWords).request(in: environment)
            try await ExportValidator.run(request, in: environment)
            let signIn =
                request.hasManyMerchants
                ? [] : try await UnattendedCommand.signInOptions(request.connection, in: environment)
            let additions = try signIn + runOptions()
            let words = try Self.absolutePaths(in: exportWords + additions)
            let time =
                if let at { try ScheduleTime(at: at) } else {
                    try ScheduleTime(everySeconds: LongDuration.seconds(every ?? ""))
                }
            let path = try UnattendedCommand.ownPath(in: environment)
            let variables = try UnattendedCommand.variables(in: environment)
            let directory = try DestinationAddress(UnattendedCommand.absolute(request.address ?? "")).folder
            let program = try ScheduledProgram(
                words: [path, "export"] + words, variables: variables,
                title: "Export \(request.resources.joined(separator: ", ")) from Clover",
                writesIn: [directory, environment.stateDirectory().path].compactMap(\.self), user: AccountName.current()
            )
            let units = SystemdUnits(program, at: time)
            let text =
                switch form {
                case .cron: try CronLine.text(program, at: time)
                case .systemd:
                    "# clover-export.service\n\(units.service)\n# clover-export.timer\n\(units.timer)"
                case .service: units.service
                case .timer: units.timer
                }
            try await StandardOutput.print(text, in: environment)
            if environment.terminal.isErrorTerminal {
                let pinned = [path] + variables.map { "\($0.name)=\($0.value)" } + additions
                environment.diagnostics.notice("pinned for every run: \(pinned.joined(separator: " "))")
            }
            UnattendedCommand.noteSecret(in: environment)
            if form != .cron, let directory, access(directory, F_OK) != 0 {
                environment.diagnostics.notice(
                    "create the directory before the first run: mkdir -p \(CronLine.shellWord(directory))")
            }
            return 0
        }

        /// The words of the export.
        private var exportWords: [String] { Self.exportWords(words) }

        /// The words of an export with absolute paths, for a run in another directory.
        static func absolutePaths(in words: [String]) throws -> [String] {
            try UnattendedCommand.withAbsolutePaths(words, of: ["--to", "--from-file"])
        }

        /// The words of an export. Drops the terminator, which the parser leaves in, and `clover export run`, which
        /// may have been copied with the rest of a command.
        static func exportWords(_ words: [String]) -> [String] {
            var rest = words[...]
            for word in ["--", "clover", "export", "run"] where rest.first == word { rest = rest.dropFirst() }
            return ArgumentPairs.joined(Array(rest))
        }

        /// Options that a scheduled run needs and that the user did not type: no messages but errors, and an end, so that
        /// a run that hangs does not keep later ones from starting.
        private func runOptions() throws -> [String] {
            let run = try Export.Run.parse(exportWords)
            var options: [String] = []
            if !run.messages.quiet, !run.messages.verbose { options.append("--quiet") }
            if run.limits.maximumTime == nil {
                // A first run may take long; the next one resumes it.
                let seconds = try every.map { try LongDuration.seconds($0) } ?? Self.day
                options.append("--max-time=\(Int(min(max(seconds, Self.hour), Self.day) / Self.hour))h")
            }
            return options
        }

        private static let hour: Double = 3600
        private static let day = 24 * hour
    }
}
