import CloverAPI
import CloverAuth
import CloverHTTP
import Synchronization

/// `auth status --check`: asks the service what the token is good for. A bad token and a missing permission are the
/// same status there, so several families are asked: one that answers shows that the token itself is good
/// (Clover: 401 unauthorized).
package struct TokenCheck: Sendable {
    package var choice: ConnectionChoice

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// What the service said.
    package struct Result: Sendable, Equatable {
        package var verdict: Verdict
        /// Families that may be read, and those that may not.
        package var allowed: [String]
        package var refused: [String]
    }

    package enum Verdict: Sendable, Equatable {
        /// Some family is answered, so the token is good.
        case accepted
        /// None is, though the service has just given the token in exchange for a refresh token: permissions are missing.
        case withoutPermissions
        /// None is, and the service does not renew the tokens either.
        case notAccepted
        /// None is, and there is nothing that tells a bad token from one without permissions.
        case unclear
    }

    package func run(in environment: CommandEnvironment) async throws -> Result {
        let connection = try await Connection.resolve(choice, in: environment)
        do {
            return try await ProgressBoard.during(in: environment) { board in
                let asked = Mutex(Asked())
                board.line("auth status --check") { facts in
                    let count = asked.withLock { $0 }
                    facts.requests = count.all
                    facts.words = "\(count.now) of \(Self.requestCount) permissions asked for"
                }
                return try await Self.judge(connection, in: environment) { token in
                    asked.withLock { $0.now = 0 }
                    let client = try connection.makeClient(retries: 2, tokens: FixedToken(token), in: environment)
                    return try await Self.ask(client, merchantID: connection.merchantID) {
                        asked.withLock {
                            $0.all += 1
                            $0.now += 1
                        }
                    }
                }
            }
        } catch CoreError.tokens(.refused, _), CoreError.tokens(.lost, _), CoreError.tokens(.noRefreshToken, _) {
            // The access token was not accepted or has ended, and there will be no other one.
            return Result(verdict: .notAccepted, allowed: [], refused: [])
        }
    }

    /// How many questions were answered: all of them, and with the present token.
    private struct Asked {
        var all = 0
        var now = 0
    }

    /// Asks with the token as it is, which shows that it is good when anything is answered. Only one that opens nothing is
    /// renewed, once: when the new one opens nothing either, it is no matter of the token, which is kept in mind for it.
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
            await connection.tokens.noteFailure(error, toReplace: token, opensNothing: { true })
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

    /// The kept credential, when there is something to renew it with.
    private static func renewable(
        _ connection: Connection, in environment: CommandEnvironment
    ) async throws -> Credential? {
        guard connection.origin.source != .environment,
            let credential = try await environment.credential(connection.origin.key)
        else { return nil }
        return credential.kind == .oauth && credential.refreshToken != nil ? credential : nil
    }

    /// Whether an earlier run found that the service had just issued this token, and answered to nothing with it.
    static func isKnownAsNew(
        _ token: Secret, of connection: Connection, in environment: CommandEnvironment
    ) async throws -> Bool {
        guard let kept = try await renewable(connection, in: environment), kept.accessToken == token,
            let refreshToken = kept.refreshToken,
            let journal = try await environment.credentialStore().journal(kept.key)
        else { return false }
        return journal.state == .futile && journal.isAbout(refreshToken)
    }

    private static let withoutPermissions = Result(
        verdict: .withoutPermissions, allowed: [], refused: PermissionProbe.all.map(\.permission))

    /// The requests that `ask` sends at most.
    static let requestCount = PermissionProbe.all.count

    /// Asks with the client's token, which is `.accepted`, or else `.unclear`.
    /// - Parameter onAnswer: called after each of them.
    static func ask(
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
        // Of a token that opens nothing it cannot be said yet what it lacks.
        if result.verdict == .unclear { result.refused = [] }
        return result
    }
}
