import CloverAPI
import CloverAuth
import CloverConfiguration
import CloverCore
import CloverFleet
import CloverHTTP
import CloverRateLimit
import CloverSystem

/// Checks that all sign-ins can be read, and that the current one is good. Renews no token.
struct CredentialCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        let environment = context.environment
        let isStatic = try await context.choice.staticCredential(in: environment) != nil
        guard try context.hasSignIns() || isStatic else { return try await Self.notSignedIn(environment) }
        if try environment.sharedState() != nil, context.isOffline {
            return .skip("sign-ins in the database not checked: --offline")
        }
        var findings: [Finding] = []
        if try context.hasSignIns() {
            do {
                findings = try await unreadable(environment)
                if let url = try environment.sharedState() {
                    findings += try await kept(context)
                    let place = try await keyPlace(url, besides: findings, environment)
                    findings += place
                }
            } catch CredentialError.databaseAway, CredentialError.databaseUnusable {
                // The database itself is reported by the check of the ledger.
                return isStatic
                    ? try await current(context) : .skip("the sign-ins are in the database, which cannot be used")
            }
        }
        do {
            findings = try await current(context) + findings
        } catch let error as CredentialError where findings.contains(where: { Self.isAbout(error, $0) }) {
            // Already reported above.
        } catch let error as ConfigurationError {
            findings += .fail(error)
        }
        return findings
    }

    /// Findings about new tokens that only this machine has.
    private func kept(_ context: DoctorContext) async throws -> [Finding] {
        let (url, environment) = (try State.database(in: context.environment), context.environment)
        var findings: [Finding] = []
        for kept in try await State.Key.kept(url, in: environment) {
            if let key = kept.key {
                findings += .warn(
                    "the database may not have the new tokens of \(key.words) yet, which are in \(kept.path)",
                    next: [State.Key.renewal(of: key, named: kept.profile)])
            } else if !context.repairs {
                findings += .warn(
                    "\(kept.path) has tokens of a sign-in that has ended, or that was made anew",
                    next: ["clover doctor --fix"])
            }
        }
        guard context.repairs else { return findings }
        let removed = try await State.Key.removeUnneeded(url, in: environment)
        if !removed.isEmpty {
            findings += .ok("no tokens of sign-ins that have ended are left", repairs: removed.map { "removed \($0)" })
        }
        return findings
    }

    /// The finding about the key that encrypts sign-ins in the database: where it is, or why it cannot be read.
    private func keyPlace(
        _ url: String, besides others: [Finding], _ environment: CommandEnvironment
    ) async throws -> [Finding] {
        do throws(CredentialError) {
            guard let key = try await State.Key.current(url, in: environment) else { return [] }
            return .ok(State.Key.words(key))
        } catch {
            guard case .stateKey = error else { throw error }
            return others.contains { Self.isAbout(error, $0) } ? [] : .fail(error)
        }
    }

    /// Findings about sign-ins that cannot be read.
    private func unreadable(_ environment: CommandEnvironment) async throws -> [Finding] {
        let store = try environment.credentialStore()
        var findings: [Finding] = []
        for key in try await store.keys() {
            do throws(CredentialError) {
                _ = try await store.load(key)
            } catch {
                findings += .fail(error)
            }
        }
        return findings
    }

    private func current(_ context: DoctorContext) async throws -> [Finding] {
        let status = try await SignInStatus.current(context.choice, in: context.environment)
        if case .noneChosen(let names) = status.reason {
            return .fail(
                "signed in to several merchants, and none is chosen: " + names.joined(separator: ", "),
                next: ["clover auth switch MERCHANT"])
        }
        guard let key = status.key else { return try await Self.notSignedIn(context.environment) }
        let profile = status.profile.map { "\($0) (\(key.environment), merchant \(key.merchantID))" }
        let who = profile ?? "merchant \(key.merchantID) (\(key.environment))"
        let again = "clover auth login" + (status.profile.map { " --profile \($0)" } ?? " --merchant \(key.merchantID)")
        switch status.reason {
        case .notSignedIn, .noneChosen: return try await Self.notSignedIn(context.environment)
        case .keyringUnusable(let error):
            // The same error as from reading it, so that it is not reported twice.
            let state = try context.environment.stateDirectory().path
            throw CredentialError.keyring(path: state + "/" + key.filePath, error)
        case .goneFromKeyring: throw CredentialError.missingInKeyring(key)
        case .endedByClock:
            return .warn(
                "signed in: \(who), but both tokens have expired by this machine's clock", next: ["clover auth refresh"]
            )
        case .refreshTokenEnded(let until):
            return .warn(
                "signed in: \(who), but the refresh token has expired, so the token cannot be renewed"
                    + (until.map { ", and works until \(InstantText.utc(seconds: $0))" } ?? ""), next: [again])
        case .expired: return .fail("signed in: \(who), but the token has expired", next: [again])
        case .lastToken(_, let until):
            return .warn(
                "signed in: \(who), but the service refused to renew the token"
                    + (until.map { ", which works until \(InstantText.utc(seconds: $0))" } ?? ""), next: [again])
        // Only a request to the service shows these, which is left to another check.
        case .notAccepted, .unclear, .withoutPermissions: break
        case .dead:
            return .fail("the service no longer accepts the token of \(who), and refused to renew it", next: [again])
        case .refused: return .fail("the service refused to renew the token of \(who)", next: [again])
        case .lost:
            return .fail("the response with new tokens for \(who) was lost", next: [again])
        case .unsettled:
            return .warn(
                "a renewal of the token of \(who) is in progress, or was interrupted", next: ["clover auth refresh"])
        case nil: break
        }
        return .ok("signed in: \(who)" + Self.lifetime(status))
    }

    private static func lifetime(_ status: SignInStatus) -> String {
        if status.source == .environment { return ", with CLOVER_ACCESS_TOKEN" }
        var parts: [String] = []
        if status.isRefreshDue {
            parts.append("the token is renewed with the next request")
        } else if let left = status.secondsLeft, left > 0 {
            parts.append("token valid for \(DoctorContext.span(Int(left)))")
        } else if let end = status.accessTokenExpires {
            parts.append("token valid until \(InstantText.utc(seconds: end))")
        } else {
            parts.append("token without expiration")
        }
        if let end = status.refreshTokenExpires {
            parts.append("refresh token valid until \(InstantText.utc(milliseconds: end * 1000).prefix(10))")
        }
        return ", " + parts.joined(separator: ", ")
    }

    private static func notSignedIn(_ environment: CommandEnvironment) async throws -> [Finding] {
        let left = try await environment.signInsInFiles()
        return .fail(
            "not signed in",
            next: (left > 0 ? [State.signInsLeft(left)] : [])
                + ["clover auth login --app-id APP", "or try everything offline: clover emulator demo"])
    }

    private static func isAbout(_ error: CredentialError, _ finding: Finding) -> Bool {
        if case .error(let reported as CredentialError) = finding.message { return reported == error }
        return false
    }
}

