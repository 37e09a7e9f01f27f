import ArgumentParser
import CloverCore
import CloverFleet
import CloverJSON
import CloverOutput
import CloverRateLimit
import CloverSystem

struct Fleet: OwnRecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Show the machines that share a database, and what they are doing",
        discussion: """
            Examples:
              clover fleet
              clover fleet --once
              clover fleet --jq 'select(.kind == "export" and .state == "running")'

            With the setting state, several machines share the rate limit, the sign-ins, the journal of charges and the \
            work of exports. Prints one JSON object a line, whose "kind" is machine, process, budget, export or charge; \
            on a terminal, a display that is refreshed every second until you stop it.

            A machine is known by its host name; seenAt is when it last did something in the database. A budget is \
            known by a hash of its token or app: 'clover limits' shows those of a sign-in. An export is one resource of \
            one merchant in the last shared runs of a command: waiting, running, done or failed, with the process that \
            works on it. If that process is killed, another run takes the resource over after ten seconds. A charge, or a \
            refund or other operation of one, is listed while a process works on it, and after a process was killed \
            until it is recovered.

            Nothing is changed, and no request is sent to Clover.
            """
    )

    @Flag(name: .long, help: "On a terminal, print once and end.")
    var once = false

    @OptionGroup(title: "What to print")
    var output: RecordOutputOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let url = try State.database(in: environment)
        let isText = try await output.records(messages, in: environment).isOpen(in: environment)
        if isText, !once {
            try await LiveView.run(in: environment) { try await Self.report(url).lines }
        }
        let report = try await Self.report(url)
        return try await report.list.print(output, messages, in: environment) { _ in
            TextPage(report.lines.map { $0 + "\n" }.joined())
        }
    }

    private static func report(_ url: String) async throws -> FleetReport {
        try await DedicatedThread.run { () throws(LedgerError) in try FleetReport.read(url) }
    }
}

extension FleetReport {
    /// A record for each thing.
    var list: OwnList {
        OwnList(
            lines: json,
            columns: [
                "kind", "host", "processes", "seenAt", "pid", "command", "since", "budget", "granted", "perSecond",
                "inFlight", "waiting", "pausedUntil", "pauseCause", "destination", "environment", "merchant", "profile",
                "resource", "state", "machine", "records", "attempts", "status", "message", "begunAt", "endedAt",
                "charge", "type", "alive",
            ], times: ["seenAt", "since", "pausedUntil", "begunAt", "endedAt"])
    }

    private var json: [String] {
        machines.map { machine in
            Self.line("machine") { line in
                line.add("host", machine.host)
                line.add("processes", Int64(machine.processes))
                line.add("seenAt", instant: machine.seenAt)
            }
        }
            + processes.map { process in
                Self.line("process") { line in
                    line.add("host", process.host)
                    line.add("pid", Int64(process.pid))
                    line.add("command", process.command)
                    line.add("since", instant: process.since)
                }
            }
            + budgets.map { budget in
                Self.line("budget") { line in
                    line.add("budget", budget.name)
                    line.add("granted", budget.granted)
                    line.add("perSecond", budget.perSecond)
                    line.add("inFlight", budget.inFlight)
                    line.add("waiting", budget.waiting)
                    line.add("pausedUntil", instant: budget.pausedUntil)
                    line.add("pauseCause", budget.pauseCause)
                }
            }
            + exports.map { export in Self.line("export") { export.add(to: &$0) } }
            + charges.map { charge in
                Self.line("charge") { line in
                    line.add("charge", charge.id)
                    line.add("type", charge.kind)
                    line.add("merchant", charge.merchant)
                    line.add("state", charge.state)
                    line.add("machine", charge.machine)
                    line.add("alive", charge.isAlive)
                    line.add("seenAt", instant: charge.seenAt)
                }
            }
    }

    private static func line(_ kind: String, _ fill: (inout JSONLine) -> Void) -> String {
        var line = JSONLine()
        line.add("kind", kind)
        fill(&line)
        return line.text
    }

    /// The report for a terminal.
    var lines: [String] {
        var lines: [String] = []
        func section(_ title: String, _ rows: [[String]], _ head: [String]) {
            guard !rows.isEmpty else { return }
            if !lines.isEmpty { lines.append("") }
            lines.append(title)
            let table = AlignedRows.text(head: head, rows.map { $0.map { Diagnostics.printable($0) } })
            lines += table.text.split(separator: "\n").map { "  " + $0 }
        }
        section(
            "Machines", machines.map { [$0.host, "\($0.processes)", ago($0.seenAt)] }, ["HOST", "PROCESSES", "SEEN"])
        section(
            "Processes", processes.map { ["\($0.host):\($0.pid)", $0.command, ago($0.since)] },
            ["PROCESS", "COMMAND", "STARTED"])
        section(
            "Budgets in use",
            budgets.filter { $0.granted + $0.inFlight + $0.waiting > 0 || $0.pausedUntil != nil }.map { budget in
                [
                    String(budget.name.prefix(8)), "\(budget.granted) of \(budget.perSecond)/s", "\(budget.inFlight)",
                    "\(budget.waiting)", budget.pauseCause ?? "",
                ]
            }, ["BUDGET", "REQUESTS", "IN FLIGHT", "WAITING", "PAUSE"])
        section("Exports", exports.map { $0.columns(ago) }, FleetExportUnit.head)
        section(
            "Charges",
            charges.map { charge in
                [
                    charge.id, charge.kind, charge.merchant, charge.state, charge.machine ?? "-",
                    charge.isAlive ? "alive" : "not alive: clover charge recover",
                ]
            }, ["CHARGE", "KIND", "MERCHANT", "STATE", "PROCESS", ""])
        return lines.isEmpty ? ["No machine is connected."] : lines
    }

    private func ago(_ time: Int64?) -> String {
        time.map { max(0, Double(at - $0) / 1000).durationText + " ago" } ?? "-"
    }
}

extension FleetExportUnit {
    static let head = ["EXPORT", "MERCHANT", "STATE", "RECORDS", "PROCESS", "SINCE", "TO"]

    /// A row of the table on a terminal.
    func columns(_ ago: (Int64?) -> String) -> [String] {
        let state = self.state == .failed ? "failed (\(status ?? 1))" : self.state.rawValue
        return [
            resource, profile ?? merchant, state, "\(records)", machine ?? "-", ago(endedAt ?? begunAt), destination,
        ]
    }

    /// Adds the members of its JSON.
    func add(to line: inout JSONLine) {
        line.add("destination", destination)
        line.add("environment", environment)
        line.add("merchant", merchant)
        line.add("profile", profile)
        line.add("resource", resource)
        line.add("state", state.rawValue)
        line.add("machine", machine)
        line.add("records", records)
        line.add("attempts", attempts)
        line.add("status", status)
        line.add("message", message)
        line.add("begunAt", instant: begunAt)
        line.add("endedAt", instant: endedAt)
        line.add("seenAt", instant: aliveAt)
    }
}
