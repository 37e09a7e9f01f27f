/// The time that somebody wanted to wait at most was over before anything was sent.
package struct MaximumTimeRanOut: Error, Sendable, Equatable {
    package let seconds: Double

    package init(seconds: Double) {
        self.seconds = seconds
    }
}