/// Checks the desktop's keyring, which is used only if requested at a sign-in.
struct KeyringCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        do throws(SecretVaultError) {
            // There is no such item, but looking it up shows whether the keyring responds and is unlocked.
            _ = try await context.environment.secretVault().lookup(["application": "clover", "kind": "probe"])
            return .ok("the keyring works")
        } catch {
            // A separate check is about a configuration that cannot be read.
            if (try? context.environment.sharedState()) != nil {
                do {
                    // Then the credentials check fails.
                    if try await Self.hasStateKeys(context.environment) { return .warn(error) }
                } catch let unreadable {
                    return .warn(
                        "\(error); whether the keyring has a key of the sign-ins is not known: \(unreadable)",
                        next: ["to see what is wrong with the keys: clover state check"])
                }
                return .ok("the keyring is not needed for tokens, which are in the database: \(error)")
            }
            // If a sign-in is in the keyring, the credentials check fails as well.
            switch error {
            case .absent: return .ok("no keyring: tokens are kept in private files")
            case .noCollection:
                return .ok("the keyring has no default collection: tokens are kept in private files")
            case .locked, .noAnswer, .notKept, .failed: return .warn(error)
            }
        }
    }
}

extension KeyringCheck {
    /// Whether a key of the sign-ins in the database is in the keyring.
    private static func hasStateKeys(_ environment: CommandEnvironment) async throws -> Bool {
        let keys = try environment.stateKeys()
        return try await DedicatedThread.run { () throws(CredentialError) in try keys.hasKeysInKeyring() }
    }
}

