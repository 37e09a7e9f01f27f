package import CloverAPI

/// How a run of exports ends when it is not done and complete, and no single error says it.
package enum ExportEnding: Error, Sendable, Equatable {
    /// `--max-time` ran out; `progress` is what is safe, a line for each resource under way; `notReached` what was not
    /// begun; `obstacle` what was waited for, where that is known.
    case timeRanOut(seconds: Double, progress: [String], notReached: [String], obstacle: String?)
    /// Windows of a resource could not be read; others are published.
    case windowsMissing(WindowsMissing)
    /// Everything is exported, but files that earlier runs published are missing.
    case filesMissing([String], directory: String, wereTried: Bool)
    /// Some failed, each named on standard error, and others are done.
    case someFailed([String], done: Int)
    /// Nothing could be done; each failure was named on standard error. The status is that of the first.
    case allFailed([String], status: Int32)
    /// `export status --fail-if-older-than`: these were not exported for so long, or never.
    case stale([String], limit: String)
    /// There is nothing to look at.
    case nothingExported(directory: String?)

    /// What is missing of a resource, and why.
    package struct WindowsMissing: Sendable, Equatable {
        package var resource: String
        /// What could not be read, the oldest first; what joins is one.
        package var spans: [TimeWindow]
        /// What was not tried after that, in the same way.
        package var untried: [TimeWindow]
        /// Windows of the run, and how many of them are done.
        package var windows: Int
        package var done: Int
        /// The next run goes on with them; to standard output it begins anew.
        package var isGoneOnWith: Bool
        /// Of the first of them, in words, such as `503`.
        package var cause: String
        /// More retries may help.
        package var mayTryLonger: Bool
    }
}
