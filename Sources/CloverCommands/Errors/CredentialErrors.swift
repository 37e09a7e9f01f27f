import CloverAuth
import CloverCore

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
        if case .keyring(_, _, let error) = problem {
            self.init(error)
            message = "\(problem)"
            hints = [
                "unlock or start the keyring of the desktop session, which cron and ssh do not have",
                "to keep the key in a file that only you can read: clover state key move --back in that session, or leave "
                    + "out --keyring when you make it",
                "if the keyring is lost for good, and no other machine has the key, sign out of what it encrypts, and make "
                    + "another one in a file: clover state key create --forget-sign-ins --file",
            ]
            return
        }
        if case .notStored(let error) = problem {
            self.init(error)
            message = "\(problem)"
            hints = [
                "unlock or start the keyring of the desktop session, which cron and ssh do not have",
                "a key that is in the file stays there; to make one in a file that only you can read, leave out --keyring",
            ]
            return
        }
        let copy =
            "copy the key from the file of a machine that can use these sign-ins; to keep keys that are here, add its entry, "
            + "and do not replace the file: see 'docs/fleet.md'"
        var hints: [String] = []
        let fix =
            switch problem {
            case .none: "make one: clover state key create"
            case .unknown, .lost: copy
            case .absent: "to list the keys: clover state key show"
            case .keyring, .notStored, .goneFromKeyring:
                "a file that was copied from a machine with the key in its keyring only names it: on a machine that has it, run 'clover state key move --back' if it is in a keyring there; then \(copy)"
            case .leftInKeyring(let id, _, _):
                "when the keyring is available, remove it with: secret-tool clear application clover item \(id)"
            case .unreadable: "the file was left unchanged; \(copy)"
            case .altered: "if the row was not restored or edited, sign in again: clover auth logout, clover auth login"
            case .exists(_, let place):
                "to change it: clover state key rotate --prepare"
                    + (place.hasPrefix("/") ? "; to move it into the keyring: clover state key move" : "")
            case .inUse(_, 0): "it is the current key; to make another one: clover state key rotate --prepare"
            case .inUse: "encrypt them with the current key first: clover state key rotate"
            case .keepsTokens(_, _, let key): "store them: " + State.Key.renewal(of: key, named: nil)
            case .mayBeNeeded(_, let databases, _) where !databases.isEmpty:
                "see whether it needs the key: CLOVER_STATE=\(ShellWord.quoted(databases[0])) clover state key show"
            case .mayBeNeeded(let id, _, true): "to remove it anyway: clover state key remove \(id) --force"
            case .mayBeNeeded(let id, _, false):
                "if no other database and no backup needs it, remove it: clover state key remove \(id) --force"
            case .notPrepared: "make one, and copy it to all machines: clover state key rotate --prepare"
            }
        switch problem {
        case .unreadable:
            hints = ["if no machine has it, move the file away, and make another key: clover state key create"]
        case .goneFromKeyring(let id, _, true):
            hints = ["or, as no sign-in needs it: clover state key remove \(id)"]
        case .goneFromKeyring:
            hints = [
                "to see what needs it: clover state key show",
                "if it is the current key, and no machine has it, make another one: clover state key create",
            ]
        case .mayBeNeeded(let id, let databases, _) where !databases.isEmpty:
            hints = ["if no database needs it, remove it: clover state key remove \(id) --force"]
        case .mayBeNeeded(_, _, false): hints = ["to see what is known of it: clover state key show"]
        case .unknown: hints = ["if no machine has this key any more, make another one: clover state key create"]
        case .lost:
            hints = [
                "if no machine has this key any more, sign out of them: clover auth logout, "
                    + "or clover state key create --forget-sign-ins"
            ]
        default: break
        }
        let status: ExitStatus =
            switch problem {
            case .absent: .notFound
            case .leftInKeyring(_, _, let error): ErrorReport(error).status
            default: .configuration
            }
        self.init("state_key", status, "\(problem)", hints: [fix] + hints)
    }
}
