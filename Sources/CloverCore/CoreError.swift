/// What can go wrong in a command besides its parts' own errors.
package enum CoreError: Error, Sendable, Equatable {
    /// No credential for what was asked; nil leaves that part open.
    case notSignedIn(merchantID: String?, environment: String?)
    /// More than one credential fits; each is described as `MERCHANT (environment)`.
    case severalCredentials([String])
    /// `CLOVER_ACCESS_TOKEN` is set, but no merchant is.
    case staticTokenWithoutMerchant
    /// Signing in needs a merchant.
    case merchantMissing
    /// Standard input held no token, or something that cannot be one.
    case noTokenOnInput
    case malformedToken
    /// Some records failed in the filter; each was named on standard error. `isArray`: with `--slurp` they are one.
    case recordsFailed(Int, isArray: Bool)
    /// Everything was asked for, but the service answers for the last `days` days only and does not say what is
    /// missing; `records` were delivered.
    case historyLimited(path: String, days: Int, records: Int)
    /// Some records have a nested list of exactly 100 entries, which is where Clover cuts them; `examples` are ids.
    case nestedListsCut(path: String, records: Int, examples: [String])
    /// `--max-time` ran out; `records` were read until then.
    case timeRanOut(seconds: Double, records: Int)
    case malformedDuration(String)
    /// A file that the user named cannot be read.
    case unreadableFile(path: String, errno: Int32)
    /// A program that the user asked for is not installed.
    case programMissing(String)
}
