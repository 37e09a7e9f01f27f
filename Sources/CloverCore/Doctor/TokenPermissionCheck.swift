import CloverAPI
import CloverAuth
import CloverHTTP
import CloverPacing

/// What the token may read. It is used as it is, and only while nobody else needs the budget.
struct TokenPermissionCheck: DoctorCheck {
    /// For all questions, in seconds.
    private static let patience = 8.0

    func look(_ patient: Patient) async throws -> [Finding] {
        guard case .success = try await patient.network.sight(patient).result else {
            return [.skip(.token, "the token cannot be judged: there was no answer")]
        }
        let environment = patient.environment
        let isStatic = try await patient.choice.staticCredential(in: environment) != nil
        guard try patient.hasState() || isStatic else { return [.skip(.token, "there is no token to judge")] }
        let status = try await SignInStatus.current(patient.choice, in: environment)
        guard status.isLoggedIn, !status.isRefreshDue else {
            return [
                .skip(
                    .token,
                    status.isRefreshDue
                        ? "the token is due to be renewed, which this does not do: clover auth refresh"
                        : "there is no good token to judge")
            ]
        }
        let connection = try await Connection.resolve(patient.choice, in: environment)
        if try patient.hasState() {
            for budget in try await connection.budgets(in: environment)
            where budget.pause != nil || budget.hasWaiters || budget.free < TokenCheck.requestCount {
                if let pause = budget.pause {
                    let span = ServiceEventText.span(pause / .seconds(1))
                    return [
                        .skip(
                            .token, "the token is not judged now: the service asked for a pause, which ends in \(span)")
                    ]
                }
                return [.skip(.token, "the token is not judged now: the budget is in use")]
            }
        }
        return [try await ask(connection, patient, isStatic: isStatic)]
    }

    private func ask(_ connection: Connection, _ patient: Patient, isStatic: Bool) async throws -> Finding {
        let environment = patient.environment
        let token = try await connection.tokens.token()
        let client = try connection.makeClient(
            retries: 0, tokens: FixedToken(token), stallTimeout: Int(Self.patience), in: environment)
        let limit = HTTPTransportError.timedOut(
            host: connection.environment.apiBaseURL, detail: "no answer within \(Int(Self.patience)) s")
        let result: TokenCheck.Result
        do {
            result = try await TimeLimit.run(
                seconds: Self.patience, sleep: environment.sleep, timeRanOut: { limit }
            ) {
                try await TokenCheck.ask(client, merchantID: connection.merchantID)
            }
        } catch let error as HTTPTransportError where error == limit {
            return .skip(.token, "the token cannot be judged: the service took longer than \(Int(Self.patience)) s")
        }
        guard result.verdict == .accepted else {
            if try await TokenCheck.isKnownAsNew(token, of: connection, in: environment) {
                return .warn(
                    .token, "the token is good, but the app has none of the permissions that were asked for",
                    next: [
                        "which these are: clover auth status --check",
                        "set them in Clover's developer dashboard; they count after the merchant has uninstalled and "
                            + "installed the app again",
                    ])
            }
            return .fail(
                .token,
                "the service \(connection.environment.name) does not accept the token, or it has no permission at all",
                // A sign-in would change nothing as long as the variable is set.
                next: [
                    isStatic
                        ? "set CLOVER_ACCESS_TOKEN to a token that is good, or unset it: unset CLOVER_ACCESS_TOKEN"
                        : "clover auth status --check, which tells one from the other where that can be told",
                    "it may belong to another merchant or environment: clover auth list",
                ])
        }
        let refused = result.refused.isEmpty ? "" : "; not \(result.refused.joined(separator: ", "))"
        return .ok(.token, "the token may read \(result.allowed.joined(separator: ", "))\(refused)")
    }
}
