/// A grant as the ledger remembers it.
package struct GrantEntry: Equatable, Sendable {
    /// When its request may leave, or left.
    package let moment: BootInstant
    /// The limit of requests in a second that its caller was configured with.
    package let limit: Int

    /// A grant that was given.
    package init(moment: BootInstant, limit: Int) {
        self.moment = moment
        self.limit = limit
    }
}
