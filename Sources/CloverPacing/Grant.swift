/// The ledger's answer to a request.
package struct Grant: Equatable, Sendable {
    /// When the request may leave; in the past or present means now.
    package let moment: BootInstant
    /// Why it has to wait, when that is a pause and not just the rate: the cause given by whoever paused.
    package let pause: String?
    /// See `GrantWindow.refusals`: when there are any, the ledger wants to know that the request was answered.
    package let refusals: Int

    /// An answer, made by a store.
    package init(moment: BootInstant, pause: String?, refusals: Int = 0) {
        self.moment = moment
        self.pause = pause
        self.refusals = refusals
    }
}
