/// A pager that was started: what is written goes through a pipe into it.
package struct PagerPipe: Sendable {
    /// The end to write to.
    package let descriptor: Int32
    /// Closes the descriptor, and returns when the pager has ended.
    package let finish: @Sendable () async -> Void

    package init(descriptor: Int32, finish: @escaping @Sendable () async -> Void) {
        self.descriptor = descriptor
        self.finish = finish
    }
}
