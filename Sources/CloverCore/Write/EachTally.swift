/// What became of the lines of one run so far.
package struct EachTally: Sendable, Equatable {
    /// Carried out; of a run that sends nothing, fit to be sent.
    package private(set) var done = 0
    package private(set) var failed = 0
    /// Of those that were carried out, how many have an answer that is not whole.
    package private(set) var incomplete = 0
    /// The first lines that failed; of a long run not all.
    package private(set) var failedLines: [Int] = []
    /// The first lines whose answer is not whole; of a long run not all.
    package private(set) var incompleteLines: [Int] = []

    private static let mostLines = 20

    mutating func addDone() { done += 1 }

    mutating func addFailure(line: Int) {
        failed += 1
        if failedLines.count < Self.mostLines { failedLines.append(line) }
    }

    /// A line that was carried out, and whose answer is not whole.
    mutating func addIncomplete(line: Int) {
        done += 1
        incomplete += 1
        if incompleteLines.count < Self.mostLines { incompleteLines.append(line) }
    }
}
