/// A running pager and the pipe to it.
package struct PagerPipe: Sendable {
    /// The write end of the pipe.
    package let descriptor: Int32
    /// Closes the descriptor, and returns when the pager has exited.
    package let finish: @Sendable () async -> Void

    package init(descriptor: Int32, finish: @escaping @Sendable () async -> Void) {
        self.descriptor = descriptor
        self.finish = finish
    }
}
