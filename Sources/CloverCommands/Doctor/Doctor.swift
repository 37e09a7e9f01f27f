import CloverCore
import CloverSystem
import Synchronization

/// `clover doctor`: reports problems on this machine and how to fix them.
///
/// The checks change nothing except what `repairs` permits: they renew no token, reserve no request in a rate ledger, and
/// migrate no database. All waits have a short timeout.
struct Doctor: Sendable {
    var connection = ConnectionChoice()
    /// Send no request.
    var isOffline = false
    /// Fix problems that have only one safe fix.
    var repairs = false
    /// The checks to skip.
    var skipped: Set<CheckName> = []
    /// Errors in variables that are not configuration keys, as found by the caller.
    var settingFaults: [(variable: String, error: any Error & Sendable)] = []

    /// The completion script of a shell, as this program prints it; nil for an unknown shell.
    var completionScript: @Sendable (_ shell: String) -> String? = { _ in nil }

    init() {}

    /// Runs the checks and reports each finding at once.
    ///
    /// - Returns: whether any finding is a failure.
    func run(
        in environment: CommandEnvironment, onFinding: (Finding) async throws -> Void
    ) async throws -> Bool {
        let context = DoctorContext(
            environment: environment, choice: connection, repairs: repairs, settingFaults: settingFaults,
            completionScript: completionScript, network: ServiceProbe(isOffline: isOffline),
            bluetooth: BluetoothProbe())
        // A slow check is named on the terminal.
        return try await ProgressDisplay.during(in: environment, sharesTerminal: true) { board in
            let current = CurrentCheck()
            board.line("doctor") { $0.words = current.text }
            var hasFailed = false
            var reported: Set<String> = []
            for name in CheckName.allCases where !skipped.contains(name) {
                try Task.checkCancellation()
                current.begin(name)
                for found in try await findings(of: name, context) {
                    let finding = Self.once(found.adding(SuggestedFix.steps(found, context)), &reported)
                    if finding.grade == .fail { hasFailed = true }
                    try await board.aside { try await onFinding(finding) }
                }
            }
            return hasFailed
        }
    }

    private func findings(of name: CheckName, _ context: DoctorContext) async throws -> [Finding] {
        // Checking the CA file needs no network.
        if isOffline, name == .tls {
            do {
                if let error = try await TLSCheck.unreadableFile(context) { return [.fail(name, error)] }
            } catch let error as CancellationError {
                throw error
            } catch {
                // An error in the choice is reported by another check.
            }
        }
        if isOffline, name.needsNetwork { return [.skip(name, "\(name.rawValue) not checked: --offline")] }
        do {
            return try await Self.check(name).run(context)
        } catch let error as CancellationError {
            throw error
        } catch {
            return [.fail(name, error)]
        }
    }

    /// Reports an error that affects several checks only with the first of them.
    private static func once(_ finding: Finding, _ reported: inout Set<String>) -> Finding {
        guard case .error(let error, _) = finding.words else { return finding }
        let isNew = reported.insert(String(describing: error)).inserted
        return isNew ? finding : .skip(finding.check, "cannot check \(finding.check.rawValue): see above")
    }

    private static func check(_ name: CheckName) -> any DoctorCheck {
        switch name {
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
}

/// The result of a check.
struct Finding: Sendable {
    enum Grade: String, Sendable {
        case ok
        /// Something works less well than it could.
        case warn
        /// Something does not work.
        case fail
        /// It could not be checked, or was skipped on request.
        case skip
    }

    /// The text of a finding.
    enum Words: Sendable {
        /// One line, and the commands or steps that fix the problem.
        case plain(String, next: [String])
        /// An error, which has its own message and hints, and further steps that fix it.
        case error(any Error & Sendable, next: [String])
    }

    let check: CheckName
    let grade: Grade
    let words: Words
    /// Repairs that were made, one line each.
    let repairs: [String]

    static func ok(_ check: CheckName, _ text: String, next: [String] = [], repairs: [String] = []) -> Finding {
        Finding(check: check, grade: .ok, words: .plain(text, next: next), repairs: repairs)
    }

    static func warn(_ check: CheckName, _ text: String, next: [String] = []) -> Finding {
        Finding(check: check, grade: .warn, words: .plain(text, next: next), repairs: [])
    }

    static func fail(_ check: CheckName, _ text: String, next: [String] = []) -> Finding {
        Finding(check: check, grade: .fail, words: .plain(text, next: next), repairs: [])
    }

    static func fail(_ check: CheckName, _ error: any Error & Sendable) -> Finding {
        Finding(check: check, grade: .fail, words: .error(error, next: []), repairs: [])
    }

    static func warn(_ check: CheckName, _ error: any Error & Sendable) -> Finding {
        Finding(check: check, grade: .warn, words: .error(error, next: []), repairs: [])
    }

    /// The finding with further steps.
    func adding(_ steps: [String]) -> Finding {
        switch words {
        case .plain(let text, let next):
            Finding(check: check, grade: grade, words: .plain(text, next: next + steps), repairs: repairs)
        case .error(let error, let next):
            Finding(check: check, grade: grade, words: .error(error, next: next + steps), repairs: repairs)
        }
    }

    static func skip(_ check: CheckName, _ reason: String) -> Finding {
        Finding(check: check, grade: .skip, words: .plain(reason, next: []), repairs: [])
    }
}

/// The input of the checks, and results that they share.
struct DoctorContext: Sendable {
    let environment: CommandEnvironment
    let choice: ConnectionChoice
    /// Whether to fix problems that have only one safe fix.
    let repairs: Bool
    /// Errors in variables that are not configuration keys.
    let settingFaults: [(variable: String, error: any Error & Sendable)]
    /// The completion script of a shell, as this program prints it.
    let completionScript: @Sendable (_ shell: String) -> String?
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

    /// The path with `~` in place of the home directory.
    func shortened(_ path: String) -> String {
        guard let home = environment.variables.nonEmpty("HOME"), path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
