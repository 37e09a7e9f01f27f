import CloverAuth
import CloverCore
import CloverExport
import CloverOutput
import CloverPayments
import CloverSystem

/// What `clover` without arguments says on a terminal: five lines at most with the state of this machine and what to do
/// next. Sends no request, and creates no file.
struct NextSteps {
    private struct Step {
        let command: String
        let reason: String
    }

    let environment: CommandEnvironment

    /// Maximum number of lines.
    private static let limit = 5
    /// Seconds after which an export counts as old.
    private static let oldAge = 86_400.0

    func text() async -> String {
        let (standing, merchant) = await signIn()
        let isSignedIn = merchant != nil
        let (urgent, exports) = await urgent(of: merchant)
        var steps = urgent + (isSignedIn ? Self.signedIn : Self.signedOut)
        if exports { steps.removeAll { $0.command == Self.firstExport } }
        let shown = steps.prefix(Self.limit - 2) + [Step(command: "clover help", reason: "all commands, with examples")]
        let width = shown.map { DisplayWidth.of($0.command) }.max() ?? 0
        let lines =
            [standing] + shown.map { "  " + AlignedRows.padded($0.command, width) + "  " + $0.reason }
        let page = lines.map { Diagnostics.printable($0) + "\n" }.joined()
        return environment.terminal.outputSize.map { NarrowPage.text(page, width: $0.columns) } ?? page
    }

    private static let signedOut = [
        Step(command: "clover emulator demo", reason: "try everything offline, without an account"),
        Step(command: "clover auth login --app-id APP", reason: "sign in to a merchant"),
    ]

    private static let firstExport = "clover export orders --to ~/exports"

    private static let signedIn = [
        Step(command: "clover get orders --limit 5", reason: "the newest orders"),
        Step(command: "clover report sales --period today", reason: "what the shop sold today"),
        Step(command: firstExport, reason: "only what changed since the last run"),
    ]

    /// The sign-in in one line. One that cannot be read does not prevent the page; `auth status` has the whole error.
    ///
    /// - Returns: the line, and the merchant's ID; nil if there is none.
    private func signIn() async -> (text: String, merchant: String?) {
        do {
            let status = try await SignInStatus.current(ConnectionChoice(), in: environment)
            guard status.isLoggedIn, let key = status.key else {
                return ("You are not signed in to a merchant.", nil)
            }
            return ("You are signed in to merchant \(key.merchantID) (\(key.environment)).", key.merchantID)
        } catch {
            return ("Cannot determine whether you are signed in: see 'clover auth status'.", nil)
        }
    }

    /// What must not wait: money whose state is unknown, and exports that stopped. State that cannot be read is left to
    /// the doctor.
    ///
    /// - Returns: the steps, and whether anything is exported.
    private func urgent(of merchant: String?) async -> ([Step], exports: Bool) {
        do {
            let state = try StateDirectory(environment: environment.variables)
            guard try state.existing() != nil else { return (try await charges(), false) }
            let all = try await ExportStatus.read(
                in: state, at: nil, forgetsMissing: false, now: environment.clock.wall())
            return (try await charges() + exports(all, merchant), !all.isEmpty)
        } catch {
            return ([Step(command: "clover doctor", reason: "the state of this machine cannot be read")], false)
        }
    }

    private func charges() async throws -> [Step] {
        let count = try await environment.existingJournal()?.unsettled().count ?? 0
        guard count > 0 else { return [] }
        let noun = count == 1 ? "charge" : "charges"
        return [Step(command: "clover charge recover --all", reason: "\(count) \(noun) of unknown outcome")]
    }

    /// - Parameter merchant: the merchant in use; exports of others are named with theirs.
    private func exports(_ all: [ExportStatus], _ merchant: String?) -> [Step] {
        func name(_ entry: ExportStatus) -> String {
            let stream = entry.stream
            return stream.merchant == merchant ? stream.resource : "\(stream.resource) of \(stream.merchant)"
        }
        let now = environment.clock.wall()
        var steps: [Step] = []
        if let lacking = all.first(where: { $0.missingFiles > 0 }) {
            let count = all.filter { $0.destination == lacking.destination }.reduce(0) { $0 + $1.missingFiles }
            steps.append(
                Step(
                    command: "clover export verify \(ShellWord.quoted(lacking.destination))",
                    reason: count == 1 ? "1 exported file is missing" : "\(count) exported files are missing"))
        }
        if let failed = all.first(where: { $0.stream.failures > 0 && !$0.isRunning }) {
            return steps + [
                Step(
                    command: "clover export status",
                    reason: "\(name(failed)): the last run failed")
            ]
        }
        let old =
            all
            .filter { $0.isOlder(than: Self.oldAge) && !$0.isRunning }
        guard let oldest = old.min(by: { ($0.stream.succeededAt ?? 0) < ($1.stream.succeededAt ?? 0) }) else {
            return steps
        }
        let place = " --to \(ShellWord.quoted(oldest.destination))"
        guard let last = oldest.stream.succeededAt else {
            let resumes = oldest.stream.merchant == merchant && oldest.destination != "-"
            return steps + [
                Step(
                    command: resumes ? "clover export \(oldest.stream.resource)\(place)" : "clover export status",
                    reason: "\(name(oldest)) to \(oldest.destination): never exported")
            ]
        }
        let isOnly = Set(all.map(\.destination)).count == 1
        return steps + [
            Step(
                command: "clover export status" + (isOnly ? "" : place),
                reason: "\(name(oldest)): last exported \((Double(now - last) / 1000).durationText) ago")
        ]
    }
}
