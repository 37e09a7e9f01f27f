import CloverAuth
import CloverCore
import CloverDatabase
import CloverOutput
import CloverRateLimit
import CloverSystem
import Glibc

extension ErrorReport {
    /// Credentials that cannot be read or stored. The file is left unchanged.
    init(_ error: CredentialError) {
        switch error {
        case .invalidEnvironment:
            self.init(
                "bad_environment", .usage, "\(error)", "use sandbox, us, eu, la or an address such as https://host")
        case .invalidMerchant:
            self.init("bad_merchant", .usage, "\(error)", "a merchant id is letters and digits, such as 7ZK9QX4M2T1AB")
        case .invalidApp:
            self.init("bad_app", .usage, "\(error)")
        case .unusableToken:
            self.init(
                "bad_token", .configuration, "\(error)",
                "a token consists of letters, digits and dashes, without spaces or line breaks")
        case .storage(let error):
            self.init(error)
        case .notJSON(let path), .malformed(let path, _), .otherKey(let path):
            self.init(
                "credential_file", .configuration, "\(error)",
                "the file was left unchanged; remove \(path) and sign in again, see 'clover help auth login'")
        case .newerVersion:
            self.init(
                "credential_file", .configuration, "\(error)",
                "the file was left unchanged; update clover, or use another CLOVER_STATE_DIR")
        case .notEncodable, .leaseEnded:
            self.init("credential_file", .bug, "\(error)")
        case .lockBusy:
            self.init(
                "lock_busy", .tryAgain, "\(error)",
                "another clover is using these tokens, or is stopped while using them: see 'ps -C clover'")
        case .cancelled:
            self.init("cancelled", .unclassified, "\(error)")
        case .missingInKeyring:
            self.init(
                "keyring_item", .notAuthorized, "\(error)", "they were removed there; sign in again: clover auth login")
        case .leftInKeyring(_, let item, let cause):
            self.init(cause)
            message = "\(error)"
            hints = [CredentialError.removal(of: item)]
        case .keyring(_, let error):
            self.init(error)
            hints.append("to forget the sign-in without the keyring: clover auth logout")
        case .invalidProfile(let name):
            self.init(CoreError.malformedProfile(name))
        case .databaseAway:
            self.init(
                Self.databaseAway, .tryAgain, "\(error)",
                "try again when the database is back; to see whether it is: clover state check")
        case .databaseUnusable(_, _, let fix): self.init("database_unusable", .configuration, "\(error)", fix)
        case .stateKey(let problem): self.init(problem)
        case .overtaken:
            self.init("overtaken", .tryAgain, "\(error)", "run it again: it then uses what the other machine stored")
        case .tokensUnstored(_, let cause):
            self.init(cause)
            message = "\(error)"
            hints.append("keep the file: the next command of this machine that needs new tokens stores these first")
        }
    }

    /// The key of sign-ins in a database.
    init(_ problem: StateKeyProblem) {
        let copy = "copy the file from a machine that can use these sign-ins; see 'docs/fleet.md'"
        var hints: [String] = []
        let fix =
            switch problem {
            case .none: "make one: clover state key create"
            case .unknown, .lost: copy
            case .unreadable: "the file was left unchanged; \(copy)"
            case .altered: "if the row was not restored or edited, sign in again: clover auth logout, clover auth login"
            case .exists: "to change it: clover state key rotate --prepare"
            case .inUse: "encrypt them with the current key first: clover state key rotate"
            case .keepsTokens(_, _, let key): "store them: " + State.Key.renewal(of: key, named: nil)
            case .notPrepared: "make one, and copy the file to all machines: clover state key rotate --prepare"
            }
        switch problem {
        case .unknown: hints = ["if no machine has this key any more, make another one: clover state key create"]
        case .lost:
            hints = [
                "if no machine has this key any more, sign out of them: clover auth logout, "
                    + "or clover state key create --forget-sign-ins"
            ]
        default: break
        }
        self.init("state_key", .configuration, "\(problem)", hints: [fix] + hints)
    }

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
        case .moved(_, let place, let isComplete):
            self.init("state_moved", .configuration, "\(error)")
            hints =
                isComplete
                ? [
                    "to use them there: clover config set state \(place)",
                    "to move them back: clover state move --back",
                ]
                : ["to complete it, run 'clover state move' again with the same options"]
        }
    }

    /// A directory that usually has room, unless the disk is full. It is safe although other users can create it
    /// first: a directory that is not the user's own is refused.
    private static func place(for number: Int32) -> String {
        [EROFS, EACCES, EPERM].contains(number) ? ", such as CLOVER_STATE_DIR=/var/tmp/clover-\(getuid())" : ""
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

    /// A jq program that cannot run.
    init(_ error: JQError) {
        switch error {
        case .compile(let message):
            // The first line of jq's message says what is wrong, the others where.
            let lines = message.split(separator: "\n").map(String.init)
            self.init(
                "jq_compile", .badData, "the jq program does not compile: \(lines.first ?? message)",
                hints: Array(lines.dropFirst()))
        case .invalidJSONArgument, .containsNUL:
            self.init("jq_argument", .usage, "\(error)")
        case .outOfMemory:
            self.init(
                "jq_memory", .badData, "\(error)",
                "a program over all records, as with --slurp, needs memory for all of them: process them one by one")
        case .noThread, .cancelled:
            self.init("jq", .unclassified, "\(error)")
        }
    }

    /// Standard output that cannot be written; nil if its reader has closed it, which ends the program quietly.
    init?(_ error: RecordWriteError) {
        switch error {
        case .closed: return nil
        case .failed(let number):
            self.init(
                "write_failed", .inputOutput, "cannot write to standard output: \(String(cString: strerror(number)))",
                "the output so far is not complete")
        }
    }
}

extension ErrorReport {
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
