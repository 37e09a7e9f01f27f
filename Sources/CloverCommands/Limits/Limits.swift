import ArgumentParser
import CloverAuth
import CloverCore
import CloverJSON
import CloverOutput
import CloverRateLimit
import CloverSystem

struct Limits: OwnRecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show the shared request budget, who uses it, and who is waiting",
        discussion: """
            Examples:
              clover limits
              clover limits --watch
              clover limits --jq '.waiting[]'

            Prints one JSON object a line for the token's budget and one for its app's, or text on a terminal. The \
            service is not asked, and no request is taken from the budget. 'granted' counts the requests of the last \
            second. 'perSecond' is the limit of the runs that sent them; 'limitInFlight' is the limit of the runs that \
            have or want a request in flight: the --requests-per-second and --in-flight of other runs count while they \
            run. Runs with a lower limit than others share it; see 'lowerLimits'. 'holding' lists requests in flight. \
            A process that is 'stopped', such as by Ctrl-Z, keeps its requests in flight until it continues.

            A pause that the service asks for is waited out to the second. If the service asks for more than an hour, \
            the command ends with status 75 and says so, and other processes send nothing for an hour.

            The budget is kept in files in the state directory. If a file is missing, the budget counts as used up for \
            a second, so that deleting one slows requests down and never speeds them up. Deleting these files during a \
            run loses track of requests in flight: the next request may run into the service's limit.
            """
    )

    @Flag(name: .long, help: "Refresh the display every second until stopped.")
    var watch = false

    @OptionGroup(title: "What to print")
    var output: RecordOutputOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws {
        guard watch, let format = output.format.format, format != .ndjson else { return }
        throw ValidationError(
            "--watch and --format \(format.rawValue) exclude each other: each second prints new records")
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let choice = connection.choice
        let isText = try await output.records(messages, in: environment).isOpen(in: environment)
        if watch, isText {
            try await LiveView.run(in: environment) {
                try await LimitsReport.look(choice, in: environment).lines(on: environment.screen)
            }
        }
        while true {
            let report = try await LimitsReport.look(choice, in: environment)
            let status = try await report.list.print(output, messages, choice, in: environment) { _ in
                TextPage(report.lines(on: environment.screen).map { $0 + "\n" }.joined())
            }
            guard watch else { return status }
            try await environment.sleep(1)
        }
    }
}

/// The shared budget of a connection at one time, and the processes that use it.
struct LimitsReport: Sendable {
    private let connection: Connection
    /// The token's budget, then its app's if it has one.
    private let budgets: [LedgerBudget]
    /// The same time by both clocks: milliseconds since 1970, and nanoseconds since the machine started.
    private let now: (wall: Int64, boot: BootInstant)

    /// Reads the budgets of a connection without using them.
    static func look(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> LimitsReport {
        let connection = try await Connection.resolve(choice, in: environment)
        return LimitsReport(
            connection: connection, budgets: try await connection.budgets(in: environment),
            now: (environment.clock.wall(), .now))
    }

    private var scopes: [(name: String, owner: String, budget: LedgerBudget)] {
        zip(["token", "app"], budgets).map { name, budget in
            (
                name,
                name == "app" ? "app \(connection.appID ?? "")" : "token of merchant \(connection.merchantID)", budget
            )
        }
    }

    /// A record for each budget.
    var list: OwnList {
        OwnList(
            lines: json,
            columns: [
                "scope", "merchant", "app", "perSecond", "configuredPerSecond", "granted", "inFlight", "limitInFlight",
                "configuredInFlight", "pausedUntil", "pauseCause",
            ], times: ["pausedUntil"], others: ["lowerLimits", "holding", "waiting"])
    }

    /// One line of JSON for each budget.
    private var json: [String] {
        scopes.map { name, _, budget in
            var line = JSONLine()
            line.add("scope", name)
            line.add("merchant", connection.merchantID)
            line.add("app", connection.appID)
            line.add("perSecond", Int64(budget.perSecondInUse ?? budget.limits.requestsPerSecond))
            line.add("configuredPerSecond", Int64(budget.configured.requestsPerSecond))
            line.add("granted", Int64(budget.granted))
            line.add("lowerLimits", json: Self.json(budget.lower))
            line.add("inFlight", Int64(budget.underWay))
            line.add("limitInFlight", Int64(budget.inFlightInUse ?? budget.limits.inFlight))
            line.add("configuredInFlight", Int64(budget.configured.inFlight))
            line.add("holding", json: json(budget.holding))
            line.add("waiting", json: json(budget.waiting))
            line.add("pausedUntil", budget.pause.map { pausedUntil($0) })
            line.add("pauseCause", budget.pauseCause)
            return line.text
        }
    }

    /// The budgets as text: lines without newlines.
    func lines(on screen: TerminalCapabilities) -> [String] {
        let view = LimitsView(isColored: screen.isColored, isUnicode: screen.isUnicode, now: now.boot)
        return scopes.flatMap { _, owner, budget in view.lines(owner, budget) }
    }

    private func json(_ clients: [LedgerClient]) -> String {
        Self.array(clients) { client, line in
            line.add("pid", Int64(client.pid))
            line.add("class", client.priority.name)
            line.add("command", client.command)
            line.add("limitInFlight", client.inFlightLimit.map(Int64.init))
            let age = now.boot.nanoseconds(since: client.since) / 1_000_000
            line.add("stopped", LockHolder.isStopped(client.pid))
            line.add("since", instant: now.wall - age)
        }
    }

    /// The shares of runs with lower limits than the largest.
    private static func json(_ shares: [LedgerBudget.Share]) -> String {
        array(shares) { share, line in
            line.add("perSecond", Int64(share.limit))
            line.add("granted", Int64(share.granted))
        }
    }

    private static func array<Element>(_ elements: [Element], _ add: (Element, inout JSONLine) -> Void) -> String {
        let objects = elements.map { element in
            var line = JSONLine()
            add(element, &line)
            return line.text
        }
        return "[" + objects.joined(separator: ",") + "]"
    }

    /// End of a pause, rounded up, so that a client that relies on it is late rather than early.
    private func pausedUntil(_ pause: Duration) -> String {
        InstantText.utc(milliseconds: now.wall + Int64((pause / .milliseconds(1)).rounded(.up)))
    }
}
