import ArgumentParser
import CloverAuth
import CloverCore
import CloverExport
import CloverSystem
import Glibc

extension Export {
    /// `clover export schedule`.
    struct Schedule: CloverCommand {
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

                Paths are made absolute. Variables for the configuration, the state and the sign-in are written with \
                their current values; an access token is not written. The sign-in in use now is written as --profile \
                or --merchant, so that 'clover auth switch' does not redirect the export; if you are not signed in, \
                none is written.

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
            let words = try UnattendedCommand.withAbsolutePaths(exportWords + signIn, of: ["--to", "--from-file"])
            let time =
                if let at { try ScheduleTime(at: at) } else {
                    try ScheduleTime(everySeconds: LongDuration.seconds(every ?? ""))
                }
            let directory = try UnattendedCommand.absolute(request.address ?? "")
            let program = try ScheduledProgram(
                words: [try UnattendedCommand.ownPath(), "export"] + words,
                variables: UnattendedCommand.variables(in: environment),
                title: "Export \(request.resources.joined(separator: ", ")) from Clover",
                writesIn: [directory, environment.stateDirectory().path], user: AccountName.current())
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
            UnattendedCommand.noteSecret(in: environment)
            if form != .cron, access(directory, F_OK) != 0 {
                environment.diagnostics.notice(
                    "create the directory before the first run: mkdir -p \(CronLine.shellWord(directory))")
            }
            return 0
        }

        /// The words of the export. Drops the terminator, which the parser leaves in, and `clover export run`, which
        /// may have been copied with the rest of a command.
        private var exportWords: [String] {
            var rest = words[...]
            for word in ["--", "clover", "export", "run"] where rest.first == word { rest = rest.dropFirst() }
            return ArgumentPairs.joined(Array(rest))
        }
    }
}
