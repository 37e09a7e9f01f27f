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
        /// Whether any family was answered.
        package var isTokenGood: Bool
        /// Families that may be read, and those that may not.
        package var allowed: [String]
        package var refused: [String]
    }

    /// What is asked, each with the permission's name in Clover's developer dashboard.
    private static let probes = [
        (permission: "MERCHANT_R", path: ""), (permission: "ORDERS_R", path: "/orders"),
        (permission: "PAYMENTS_R", path: "/payments"), (permission: "INVENTORY_R", path: "/items"),
        (permission: "CUSTOMERS_R", path: "/customers"), (permission: "EMPLOYEES_R", path: "/employees"),
    ]

    package func run(in environment: CommandEnvironment) async throws -> Result {
        let connection = try await Connection.resolve(choice, in: environment)
        let client = try connection.makeClient(retries: 2, in: environment)
        do {
            return try await ProgressBoard.during(in: environment) { board in
                let asked = Mutex(0)
                board.line("auth status --check") { facts in
                    facts.requests = asked.withLock(\.self)
                    facts.words = "\(facts.requests) of \(Self.requestCount) permissions asked for"
                }
                return try await Self.ask(client, merchantID: connection.merchantID) { asked.withLock { $0 += 1 } }
            }
        } catch CoreError.tokens(.refused, _), CoreError.tokens(.lost, _), CoreError.tokens(.noRefreshToken, _) {
            // The access token was not accepted or has ended, and there will be no other one.
            return Result(isTokenGood: false, allowed: [], refused: [])
        }
    }

    /// The requests that `ask` sends at most.
    static let requestCount = probes.count

    /// Asks with the client's token.
    /// - Parameter onAnswer: called after each of them.
    static func ask(
        _ client: ServiceClient, merchantID: String, onAnswer: () -> Void = {}
    ) async throws -> Result {
        var result = Result(isTokenGood: false, allowed: [], refused: [])
        for probe in probes {
            let url = client.url(
                path: "/v3/merchants/\(merchantID)\(probe.path)", query: probe.path.isEmpty ? "" : "limit=1")
            if try await client.isAllowed(url) {
                result.isTokenGood = true
                result.allowed.append(probe.permission)
            } else {
                result.refused.append(probe.permission)
            }
            onAnswer()
        }
        // Of a token that is good for nothing it cannot be said what it lacks.
        if !result.isTokenGood { result.refused = [] }
        return result
    }
}
