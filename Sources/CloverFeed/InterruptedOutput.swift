/// What a kill left at the end of a file to which changes were appended: how many of the changes that are not confirmed
/// are there, and what is missing of one that was torn.
package struct InterruptedOutput: Sendable, Equatable {
    /// The number of changes that are there, in order, the torn one included.
    package private(set) var count = 0
    /// The rest of the torn line with its line break; empty if no line is torn.
    package private(set) var rest: [UInt8] = []

    /// - Parameters:
    ///   - tail: what the file has behind the last confirmed change.
    ///   - changes: the changes that are not confirmed.
    package init(_ tail: [UInt8], _ changes: [FeedChange]) {
        var tail = tail[...]
        for change in changes where !tail.isEmpty {
            let line = change.line + [UInt8(ascii: "\n")]
            guard tail.starts(with: line.prefix(tail.count)) else { return }
            count += 1
            rest = Array(line.dropFirst(tail.count))
            tail = tail.dropFirst(line.count)
        }
    }
}
