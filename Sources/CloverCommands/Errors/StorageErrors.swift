import CloverCore
import CloverDatabase
import CloverRateLimit
import CloverSystem
import Glibc

extension ErrorReport {
    /// Errors of directories, locks and private files.
    init(_ error: StorageError) {
        switch error {
        case .noHomeDirectory:
            self.init("no_home", .configuration, "\(error)", "set HOME or CLOVER_STATE_DIR")
        case .system(let operation, let path, let number):
            let isCreating = operation == .makeDirectory || [EACCES, EPERM, ENOSPC, EROFS, EDQUOT].contains(number)
            self.init("storage", isCreating ? .cannotCreate : .inputOutput, "\(error)")
            hints =
                operation == .watch && [EMFILE, ENOSPC].contains(number)
                ? ["other programs use all of inotify(7)'s resources: to see the limits, run sysctl fs.inotify"]
                : Self.isOfDestination(path)
                    ? Self.hints(number, at: path)
                    : [
                        "clover stores its state there; to use another directory, set CLOVER_STATE_DIR"
                            + (operation == .makeDirectory ? Self.place(for: number) : "")
                    ]
        case .refused(let path, let refusal):
            self.init("refused_file", .configuration, "\(error)")
            hints = Self.fixes(for: refusal, path: path)
        case .networkFileSystem:
            self.init(
                "network_file_system", .configuration, "\(error)",
                "locks are not reliable there: set CLOVER_STATE_DIR to a local disk",
                "or accept the risk with CLOVER_ALLOW_NETWORK_STATE=1")
        case .lockHeld(_, _, let holder):
            self.init("lock_held", .tryAgain, "\(error)")
            hints = Self.fixes(for: holder)
        case .moved(_, let place, let stage):
            self.init("state_moved", .configuration, "\(error)")
            hints = Self.fixes(stage, place)
        }
    }

    /// A directory that usually has room, unless the disk is full. It is safe although other users can create it
    /// first: a directory that is not the user's own is refused.
    private static func place(for number: Int32) -> String {
        [EROFS, EACCES, EPERM].contains(number) ? ", such as CLOVER_STATE_DIR=/var/tmp/clover-\(getuid())" : ""
    }

    /// What to do with a directory whose content is in the database at `place`, or on its way there or from there.
    private static func fixes(_ stage: MoveMark.Stage?, _ place: String) -> [String] {
        let move = "CLOVER_STATE=\(ShellWord.quoted(place)) clover state move"
        return switch stage {
        case .left:
            [
                "to use them there: clover config set state \(ShellWord.quoted(place))",
                "to move them back, after that: clover state move --back",
            ]
        case .preparing:
            [
                "the database has none of them yet; to use them here again: clover state move --back",
                "to complete the move: \(move)",
            ]
        case .leaving:
            [
                "the database may have them; to complete the move: \(move)",
                "if it does not have them, this uses the directory again: \(move) --back",
            ]
        case .arriving:
            [
                "until it is complete, the database is closed too; to complete it: \(move) --back",
                "to use the database again instead: \(move)",
            ]
        default:
            [
                "to complete it, run 'clover state move' again with the same options",
                "if it was a move to a database that did not get everything yet, this uses the directory again: "
                    + "clover state move --back",
            ]
        }
    }

    private static func fixes(for refusal: FileRefusal, path: String) -> [String] {
        switch refusal {
        case .looseMode: ["it was left unchanged; deny others access: chmod go-rwx \(path)"]
        case .foreignOwner: ["it was left unchanged; run clover as its owner, or set CLOVER_STATE_DIR"]
        case .symbolicLink, .notRegularFile, .notDirectory, .tooLarge:
            [
                FileRefusal.isMovable(path)
                    ? "it was left unchanged; move it away, or set CLOVER_STATE_DIR"
                    : "it was left unchanged; to use another directory, set CLOVER_STATE_DIR"
            ]
        }
    }

    private static func fixes(for holder: LockHolder?) -> [String] {
        guard let holder else { return ["to see which process holds it: lslocks"] }
        return holder.isStopped
            ? ["continue it with 'kill -CONT \(holder.pid)', or end it with 'kill -KILL \(holder.pid)'"]
            : ["see what it is doing with 'ps -f -p \(holder.pid)'; when it ends, the lock is released"]
    }

    /// Errors of the shared request budget.
    init(_ error: LedgerError) {
        switch error {
        case .storage(let error):
            self.init(error)
            if status == .cannotCreate {
                hints.append(
                    "all runs count their requests there, to stay within the service's limits together; so it is needed even with "
                        + "CLOVER_ACCESS_TOKEN")
            }
        case .system: self.init("ledger", .inputOutput, "\(error)")
        case .away:
            self.init(
                Self.databaseAway, .tryAgain, "\(error)",
                "try again when the database is back; to see whether it is: clover state check")
        case .unusable(_, _, let fix): self.init("database_unusable", .configuration, "\(error)", fix)
        }
    }

    /// The databases in the state directory. A refused file is left unchanged.
    init(_ error: StateDatabaseError) {
        switch error {
        case .storage(let error):
            self.init(error)
        case .newerVersion:
            self.init(
                "newer_database", .configuration, "\(error)",
                "the file was left unchanged; update clover, or use another CLOVER_STATE_DIR")
        case .otherContent(let path, _), .damaged(let path):
            self.init(
                "damaged_database", .configuration, "\(error)",
                "the file was left unchanged; to show what can be recovered: sqlite3 \(path) .recover",
                "to start over, move it away, or set CLOVER_STATE_DIR")
        case .emptied:
            self.init(
                "damaged_database", .configuration, "\(error)",
                "the file was left unchanged; restore it from a backup if you have one",
                "to start over, move it away, or set CLOVER_STATE_DIR")
        case .removed(_, let witness):
            self.init(
                "missing_database", .configuration, "\(error)",
                "what it had is not known; restore it from a backup if you have one",
                "to start over, remove \(witness) too, or set CLOVER_STATE_DIR")
        case .busy:
            self.init(
                "lock_busy", .tryAgain, "\(error)",
                "another clover is using it, or is stopped while using it: see 'ps -C clover'")
        case .full:
            self.init(
                "storage", .cannotCreate, "\(error)",
                "free some space; clover stores its state there; to use another directory, set CLOVER_STATE_DIR")
        case .failed:
            self.init(
                "storage", .inputOutput, "\(error)",
                "clover stores its state there; to use another directory, set CLOVER_STATE_DIR")
        }
    }
}
