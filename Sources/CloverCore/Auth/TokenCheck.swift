package import CloverAPI
import CloverAuth
package import CloverHTTP
import Synchronization

/// `auth status --check`: finds out what the service accepts the token for. The service responds to a bad token and to a
/// missing permission with the same status, so several resource families are tried: if one succeeds, the token itself is
/// good (Clover: 401 unauthorized).
package enum TokenCheck {
    package struct Result: Sendable, Equatable {
        package var verdict: Verdict
        /// Permissions that the token has, and those that it lacks.
        package var allowed: [String]
        package var refused: [String]
    }

    package enum Verdict: Sendable, Equatable {
        /// At least one request succeeded, so the token is good.
        case accepted
        /// All requests were refused, although the service has just issued the token: permissions are missing.
        case withoutPermissions
        /// All requests were refused, and the service does not renew the tokens, either.
        case notAccepted
        /// All requests were refused. The token may be bad or may lack permissions; nothing distinguishes the two.
        case unclear
    }

    package static func run(
        _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> Result {
        let connection = try await Connection.resolve(choice, in: environment)
        do {
            return try await ProgressDisplay.during(in: environment) { board in
                let counts = RequestCounts()
                board.line("auth status --check") { facts in
                    let (total, currentToken) = counts.read()
                    facts.requests = total
                    facts.words = "\(currentToken) of \(requestCount) permissions checked"
                }
                return try await judge(connection, in: environment) { token in
                    counts.begin()
                    let client = try connection.makeClient(retries: 2, tokens: FixedToken(token), in: environment)
                    return try await ask(client, merchantID: connection.merchantID) { counts.add() }
                }
            }
        } catch CoreError.tokens(.refused, _), CoreError.tokens(.lost, _), CoreError.tokens(.noRefreshToken, _) {
            // The access token was not accepted or has expired, and cannot be replaced.
            return Result(verdict: .notAccepted, allowed: [], refused: [])
        }
    }

    /// Completed requests: in total, and with the current token. Nothing is inlined: Swift 6.3 can keep the address of a
    /// thread's own data, such as a lock's owner, across a suspension.
    private final class RequestCounts: Sendable {
        private let state = Mutex((total: 0, currentToken: 0))

        @inline(never) func read() -> (total: Int, currentToken: Int) { state.withLock { $0 } }

        @inline(never) func begin() { state.withLock { $0.currentToken = 0 } }

        @inline(never)
        func add() {
            state.withLock {
                $0.total += 1
                $0.currentToken += 1
            }
        }
    }

    /// Checks the token as it is; any success proves that it is good. If all requests are refused, renews the token once. If
    /// the new token is refused as well, the token is not the cause, which is recorded for it.
    private static func judge(
        _ connection: Connection, in environment: CommandEnvironment, _ ask: (Secret) async throws -> Result
    ) async throws -> Result {
        let before = try await renewable(connection, in: environment)
        let token = try await connection.tokens.token()
        let first = try await ask(token)
        guard first.verdict == .unclear, let before else { return first }
        if token != before.accessToken {
            await connection.tokens.noteRefusal(ofReplacement: token)
            return withoutPermissions
        }
        let other: Secret?
        do {
            other = try await connection.tokens.replacement(for: token, isGood: { false })
        } catch {
            await connection.tokens.noteFailure(error, toReplace: token, lacksAllPermissions: { true })
            throw error
        }
        guard let other else {
            return try await isKnownAsNew(token, of: connection, in: environment) ? withoutPermissions : first
        }
        let second = try await ask(other)
        guard second.verdict == .unclear else { return second }
        await connection.tokens.noteRefusal(ofReplacement: other)
        return withoutPermissions
    }

    /// The stored credential, if it has a refresh token.
    private static func renewable(
        _ connection: Connection, in environment: CommandEnvironment
    ) async throws -> Credential? {
        guard connection.source != .environment,
            let credential = try await environment.credential(connection.key)
        else { return nil }
        return credential.kind == .oauth && credential.refreshToken != nil ? credential : nil
    }

    /// Whether an earlier run recorded that the service refused all requests with this token just after issuing it.
    package static func isKnownAsNew(
        _ token: Secret, of connection: Connection, in environment: CommandEnvironment
    ) async throws -> Bool {
        guard let kept = try await renewable(connection, in: environment), kept.accessToken == token else {
            return false
        }
        return try await environment.credentialStore().journal(of: kept)?.state == .futile
    }

    private static let withoutPermissions = Result(
        verdict: .withoutPermissions, allowed: [], refused: PermissionProbe.all.map(\.permission))

    /// Maximum number of requests that `ask` sends.
    package static let requestCount = PermissionProbe.all.count

    /// Tries all permissions with the client's token. The verdict is `.accepted` or `.unclear`.
    ///
    /// - Parameter onAnswer: called after each response.
    package static func ask(
        _ client: ServiceClient, merchantID: String, onAnswer: () -> Void = {}
    ) async throws -> Result {
        var result = Result(verdict: .unclear, allowed: [], refused: [])
        for probe in PermissionProbe.all {
            let url = client.url(path: probe.path(merchantID), query: probe.query)
            if try await client.isAllowed(url) {
                result.verdict = .accepted
                result.allowed.append(probe.permission)
            } else {
                result.refused.append(probe.permission)
            }
            onAnswer()
        }
        // If all requests are refused, it is not yet known what the token lacks.
        if result.verdict == .unclear { result.refused = [] }
        return result
    }
}
