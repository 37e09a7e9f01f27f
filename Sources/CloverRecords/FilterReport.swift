/// The results of a filter, available when it has finished.
package struct FilterReport: Sendable, Equatable {
    /// The truth value of the last result, as used by jq's `--exit-status`.
    package enum LastResult: Sendable, Equatable {
        /// There was no result.
        case none
        /// `false` or `null`.
        case falsy
        case truthy
    }

    /// How a program ended the run.
    package struct Halt: Sendable, Equatable {
        /// The exit status that the program requested: 0 for `halt`, 5 or the given number for `halt_error`.
        package var status: Int32
        /// The message for standard error, written unchanged: a string as is, another value as JSON with a newline.
        package var message: [UInt8]

        package init(status: Int32, message: [UInt8]) {
            self.status = status
            self.message = message
        }
    }

    /// The number of results written.
    package var results: Int
    /// The number of records that failed.
    package var failures: Int
    /// The last result of the whole run.
    package var lastResult: LastResult
    /// Set when the program used `halt` or `halt_error`.
    package var halt: Halt?

    package init(results: Int = 0, failures: Int = 0, lastResult: LastResult = .none, halt: Halt? = nil) {
        self.results = results
        self.failures = failures
        self.lastResult = lastResult
        self.halt = halt
    }
}
