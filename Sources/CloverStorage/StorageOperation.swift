/// The system call family that failed, as a fact inside `StorageError.system`.
package enum StorageOperation: String, Sendable {
    case open
    case read
    case write
    case sync
    case rename
    case remove
    case lock
    case list
    case makeDirectory = "make directory"
    case status = "look at"
    case watch
}
