/// What has happened to codes and tokens since the start, as `GET /emulator/stats` shows it.
package struct OAuthStatistics: Sendable, Equatable {
    /// Refresh tokens exchanged for new pairs.
    package var refreshes = 0
    /// Refresh calls with a well-formed body that got no tokens.
    package var refreshesRefused = 0
    /// Codes given out by the consent page and for legacy tokens.
    package var codesIssued = 0
    /// Codes exchanged for tokens.
    package var codesSpent = 0
    /// Well-formed exchanges of a code that got no tokens.
    package var codesRefused = 0
    /// Access tokens given out, legacy ones included.
    package var tokensIssued = 0
    /// Answers dropped after their work was done.
    package var answersLost = 0

    package init() {}

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.refreshes += right.refreshes
        sum.refreshesRefused += right.refreshesRefused
        sum.codesIssued += right.codesIssued
        sum.codesSpent += right.codesSpent
        sum.codesRefused += right.codesRefused
        sum.tokensIssued += right.tokensIssued
        sum.answersLost += right.answersLost
        return sum
    }
}
