/// Whose limits a budget keeps: the service counts each token, and all tokens of an app together (Clover: API usage and
/// rate limits).
package enum BudgetScope: String, Sendable {
    case token
    case app
}
