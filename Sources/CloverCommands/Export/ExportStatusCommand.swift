import ArgumentParser
import CloverCore
import CloverExport
import CloverRecords

extension Export {
    /// `clover export status`.
    struct Status: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show how far each resource is exported, and when",
            discussion: """
                Examples:
                  clover export status
                  clover export status --to ~/exports --fail-if-older-than 2h -q
                  clover export status --prometheus >/var/lib/node_exporter/clover.prom

                The last run is one that came to its end. When the next is due is \
                judged by the last two. Nothing is asked of the service. A directory \
                that is gone is said to be missing, until it is there again or \
                --forget-missing is given. Published files that are missing are counted; \
                the next run names them.

                Exit statuses:
                  0   done
                  66  nothing was exported yet, and no age was asked for
                  79  --fail-if-older-than: something was not exported for so long, or
                      nothing ever was
                """
        )

        @Option(
            name: .customLong("to"), help: ArgumentHelp("Only what goes to this directory.", valueName: "directory"),
            completion: .directory)
        var directory: String?

        @Option(
            name: .customLong("fail-if-older-than"), parsing: .unconditional,
            help: ArgumentHelp(
                "End with 79 when the last run of anything began longer ago, or there was none: 2h, 1d.",
                valueName: "duration"))
        var limit: String?

        @Flag(
            name: .customLong("forget-missing"),
            help: "Forget what was exported to directories that are gone.")
        var forgetsMissing = false

        @Flag(name: .long, help: "Write metrics for a node exporter's file collector.")
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
            // Who only wants to be called when something is late reads no rows.
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

        /// In the largest unit that has two of it.
        private static func duration(_ seconds: Double) -> String {
            let units: [(name: String, seconds: Double)] = [("d", 86_400), ("h", 3600), ("min", 60)]
            let unit = units.first { seconds >= 2 * $0.seconds } ?? ("s", 1)
            return "\(Int(seconds / unit.seconds)) \(unit.name)"
        }
    }
}