/// Checks what the token may read. Does not renew the token, and sends requests only if no process waits for the budget.
struct TokenPermissionCheck: DoctorCheck {
    /// For all requests, in seconds.
    private static let timeout = 8.0

    func run(_ context: DoctorContext) async throws -> [Finding] {
        guard case .success = try await context.network.probe(context).result else {
            return .skip("cannot check the token: no response")
        }
        let environment = context.environment
        let isStatic = try await context.choice.staticCredential(in: environment) != nil
        guard try context.hasSignIns() || isStatic else { return .skip("no token to check") }
        let status = try await SignInStatus.current(context.choice, in: environment)
        guard status.isLoggedIn, !status.isRefreshDue else {
            return .skip(
                status.isRefreshDue
                    ? "the token is due for renewal, which doctor does not do: clover auth refresh"
                    : "no valid token to check")
        }
        let connection = try await Connection.resolve(context.choice, in: environment)
        if try context.hasState() {
            for budget in try await connection.budgets(in: environment)
            where budget.pause != nil || budget.hasWaiters || budget.free < TokenCheck.requestCount {
                if let pause = budget.pause {
                    let span = ServiceEventText.span(pause / .seconds(1))
                    return .skip("token not checked: the service asked for a pause, which ends in \(span)")
                }
                return .skip("token not checked: the rate budget is in use")
            }
        }
        return try await ask(connection, context, isStatic: isStatic)
    }

    private func ask(_ connection: Connection, _ context: DoctorContext, isStatic: Bool) async throws -> [Finding] {
        let environment = context.environment
        let token = try await connection.tokens.token()
        let client = try connection.makeClient(
            retries: 0, tokens: FixedToken(token), stallTimeout: Int(Self.timeout), in: environment)
        let limit = HTTPTransportError.timedOut(
            host: connection.environment.apiBaseURL, detail: "no response within \(Int(Self.timeout)) s")
        let result: TokenCheck.Result
        do {
            result = try await TimeLimit.run(
                seconds: Self.timeout, sleep: environment.sleep, timeRanOut: { limit }
            ) {
                try await TokenCheck.ask(client, merchantID: connection.merchantID)
            }
        } catch let error as HTTPTransportError where error == limit {
            return .skip("cannot check the token: the service took longer than \(Int(Self.timeout)) s")
        }
        guard result.verdict == .accepted else {
            if try await TokenCheck.isKnownAsNew(token, of: connection, in: environment) {
                return .warn(
                    "the token is good, but the app has none of the permissions checked",
                    next: [
                        "list them: clover auth status --check",
                        "set them in Clover's developer dashboard; they take effect after the merchant uninstalls and "
                            + "reinstalls the app",
                    ])
            }
            return .fail(
                "the service \(connection.environment.name) does not accept the token, or it has no permission at all",
                // A sign-in has no effect while the variable is set.
                next: [
                    isStatic
                        ? "set CLOVER_ACCESS_TOKEN to a good token, or unset it: unset CLOVER_ACCESS_TOKEN"
                        : "clover auth status --check, which distinguishes the two where possible",
                    "it may belong to another merchant or environment: clover auth list",
                ])
        }
        let refused = result.refused.isEmpty ? "" : "; not \(result.refused.joined(separator: ", "))"
        return .ok("the token may read \(result.allowed.joined(separator: ", "))\(refused)")
    }
}
