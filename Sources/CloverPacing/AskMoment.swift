/// When a request had better ask for a grant.
package struct AskMoment: Equatable, Sendable {
    package let moment: BootInstant
    /// Whether it waits for its own sake, because its limit is lower than others'; see `GrantWindow.askMoment`.
    package let isOwn: Bool

    /// An answer, made by a store.
    package init(moment: BootInstant, isOwn: Bool) {
        self.moment = moment
        self.isOwn = isOwn
    }
}
