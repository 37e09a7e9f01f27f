/// How a run of exports ends when it is not done and complete, and no single error says it.
package enum ExportEnding: Error, Sendable, Equatable {
    /// `--max-time` ran out; `progress` is what is safe, a line for each resource under way.
    case timeRanOut(seconds: Double, progress: [String])
    /// Some failed, each named on standard error, and others are done.
    case someFailed([String], done: Int)
    /// Nothing could be done; each failure was named on standard error. The status is that of the first.
    case allFailed([String], status: Int32)
    /// `export status --fail-if-older-than`: these were not exported for so long, or never.
    case stale([String], limit: String)
    /// There is nothing to look at.
    case nothingExported(directory: String?)
}
