import CloverAPI
import CloverAuth
import CloverConfiguration

/// Where a request would go that is only shown: known also without a token, and without a network.
struct WriteTarget {
    let service: ServiceEnvironment
    /// `{mId}` when nobody is signed in and none was named.
    let merchantID: String

    static func resolve(_ choice: ConnectionChoice, in environment: CommandEnvironment) async throws -> WriteTarget {
        let completed = try await choice.completed(in: environment)
        // A token without its merchant is nothing to complain of here.
        let settings = try await environment.settings(for: choice)
        let merchantID = try completed.merchantID ?? settings.value(of: .merchant)?.text
        let isNamed = choice.profile == nil && merchantID != nil
        if isNamed, let credential = try await choice.staticCredential(in: environment) {
            return WriteTarget(
                service: try ServiceEnvironment(parsing: credential.key.environment),
                merchantID: credential.key.merchantID)
        }
        if let key = try await choice.key(in: environment) {
            return WriteTarget(
                service: try ServiceEnvironment(parsing: key.environment), merchantID: key.merchantID)
        }
        let name = try settings.value(of: .environment)?.text
        let service = try completed.service() ?? name.map { try ServiceEnvironment(parsing: $0) } ?? .us
        return WriteTarget(service: service, merchantID: merchantID ?? "{mId}")
    }
}
