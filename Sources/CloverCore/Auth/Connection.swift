package import CloverAPI
package import CloverAuth
import CloverConfiguration
import CloverFleet
import CloverHTTP
package import CloverRateLimit

/// The service, merchant and tokens that a command works with.
package struct Connection: Sendable {
    package let environment: ServiceEnvironment
    package let merchantID: String
    package let tokens: any AccessTokenSource
    /// The scope whose rate budget the requests use.
    let scope: LedgerScope
    /// The app whose tokens also share a budget; nil for a merchant's own token.
    package let appID: String?
    package let certificateFile: String?
    /// Further settings of this connection: its limits.
    let settings: ConfigurationLayers
    let key: CredentialKey
    let source: SignInStatus.Source
    /// No environment was named, so the default is used.
    let isEnvironmentAssumed: Bool

    /// Resolves a choice. `CLOVER_ACCESS_TOKEN` with its merchant takes precedence over stored credentials, but not over
    /// `--profile`.
    package static func resolve(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> Connection {
        let completed = try await choice.completed(in: environment)
        let settings = try await environment.settings(for: choice)
        if let credential = try await choice.staticCredential(in: environment) {
            environment.diagnostics.debug(.staticToken)
            return try Connection(
                credential, tokens: FixedToken(credential.accessToken), source: .environment,
                isEnvironmentAssumed: try await choice.leavesServiceOpen(environment), choice: completed,
                settings: settings, in: environment)
        }
        let isTokenSet = environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") != nil
        if isTokenSet {
            environment.diagnostics.detail("ignoring CLOVER_ACCESS_TOKEN: --profile takes precedence")
        }
        guard let key = try await choice.key(in: environment),
            let credential = try await environment.credential(key)
        else { throw isTokenSet ? CoreError.profileNotSignedIn(completed) : CoreError.notSignedIn(completed) }
        let tokens = try CachedTokens(credential, choice: completed, in: environment)
        return try Connection(
            credential, tokens: tokens, source: credential.isInKeyring ? .keyring : .cache, choice: completed,
            settings: settings, in: environment)
    }

    /// A connection with tokens that are not stored yet.
    package static func trying(
        _ credential: Credential, certificateFile: String?, in environment: CommandEnvironment
    ) async throws -> Connection {
        let choice = ConnectionChoice(
            environment: credential.key.environment, merchantID: credential.key.merchantID,
            certificateFile: certificateFile)
        return try Connection(
            credential, tokens: FixedToken(credential.accessToken), source: .cache, choice: choice,
            settings: try await environment.settings(for: choice), in: environment)
    }

    private init(
        _ credential: Credential, tokens: any AccessTokenSource, source: SignInStatus.Source,
        isEnvironmentAssumed: Bool = false, choice: ConnectionChoice, settings: ConfigurationLayers,
        in environment: CommandEnvironment
    ) throws {
        environment.diagnostics.mask.hide(credential.accessToken)
        self.environment = try ServiceEnvironment(parsing: credential.key.environment)
        merchantID = credential.key.merchantID
        self.tokens = tokens
        key = credential.key
        self.source = source
        self.isEnvironmentAssumed = isEnvironmentAssumed
        self.settings = settings
        if let appID = credential.key.appID, credential.kind == .oauth {
            scope = LedgerScope(service: self.environment.apiBaseURL, merchantID: merchantID, appID: appID)
            self.appID = appID
        } else {
            scope = LedgerScope(service: self.environment.apiBaseURL, token: credential.accessToken)
            appID = nil
        }
        certificateFile = choice.certificateFile
    }

    /// The rest of the rate budget that the requests would use.
    package func budget(_ pacing: RateLimitOptions, in environment: CommandEnvironment) async throws -> LedgerBudget {
        try await makeLedger(pacing, in: environment, onNotice: { _ in }).budget()
    }

    /// The rest of each rate budget: the token's, then its app's, if it has one.
    package func budgets(in environment: CommandEnvironment) async throws -> [LedgerBudget] {
        try await makeLedger(RateLimitOptions(), in: environment, onNotice: { _ in }).budgets()
    }

    /// The file names, without extensions, of the rate ledgers that record the requests.
    package var ledgerNames: [String] {
        [scope.fileName] + (appID.map { [LedgerScope(service: environment.apiBaseURL, appID: $0).fileName] } ?? [])
    }

    private func makeLedger(
        _ pacing: RateLimitOptions, in environment: CommandEnvironment,
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) throws -> RateLedger {
        let pacing = try pacing.completed(by: settings)
        let token = RateBudget(scope, limits: pacing.tokenLimits)
        let app = appID.map {
            RateBudget(LedgerScope(service: self.environment.apiBaseURL, appID: $0), limits: pacing.appLimits)
        }
        if let database = try environment.sharedState() {
            return RateLedger(
                fleet: database, token: token, app: app, command: pacing.command, patience: pacing.maximumTime,
                waits: environment.databaseWaits, onNotice: onNotice)
        }
        return try RateLedger(
            directory: environment.stateDirectory(), token: token, app: app, command: pacing.command,
            // With a time limit, the limit ends the wait.
            timeout: pacing.maximumTime == nil ? nil : Int32.max, onNotice: onNotice)
    }

    /// Makes a client that sends with these tokens, within the rate budget that all processes share.
    ///
    /// - Parameters:
    ///   - tokens: tokens to use in place of the connection's own.
    ///   - stallTimeout: response timeout in seconds; nil for the default.
    ///   - pause: receives the pauses that the service imposes.
    ///   - onRefusal: receives responses that refuse a request for good, or that cannot be understood.
    package func makeClient(
        retries: Int, pacing: RateLimitOptions = RateLimitOptions(), tokens: (any AccessTokenSource)? = nil,
        stallTimeout: Int? = nil, pause: RateLimitPause? = nil,
        onRefusal: (@Sendable (ServiceEvent.Refusal) -> Void)? = nil, in environment: CommandEnvironment
    ) throws -> ServiceClient {
        let diagnostics = environment.diagnostics
        let clock = environment.clock
        pause?.watch(environment.databaseWaits)
        let notifier = RateLimitNotifier(diagnostics, clock, from: pacing.shortestAnnouncedPause)
        let ledger =
            try pacing.completed(by: settings).isOff
            ? nil
            : makeLedger(pacing, in: environment) { notice in
                switch notice {
                case .waitingForPause(let seconds, let cause):
                    pause?.begin(seconds, cause, at: clock.boot())
                    notifier.waits(limit: cause, seconds: seconds)
                case .waitingForTurn(_, let holder):
                    pause?.isHeldUp(by: holder.map { Obstacle("\($0) keeps the rate ledger locked") })
                case .slotsKept(let party, let isStopped, _):
                    pause?.isHeldUp(by: Obstacle(LedgerNoticeText.keeper(party, isStopped: isStopped)))
                case .databaseAway(let address, let message):
                    pause?.isHeldUp(
                        by: Obstacle("\(address) cannot be used: \(message)", check: "clover state check"))
                case .databaseBack: pause?.isHeldUp(by: nil)
                case .setAside, .missing, .waitingForSlot, .databaseForgot: break
                }
                if let problem = LedgerNoticeText.problem(notice) {
                    // A run may wait for long, also one that prints nothing while it succeeds.
                    if case .databaseAway = notice { diagnostics.warning(problem) } else { diagnostics.notice(problem) }
                }
                if let detail = LedgerNoticeText.detail(notice) { diagnostics.detail(detail) }
            }
        return ServiceClient(
            environment: self.environment, merchantID: merchantID, tokens: tokens ?? self.tokens,
            transport: environment.transport(
                TransportChoice(certificateFile: certificateFile, stallTimeout: stallTimeout)), ledger: ledger,
            pacingClass: pacing.pacingClass, waitsOutPauses: pacing.waitsOutPauses,
            policy: RetryPolicy(maximumRetries: retries), sleep: environment.sleep,
            wallClock: { clock.wall() / 1000 },
            onEvent: { event in
                if case .paused(let limit, let url, let seconds) = event {
                    pause?.begin(seconds, limit, at: clock.boot())
                    notifier.refused(url, limit: limit, seconds: seconds)
                }
                if case .retry(let reason, let url, let seconds) = event {
                    let text = ServiceEventText.describe(reason)
                    pause?.waits(seconds, text, at: clock.boot())
                    notifier.failed(url, because: text, seconds: seconds)
                }
                if let text = ServiceEventText.describe(event) { diagnostics.detail(text) }
                if case .refused(let refusal) = event {
                    onRefusal?(refusal)
                    if pacing.showsRefusals, onRefusal == nil, !refusal.body.isEmpty {
                        diagnostics.answer(refusal.body, status: refusal.status)
                    }
                }
                if case .admitted(let admittance) = event {
                    pause?.isHeldUp(by: nil)
                    environment.databaseWaits.restart()
                    diagnostics.debug(.pacing(admittance, now: clock.wall()))
                }
            })
    }
}
