import ArgumentParser
import CloverAPI
import CloverCore
import CloverFleet
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverRateLimit
import CloverSystem
import Synchronization

struct DoctorCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose problems on this machine, and suggest fixes",
        discussion: """
            Examples:
              clover doctor
              clover doctor --offline --fix
              clover doctor --json | jq -r 'select(.result == "fail").message'

            Prints one line for each finding (ok, warn, fail or skip), and below it how to fix it; with --json, or if \
            standard output is not a terminal, one JSON object each. No token is renewed, and no request waits for the \
            shared request budget. Exits with 0, or with 78 if a check failed.

            Checks: \(list)
            """
    )

    @Flag(name: .long, help: "Do not use the network.")
    var offline = false

    @Flag(
        name: .long,
        help: "Fix what needs no decision: permissions that are too wide, and files that killed processes left.")
    var fix = false

    @Option(
        name: .long,
        help: ArgumentHelp("Check to skip; can be repeated, and takes several with commas.", valueName: "check"),
        completion: .asked)
    var skip: [String] = []

    @OptionGroup(title: "What to print")
    var outputFile: OutputFileOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    private static let list = CheckName.allCases.map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        _ = try skipped()
    }

    /// Runs the checks and prints each finding at once. The checks change nothing except what `--fix` permits: they renew no
    /// token, reserve no request in a rate ledger, and migrate no database. All waits have a short timeout.
    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let (described, faults) = MessageVariables.applyingValid(to: environment)
        let environment = messages.applied(to: described)
        let skipped = try skipped()
        // A slow check is named on the terminal.
        let hasFailed = try await ProgressDisplay.during(in: environment, sharesTerminal: true) { board in
            let current = CurrentCheck()
            board.line("doctor") { $0.words = current.text }
            let limit = await databaseLimit(environment)
            let context = DoctorContext(
                environment: environment.limitingDatabase(atMost: limit), choice: connection.choice, repairs: fix,
                isOffline: offline, settingFaults: faults, network: ServiceProbe(), bluetooth: BluetoothProbe())
            var hasFailed = false
            var reported: Set<String> = []
            for check in CheckName.allCases where !skipped.contains(check) {
                try Task.checkCancellation()
                current.begin(check)
                for found in try await findings(of: check, context) {
                    var finding = found
                    finding.next += SuggestedFix.steps(found, of: check, context)
                    finding = Self.once(finding, of: check, &reported)
                    if finding.grade == .fail { hasFailed = true }
                    try await board.aside { try await print(FindingText(finding, of: check), in: environment) }
                }
            }
            return hasFailed
        }
        return hasFailed ? ExitStatus.configuration.rawValue : 0
    }

    /// Seconds to wait for a database that does not respond: at first, and once it has not.
    private static let databaseLimits = (first: 3.0, later: 0.3)

    /// Seconds for which each check waits for a database that does not respond. It is tried before the checks, each of which
    /// would wait for it.
    private func databaseLimit(_ environment: CommandEnvironment) async -> Double {
        // Unreadable settings are reported by a check, and so is what is wrong with the database.
        guard !offline, let url = try? environment.sharedState() else { return Self.databaseLimits.first }
        do throws(LedgerError) {
            _ = try await DedicatedThread.run { () throws(LedgerError) in
                try FleetMigration(url, openLimit: Self.databaseLimits.first).check()
            }
            return Self.databaseLimits.first
        } catch {
            if case .away = error { return Self.databaseLimits.later }
            return Self.databaseLimits.first
        }
    }

    private func print(_ report: FindingText, in environment: CommandEnvironment) async throws {
        let text =
            environment.terminal.isOutputTerminal && !messages.json
            ? report.text(isColored: environment.screen.isColored, width: environment.terminal.width) : report.json
        try await StandardOutput.print(environment.diagnostics.mask.masked(text), in: environment)
    }

    private func findings(of check: CheckName, _ context: DoctorContext) async throws -> [Finding] {
        // Checking the CA file needs no network.
        if offline, check == .tls {
            do {
                if let error = try await TLSCheck.unreadableFile(context) { return .fail(error) }
            } catch  where !(error is CancellationError) {
                // An error in the choice is reported by another check.
            }
        }
        if offline, check.needsNetwork { return .skip("\(check.rawValue) not checked: --offline") }
        do {
            return try await check.check.run(context)
        } catch  where !(error is CancellationError) {
            return .fail(error)
        }
    }

    /// Reports an error that affects several checks only with the first of them.
    private static func once(_ finding: Finding, of check: CheckName, _ reported: inout Set<String>) -> Finding {
        guard case .error(let error) = finding.message, !reported.insert(String(describing: error)).inserted else {
            return finding
        }
        return Finding(grade: .skip, message: .text("cannot check \(check.rawValue): see above"))
    }

    private func skipped() throws -> Set<CheckName> {
        var names: Set<CheckName> = []
        for word in skip.flatMap({ $0.split(separator: ",") }) {
            guard let name = CheckName(rawValue: String(word)) else {
                let near = NearestNames.of(String(word), among: CheckName.allCases.map(\.rawValue))
                let meant = near.isEmpty ? "but: \(Self.list)" : "did you mean \(near.joined(separator: ", "))?"
                throw ValidationError("there is no check '\(word)'; \(meant)".replacing("; but", with: ", but"))
            }
            names.insert(name)
        }
        return names
    }
}

