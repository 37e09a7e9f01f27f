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
        let (standing, isSignedIn) = await signIn()
        var steps = await urgent()
        steps += isSignedIn ? Self.signedIn : Self.signedOut
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

    private static let signedIn = [
        Step(command: "clover get orders --limit 5", reason: "the newest orders"),
        Step(command: "clover report sales --period today", reason: "what the shop sold today"),
        Step(command: "clover export orders --to ~/exports", reason: "only what changed since the last run"),
    ]

    /// The sign-in in one line. One that cannot be read does not prevent the page; `auth status` has the whole error.
    private func signIn() async -> (text: String, isSignedIn: Bool) {
        do {
            let status = try await SignInStatus.current(ConnectionChoice(), in: environment)
            guard status.isLoggedIn, let key = status.key else {
                return ("You are not signed in to a merchant.", false)
            }
            return ("You are signed in to merchant \(key.merchantID) (\(key.environment)).", true)
        } catch {
            return ("Cannot determine whether you are signed in: see 'clover auth status'.", false)
        }
    }

    /// What must not wait: money whose state is unknown, and exports that stopped. State that cannot be read is left to
    /// the doctor.
    private func urgent() async -> [Step] {
        do {
            let state = try StateDirectory(environment: environment.variables)
            guard try state.existing() != nil else { return [] }
            return try await charges(in: state) + exports(in: state)
        } catch {
            return [Step(command: "clover doctor", reason: "the state of this machine cannot be read")]
        }
    }

    private func charges(in state: StateDirectory) async throws -> [Step] {
        let count = try await ChargeJournal.existing(in: state)?.unsettled().count ?? 0
        guard count > 0 else { return [] }
        let noun = count == 1 ? "charge" : "charges"
        return [Step(command: "clover charge recover --all", reason: "\(count) \(noun) of unknown outcome")]
    }

    private func exports(in state: StateDirectory) async throws -> [Step] {
        let now = environment.clock.wall()
        let old = try await ExportStatus.read(in: state, at: nil, forgetsMissing: false, now: now)
            .filter { $0.isOlder(than: Self.oldAge) && !$0.isRunning }
        guard let oldest = old.min(by: { ($0.stream.succeededAt ?? 0) < ($1.stream.succeededAt ?? 0) }) else {
            return []
        }
        let age = oldest.stream.succeededAt.map { "\((Double(now - $0) / 1000).durationText) ago" } ?? "never"
        return [Step(command: "clover export status", reason: "\(oldest.stream.resource): last exported \(age)")]
    }
}
