import Synchronization

/// `clover doctor`: what is wrong, and the next thing to do.
///
/// It asks and looks, and changes nothing but what `repairs` permits: no token is renewed, no ledger takes a turn, no
/// database is brought up to date. Whatever waits for others has a short limit.
package struct Doctor: Sendable {
    package var connection = ConnectionChoice()
    /// Nothing leaves this machine.
    package var isOffline = false
    /// Mends what can be mended without a choice.
    package var repairs = false
    /// What is not looked at.
    package var skipped: Set<CheckName> = []
    /// What is wrong with variables that are none of the configuration's keys, for whoever asked them.
    package var settingFaults: [(variable: String, error: any Error & Sendable)] = []

    /// The completion script of a shell, as this program prints it; nil where it is not known.
    package var completionScript: @Sendable (_ shell: String) -> String? = { _ in nil }

    package init() {}

    /// Tells of each finding as soon as it is there.
    ///
    /// - Returns: whether any of them is a failure.
    package func run(
        in environment: CommandEnvironment, onFinding: (Finding) async throws -> Void
    ) async throws -> Bool {
        let patient = Patient(
            environment: environment, choice: connection, repairs: repairs, settingFaults: settingFaults,
            completionScript: completionScript, network: ServiceAttempt(isOffline: isOffline),
            bluetooth: BluetoothAttempt())
        // What answers late shows meanwhile what is waited for.
        return try await ProgressBoard.during(in: environment, sharesTerminal: true) { board in
            let current = CurrentCheck()
            board.line("doctor") { $0.words = current.words }
            var hasFailed = false
            var told: Set<String> = []
            for name in CheckName.allCases where !skipped.contains(name) {
                try Task.checkCancellation()
                current.begin(name)
                for found in try await look(name, patient) {
                    let finding = Self.once(found.adding(Remedy.steps(found, patient)), &told)
                    if finding.grade == .fail { hasFailed = true }
                    try await board.aside { try await onFinding(finding) }
                }
            }
            return hasFailed
        }
    }

    private func look(_ name: CheckName, _ patient: Patient) async throws -> [Finding] {
        // That a file is there needs no network.
        if isOffline, name == .tls {
            do {
                if let error = try await TLSCheck.unreadableFile(patient) { return [.fail(name, error)] }
            } catch let error as CancellationError {
                throw error
            } catch {
                // What keeps the choice from being read is told by another check.
            }
        }
        if isOffline, name.needsNetwork { return [.skip(name, "\(name.rawValue) is not looked at: --offline")] }
        do {
            return try await Self.check(name).look(patient)
        } catch let error as CancellationError {
            throw error
        } catch {
            return [.fail(name, error)]
        }
    }

    /// What keeps several checks from looking is told with the first of them.
    private static func once(_ finding: Finding, _ told: inout Set<String>) -> Finding {
        guard case .error(let error, _) = finding.words else { return finding }
        let isNew = told.insert(String(describing: error)).inserted
        return isNew ? finding : .skip(finding.check, "\(finding.check.rawValue) cannot be looked at: see above")
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
        case .driver: DriverCheckup()
        case .keyring: KeyringCheck()
        case .completions: CompletionCheck()
        }
    }
}

/// One of the things that are looked at.
protocol DoctorCheck: Sendable {
    /// At least one finding. What is thrown counts as a failure.
    func look(_ patient: Patient) async throws -> [Finding]
}

/// The check that is being made.
private final class CurrentCheck: Sendable {
    private let name = Mutex<CheckName?>(nil)

    func begin(_ name: CheckName) { self.name.withLock { $0 = name } }

    /// Such as `looking at network`.
    var words: String? { name.withLock { $0 }.map { "looking at \($0.rawValue)" } }
}
