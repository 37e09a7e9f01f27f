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
            let signIn = try await signInOptions(request, in: environment)
            let words = try Self.withAbsolutePaths(exportWords + signIn)
            let time =
                if let at { try ScheduleTime(at: at) } else {
                    try ScheduleTime(everySeconds: LongDuration.seconds(every ?? ""))
                }
            let address = try Self.absolute(request.address ?? "")
            // A database's journal is beside it.
            let directory =
                request.destination is DatabaseDestination.Type
                ? address.dropFirst(ExportDestinations.databaseScheme.count).split(separator: "/").dropLast()
                    .reduce("") { $0 + "/" + $1 } : address
            let program = try ScheduledProgram(
                words: [try Self.ownPath(), "export"] + words, variables: Self.variables(in: environment),
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
            if environment.variables[Self.secret]?.isEmpty == false {
                environment.diagnostics.notice(
                    "\(Self.secret) is not saved; to store the token, run 'clover auth login --with-token'")
            }
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

        /// Options of an export that take a path.
        private static let pathOptions = ["--to", "--from-file"]
        /// Environment variables with a path, which become absolute.
        private static let pathVariables = [
            "CLOVER_CONFIG_DIR", "CLOVER_STATE_DIR", "CLOVER_CA_BUNDLE", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
        ]
        private static let otherVariables = [
            "CLOVER_PROFILE", "CLOVER_ENVIRONMENT", "CLOVER_MERCHANT", "CLOVER_MERCHANT_ID", "CLOVER_APP_ID",
            "CLOVER_ALLOW_NETWORK_STATE",
        ]
        private static let secret = "CLOVER_ACCESS_TOKEN"

        private static func variables(in environment: CommandEnvironment) throws -> [(name: String, value: String)] {
            try (pathVariables + otherVariables).compactMap { name in
                guard let value = environment.variables[name], !value.isEmpty else { return nil }
                return (name, pathVariables.contains(name) ? try absolute(value) : value)
            }
        }

        /// The options that pin the sign-in that an export uses now, so that `clover auth switch` does not redirect it: its
        /// profile, or its merchant and environment. Empty where the user typed them or is not signed in yet.
        private func signInOptions(
            _ request: ExportRequest, in environment: CommandEnvironment
        ) async throws -> [String] {
            let choice = request.connection
            guard !request.hasManyMerchants, choice.profile == nil else { return [] }
            var key = try await choice.staticCredential(in: environment)?.key
            if key == nil {
                key = try await choice.key(in: environment)
                if let key, let name = try await environment.profiles().name(of: key) { return ["--profile=\(name)"] }
            }
            guard let key else { return [] }
            return (choice.merchantID == nil ? ["--merchant=\(key.merchantID)"] : [])
                + (choice.environment == nil ? ["--environment=\(key.environment)"] : [])
        }

        private static func withAbsolutePaths(_ words: [String]) throws -> [String] {
            var result: [String] = []
            var isPath = false
            for word in words {
                if isPath {
                    result.append(try absolute(word))
                    isPath = false
                } else if let option = pathOptions.first(where: { word.hasPrefix($0 + "=") }) {
                    result.append("\(option)=\(try absolute(String(word.dropFirst(option.count + 1))))")
                } else {
                    isPath = pathOptions.contains(word)
                    result.append(word)
                }
            }
            return result
        }

        /// The absolute path, without resolving links.
        private static func absolute(_ path: String) throws -> String {
            let scheme = ExportDestinations.databaseScheme
            if path.hasPrefix(scheme) { return scheme + (try absolute(String(path.dropFirst(scheme.count)))) }
            if path.hasPrefix("/") { return path }
            guard let current = getcwd(nil, 0) else { throw CoreError.programMissing("the current directory") }
            defer { free(current) }
            let rest = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
            return rest.isEmpty ? String(cString: current) : "\(String(cString: current))/\(rest)"
        }

        private static func ownPath() throws -> String {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { throw CoreError.programMissing("clover") }
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
