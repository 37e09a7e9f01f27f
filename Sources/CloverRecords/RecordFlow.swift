/// Whether a filter wants more records.
package enum RecordFlow: Sendable, Equatable {
    case more
    /// The program has ended the run.
    case stop
}
