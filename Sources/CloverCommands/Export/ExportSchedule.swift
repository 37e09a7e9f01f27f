import ArgumentParser
import CloverCore
import CloverExport

extension Export {
    /// `clover export schedule`.
    struct Schedule: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "schedule",
            abstract: "Print a line for crontab, or systemd units, that run an export again and again",
            discussion: """
                Examples:
                  clover export schedule --every 15m -- orders payments --to ~/exports
                  (crontab -l; clover export schedule --at 02:30 -- orders --to ~/exports) \\
                    | crontab -
                  clover export schedule --every 15m --print service -- orders --to /srv/out \\
                    | sudo tee /etc/systemd/system/clover-export.service

                What is behind -- are the resources and options of the export. They \
                are looked at now, so that mistakes do not wait for the first run. \
                Nothing is sent and nothing is installed.

                Paths are made absolute, and variables that say where the \
                configuration and the state are, or who is signed in, are written \
                down with their present values. An access token is not. The sign-in \
                that is in use now is written down, as --profile or --merchant, so \
                that 'clover auth switch' does not redirect the export; without a \
                sign-in, none is.

                The service writes in the destination and in the state directory \
                and nowhere else, and runs as the user who asks now. 'systemd-analyze \
                security FILE --offline=true' judges it. Beside it belongs what \
                --print timer prints, as clover-export.timer; then 'sudo systemctl \
                enable --now clover-export.timer' starts it.
                """
        )

        @Option(
            name: .long,
            help: ArgumentHelp(
                """
                Run it every so long: 1m, 15m, 6h, 1d, 7d. A systemd timer takes any number of minutes up to a week, \
                cron what hours and days are divided by.
                """, valueName: "duration"))
        var every: String?

        @Option(name: .long, help: ArgumentHelp("Run it every day at this time: 02:30.", valueName: "time"))
        var at: String?

        @Option(
            name: .customLong("print"),
            help: ArgumentHelp(
                "What to print: a line for crontab, both systemd units, or one of them.",
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
            guard (every == nil) != (at == nil) else { throw ValidationError("say --every DURATION or --at TIME") }
            let run: Export.Run
            do {
                run = try Export.Run.parse(exportWords)
            } catch {
                throw ValidationError("in the export: \(Export.Run.message(for: error))")
            }
            guard run.destination.directory != nil else {
                throw ValidationError("an export that runs by itself needs --to DIRECTORY")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let export = try Export.Run.parse(exportWords)
            let request = try await export.request(in: environment)
            try await ExportCheck.run(request, in: environment)
            let signIn = try await ExportScheduling.signInOptions(request, in: environment)
            let time =
                if let at { try ScheduleTime(at: at) } else {
                    try ScheduleTime(everySeconds: LongDuration.seconds(every ?? ""))
                }
            let schedule = try ExportScheduling(
                words: exportWords + signIn, resources: export.resources, directory: export.destination.directory ?? "",
                in: environment)
            let units = SystemdUnits(schedule.program, at: time)
            let text =
                switch form {
                case .cron: try CronLine.text(schedule.program, at: time)
                case .systemd:
                    "# clover-export.service\n\(units.service)\n# clover-export.timer\n\(units.timer)"
                case .service: units.service
                case .timer: units.timer
                }
            try await StandardOutput.print(text, in: environment)
            for note in form == .cron ? schedule.notes : schedule.notes + schedule.notesOfUnits {
                environment.diagnostics.notice(note)
            }
            return 0
        }

        /// The parser leaves the terminator in, and whoever copies a command has its beginning, too.
        private var exportWords: [String] {
            var rest = words[...]
            for word in ["--", "clover", "export", "run"] where rest.first == word { rest = rest.dropFirst() }
            return ArgumentPairs.joined(Array(rest))
        }
    }
}