/// One check of `doctor`.
protocol DoctorCheck: Sendable {
    /// Returns at least one finding. A thrown error counts as a failure.
    func run(_ context: DoctorContext) async throws -> [Finding]
}

/// The check that is running.
private final class CurrentCheck: Sendable {
    private let name = Mutex<CheckName?>(nil)

    func begin(_ name: CheckName) { self.name.withLock { $0 = name } }

    /// A progress text such as `checking network`.
    var text: String? { name.withLock { $0 }.map { "checking \($0.rawValue)" } }
}

/// The checks of `doctor`, in the order of its report. The raw values are the names in `--json` and `--skip`.
enum CheckName: String, Sendable, CaseIterable {
    case configuration
    case state
    case permissions
    case leftovers
    case ledger
    case database
    case credentials
    case network
    case proxy
    case tls
    case service
    case clock
    case token
    case jq
    case curl
    case bus
    case bluetooth
    case adapters
    case driver
    case keyring
    case completions

    /// Whether the check sends a request to the service.
    var needsNetwork: Bool {
        switch self {
        case .network, .proxy, .tls, .service, .clock, .token: true
        default: false
        }
    }

    /// The check itself.
    var check: any DoctorCheck {
        switch self {
        case .configuration: ConfigurationCheck()
        case .state: StateCheck()
        case .permissions: PermissionCheck()
        case .leftovers: LeftoverCheck()
        case .ledger: LedgerCheck()
        case .database: DatabaseCheck()
        case .credentials: CredentialCheck()
        case .network: NetworkCheck()
        case .proxy: ProxyCheck()
        case .tls: TLSCheck()
        case .service: ServiceCheck()
        case .clock: ClockCheck()
        case .token: TokenPermissionCheck()
        case .jq: JQCheck()
        case .curl: CurlCheck()
        case .bus: BusCheck()
        case .bluetooth: BluetoothCheck()
        case .adapters: AdapterCheck()
        case .driver: DriverStartCheck()
        case .keyring: KeyringCheck()
        case .completions: CompletionCheck()
        }
    }
}

/// The input of the checks, and results that they share.
struct DoctorContext: Sendable {
    let environment: CommandEnvironment
    let choice: ConnectionChoice
    /// Whether to fix problems that have only one safe fix.
    let repairs: Bool
    /// Whether nothing may be sent over a network.
    let isOffline: Bool
    /// Errors in variables that are not configuration keys.
    let settingFaults: [(variable: String, error: any Error & Sendable)]
    let network: ServiceProbe
    let bluetooth: BluetoothProbe

    /// The state directory, which may not exist and is not created.
    func state() throws(StorageError) -> StateDirectory {
        try StateDirectory(environment: environment.variables)
    }

    /// Whether there is a usable state directory.
    func hasState() throws(StorageError) -> Bool {
        if try state().existing() != nil { return true }
        return false
    }

    /// Whether there may be sign-ins: in a usable state directory, or in a database.
    func hasSignIns() throws -> Bool {
        if try environment.sharedState() != nil { return true }
        return try hasState()
    }

    /// The path with `~` in place of the home directory.
    func shortened(_ path: String) -> String {
        guard let home = environment.variables.nonEmpty("HOME"), path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }

    /// A duration in whole units, such as `90 s`, `45 min`, `23 h` or `12 days`.
    static func span(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
