/// What a driver program did wrong; see clover-reader-driver(5).
package enum DriverFailure: Error, Sendable, Equatable {
    /// It cannot be started, for this error number (errno(3)).
    case notStarted(errno: Int32)
    /// It ended with this status in the middle of a conversation.
    case ended(status: Int32)
    /// This signal ended it.
    case killed(signal: Int32)
    /// It closed its standard output, and goes on.
    case closedOutput
    /// It said nothing for so many seconds while this was awaited, such as `hello`.
    case silent(awaiting: String, seconds: Double)
    /// It had not answered this request, such as `hello`, when the time for all was over.
    case unready(request: String)
    /// A line without an end, after so many bytes.
    case lineTooLong(limit: Int)
    /// More lines than anybody could take: so many in a second.
    case flood(linesPerSecond: Int)
    /// A line that is not a JSON object; `excerpt` is its beginning.
    case notJSON(excerpt: String)
    /// A message that breaks the protocol; `rule` says which part of it.
    case violation(rule: String)
    /// It speaks other versions than this one.
    case version(theirs: [Int], ours: Int)
    /// It cannot do what was asked.
    case lacks(capability: String)
    /// It answered a request with an error; `code` is one of the protocol's, or its own.
    case refused(request: String, code: String, message: String)
}
