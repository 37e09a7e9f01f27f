import ArgumentParser
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput

/// `clover export`.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export what changed since the last run to files, resumable and atomic",
        discussion: """
            Examples:
              clover export orders payments --to ~/exports
              clover export orders --to /srv/clover --day yesterday --day-start 04:00
              clover export status --fail-if-older-than 2h

            The first run exports everything; each later run exports what was created or changed since. Files are \
            written atomically: each is either complete or absent, and a file of another window is never overwritten. \
            If a run is killed, the next run resumes it.

            For the options of an export, run 'clover help export run'.
            """,
        subcommands: [Run.self, Status.self, Schedule.self],
        defaultSubcommand: Run.self
    )
}

extension Export {
    /// `clover export status`.
    struct Status: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show how far each resource is exported, and when it last was",
            discussion: """
                Examples:
                  clover export status
                  clover export status --to ~/exports --fail-if-older-than 2h -q
                  clover export status --prometheus >/var/lib/node_exporter/clover.prom

                The last run is the last one that finished. The time of the next is estimated from the last two. The \
                service is not asked. A directory that no longer exists is shown as missing until it is back, or until \
                you run with --forget-missing. Published files that are missing are counted; the next run lists them.

                Exit statuses:
                  0   done
                  66  nothing has been exported yet, and no age was asked for
                  79  --fail-if-older-than: something has not been exported for that long,
                      or nothing ever was
                """
        )

        @Option(
            name: .customLong("to"), help: ArgumentHelp("Show only this directory.", valueName: "directory"),
            completion: .directory)
        var directory: String?

        @Option(
            name: .customLong("fail-if-older-than"), parsing: .unconditional,
            help: ArgumentHelp(
                "Exit with 79 if the last run of anything began longer ago, or there was none: 2h, 1d.",
                valueName: "duration"))
        var limit: String?

        @Flag(
            name: .customLong("forget-missing"),
            help: "Forget exports to directories that no longer exist.")
        var forgetsMissing = false

        @Flag(name: .long, help: "Write metrics for the node exporter's textfile collector.")
        var prometheus = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try OutputPath.check(directory, of: "--to")
            if prometheus, messages.json { throw ValidationError("--prometheus and --json exclude each other") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let seconds = try limit.map { try LongDuration.seconds($0) }
            let status = try await ExportStatus.read(
                directory, forgetsMissing: forgetsMissing, limit: limit, in: environment)
            // With --quiet and a limit, only the exit status matters.
            if limit == nil || !messages.quiet {
                try await print(status, in: environment)
            }
            if let seconds, let limit { try status.check(olderThan: seconds, text: limit) }
            return 0
        }

        private func print(_ status: ExportStatus, in environment: CommandEnvironment) async throws {
            guard !prometheus, environment.terminal.isOutputTerminal, !messages.json else {
                let text = prometheus ? status.prometheus : status.entries.map(\.json).joined()
                return try await StandardOutput.print(text, in: environment)
            }
            let times = try await DisplayedTimes.ofMachine(ConnectionChoice(), in: environment)
            try await StandardOutput.show(Self.table(status.entries, times, in: environment), in: environment)
        }

        private static func table(
            _ entries: [ExportStatus.Entry], _ times: DisplayedTimes, in environment: CommandEnvironment
        ) -> TextPage {
            func local(_ milliseconds: Int64?) -> String {
                milliseconds.map { times.text(milliseconds: $0) } ?? "-"
            }
            let rows = entries.map { entry in
                [
                    entry.stream.resource, entry.stream.merchant, local(entry.stream.succeededAt),
                    "\(entry.stream.lastRecords)", entry.lag.map(duration) ?? "-", local(entry.nextDue),
                    "\(entry.stream.failures)", entry.isRunning ? "yes" : "no",
                    entry.destination + Self.missing(entry),
                ].map { Diagnostics.printable($0) }
            }
            return AlignedRows.text(
                head: [
                    "RESOURCE", "MERCHANT", "LAST RUN", "RECORDS", "LAG", "NEXT DUE", "FAILURES", "RUNNING", "TO",
                ], rows,
                meanings: [
                    "MERCHANT": .identifier, "LAST RUN": .whole, "RECORDS": .amount, "NEXT DUE": .whole,
                    "FAILURES": .amount,
                ], in: environment)
        }

        private static func missing(_ entry: ExportStatus.Entry) -> String {
            if entry.isMissing { return " (missing)" }
            let count = entry.missingFiles
            return count == 0 ? "" : count == 1 ? " (1 file missing)" : " (\(count) files missing)"
        }

        /// The duration in the largest unit of which it has at least two.
        private static func duration(_ seconds: Double) -> String {
            let units: [(name: String, seconds: Double)] = [("d", 86_400), ("h", 3600), ("min", 60)]
            let unit = units.first { seconds >= 2 * $0.seconds } ?? ("s", 1)
            return "\(Int(seconds / unit.seconds)) \(unit.name)"
        }
    }
}
