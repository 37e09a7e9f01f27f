import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverRateLimit

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
        guard try context.hasState() || isStatic else { return .skip("no token to check") }
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
