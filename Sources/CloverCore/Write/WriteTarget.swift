import CloverAPI
import CloverAuth

/// Where a request would go that is only shown: known also without a token, and without a network.
struct WriteTarget {
    let service: ServiceEnvironment
    /// `{mId}` when nobody is signed in and none was named.
    let merchantID: String

    static func resolve(_ choice: ConnectionChoice, in environment: CommandEnvironment) async throws -> WriteTarget {
        let completed = choice.completed(by: environment.variables)
        // A token without its merchant is nothing to complain of here.
        let isNamed = choice.profile == nil && completed.merchantID != nil
        if isNamed, let credential = try choice.staticCredential(in: environment) {
            return WriteTarget(
                service: try ServiceEnvironment(parsing: credential.key.environment),
                merchantID: credential.key.merchantID)
        }
        if let key = try await choice.key(in: environment) {
            return WriteTarget(
                service: try ServiceEnvironment(parsing: key.environment), merchantID: key.merchantID)
        }
        return WriteTarget(service: try completed.service() ?? .us, merchantID: completed.merchantID ?? "{mId}")
    }
}
