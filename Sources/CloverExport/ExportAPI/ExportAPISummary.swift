/// What came of an export by Clover's Export API.
package struct ExportAPISummary: Sendable, Equatable {
    /// Records that were delivered.
    package var records = 0
    /// Those at the end of a piece, which the next one begins with.
    package var repeats = 0
    package var files = 0
    /// Bytes of the files.
    package var bytes = 0
    /// Exports asked for.
    package var submissions = 0
    /// Seconds waited for the permitted hours, for the service to be free, and for exports to be made.
    package var secondsWaited = 0.0

    package init() {}
}
