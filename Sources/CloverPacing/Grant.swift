/// The ledger's answer to a request.
package struct Grant: Equatable, Sendable {
    /// When the request may leave; in the past or present means now.
    package let moment: BootInstant
    /// Why it has to wait, when that is a pause and not just the rate: the cause given by whoever paused.
    package let pause: String?

    /// An answer, made by a store.
    package init(moment: BootInstant, pause: String?) {
        self.moment = moment
        self.pause = pause
    }
}
