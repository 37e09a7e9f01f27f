/// What became of the lines of one run so far.
package struct EachTally: Sendable, Equatable {
    package private(set) var done = 0
    package private(set) var failed = 0
    /// The first lines that failed; of a long run not all.
    package private(set) var failedLines: [Int] = []
    /// The exit status that every failure so far has; nil when they differ, or there is none.
    package private(set) var commonStatus: Int32?

    private static let mostLines = 20

    mutating func addDone() { done += 1 }

    mutating func addFailure(line: Int, status: Int32) {
        commonStatus = failed == 0 || commonStatus == status ? status : nil
        failed += 1
        if failedLines.count < Self.mostLines { failedLines.append(line) }
    }
}
