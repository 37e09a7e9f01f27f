/// What the journal refuses. Trouble with the database itself is a `StateDatabaseError`.
package enum JournalError: Error, Equatable, Sendable {
    /// Another process has settled the operation meanwhile.
    case transition(id: String, from: OperationState, to: OperationState)
    /// No row of this id.
    case missing(id: String)
    /// A row that no version of this program has written.
    case malformed(id: String)
    /// The lock file cannot be used.
    case lock(path: String, errno: Int32)
}
