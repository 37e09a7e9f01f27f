/// One of the budgets that a request is taken from: whose it is, and what it allows.
package struct RateBudget: Equatable, Sendable {
    package let scope: LedgerScope
    package let limits: RateLimits

    /// A budget kept under the scope's name.
    package init(_ scope: LedgerScope, limits: RateLimits) {
        self.scope = scope
        self.limits = limits
    }
}
