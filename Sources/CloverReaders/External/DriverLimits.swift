/// What is demanded of a driver program; the numbers are those of clover-reader-driver(5).
package struct DriverLimits: Sendable, Equatable {
    /// Seconds until a request is answered, and until something is heard after a silence.
    package var answer: Double
    /// Seconds for each step of its end: the last answer, the end of its own accord, the end by SIGTERM.
    package var ending: Double
    /// Seconds that a charge may go on after it was asked to end: a card may be in the middle of its payment.
    package var cancellation: Double
    /// The longest line in bytes.
    package var line: Int
    /// The most lines in a second.
    package var linesPerSecond: Int

    package init(
        answer: Double = 10, ending: Double = 1, cancellation: Double = 90, line: Int = 64 << 10,
        linesPerSecond: Int = 2000
    ) {
        self.cancellation = cancellation
        self.answer = answer
        self.ending = ending
        self.line = line
        self.linesPerSecond = linesPerSecond
    }

    /// Lines that are held for a reader who is busy; then the driver has to wait.
    static let heldLines = 256
    /// The most lines before the answer to a request, so that a driver that talks past it is not heard for ever.
    static let linesBeforeAnswer = 4000
    /// Of its standard error.
    static let errorLine = 1000
    static let errorLines = 1000
}
