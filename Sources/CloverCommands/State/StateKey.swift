import ArgumentParser
import CloverAuth
import CloverCore
import CloverFleet
import CloverJSON
import CloverSystem

extension State {
    struct Key: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key",
            abstract: "Make, show and change the key that encrypts sign-ins in the database",
            discussion: """
                Examples:
                  clover state key show
                  clover state key create
                  clover state key rotate --prepare

                Tokens are encrypted on the machine that obtains them, and the key is never sent to the database. It is \
                in the file state-keys.json of the configuration directory, which only you can read. Copy that file to \
                every machine that is to use the sign-ins, and keep a copy in a safe place: without it the sign-ins \
                are lost. Where that file has the keys of other databases, add the entry to it instead.

                With --keyring, or after 'clover state key move', the key is in the desktop's keyring of this machine, \
                and the file only names it. A keyring that is locked or missing ends a command with 77 or 69; the file \
                is never used instead. cron and ssh have no keyring, so leave the key in the file there.
                """,
            subcommands: [Show.self, Create.self, Rotate.self, Move.self, Remove.self]
        )

        /// Runs work with the keys of the database in effect, on a separate thread.
        fileprivate static func withKeys<Value: Sendable>(
            _ url: String, in environment: CommandEnvironment,
            _ body: @escaping @Sendable (StateKeys) throws(CredentialError) -> Value
        ) async throws(CredentialError) -> Value {
            let (file, state): (StateKeyFile, StateDirectory)
            do {
                (file, state) = (try environment.stateKeys(), try environment.stateDirectory())
            } catch {
                throw .databaseUnusable(
                    address: url, message: "there is no configuration or state directory",
                    fix: "set HOME, or CLOVER_CONFIG_DIR and CLOVER_STATE_DIR")
            }
            let now = environment.clock.wall() / 1000
            return try await DedicatedThread.run { () throws(CredentialError) in
                try body(StateKeys(url, file, state: state, now: now))
            }
        }

        static func shown(
            _ url: String, in environment: CommandEnvironment
        ) async throws(CredentialError) -> [StateKeys.Shown] {
            try await withKeys(url, in: environment) { (keys) throws(CredentialError) in try keys.shown() }
        }

        /// New tokens that this machine kept because the database could not store them.
        static func kept(
            _ url: String, in environment: CommandEnvironment
        ) async throws(CredentialError) -> [KeptTokens] {
            try await withKeys(url, in: environment) { (keys) throws(CredentialError) in try keys.kept() }
        }

        /// Removes the files of those that no sign-in needs.
        ///
        /// - Returns: their paths.
        static func removeUnneeded(
            _ url: String, in environment: CommandEnvironment
        ) async throws(CredentialError) -> [String] {
            try await withKeys(url, in: environment) { (keys) throws(CredentialError) in try keys.removeUnneeded() }
        }

        /// Sign-ins whose new tokens the database does not have.
        static func unstored(
            _ url: String, in environment: CommandEnvironment
        ) async throws(CredentialError) -> [UnstoredSignIn] {
            try await withKeys(url, in: environment) { (keys) throws(CredentialError) in try keys.unstored() }
        }

        /// What to do about such a sign-in.
        static func storing(_ signIn: UnstoredSignIn) -> [String] {
            [
                "on the machine that renewed them, which has them in 'unstored-....json' of its state directory, run: "
                    + renewal(of: signIn.key, named: signIn.profile),
                "if no machine has them, sign in again, or sign out: clover auth logout",
            ]
        }

        /// The command that stores the new tokens of a sign-in.
        static func renewal(of key: CredentialKey, named profile: String?) -> String {
            "clover auth refresh "
                + (profile.map { "--profile \($0)" } ?? "--environment \(key.environment) --merchant \(key.merchantID)")
        }

        /// Makes the first key, and says where it is.
        static func create(
            _ url: String, inKeyring: Bool, in environment: CommandEnvironment
        ) async throws(CredentialError) {
            let made = try await withKeys(url, in: environment) {
                (keys) throws(CredentialError) -> (id: String, place: String) in
                let id = try keys.create(inKeyring: inKeyring)
                return (id: id, place: try keys.place(of: id))
            }
            announce(made, in: environment)
        }

        /// The current key, which is read, and where it is; nil if there is none.
        static func current(
            _ url: String, in environment: CommandEnvironment
        ) async throws(CredentialError) -> (id: String, place: String)? {
            try await withKeys(url, in: environment) { (keys) throws(CredentialError) in try keys.current() }
        }

        /// Where the current key is, for the user.
        static func words(_ key: (id: String, place: String)) -> String {
            "the key \(key.id), which encrypts sign-ins, is in \(key.place)"
        }

        fileprivate static func announce(_ key: (id: String, place: String), in environment: CommandEnvironment) {
            environment.diagnostics.notice(
                "made the key \(key.id) in \(key.place): " + copying(key.place, to: "the other"))
        }

        /// How a key gets to other machines.
        fileprivate static func copying(_ place: String, to machines: String) -> String {
            place.hasPrefix("/")
                ? "copy this file to \(machines) machines, and keep a copy in a safe place; where there are other keys, add the "
                    + "entry of this one instead (docs/fleet.md)"
                : "to copy it to \(machines) machines, and to keep a copy in a safe place, move it into the file first: "
                    + "clover state key move --back"
        }
    }
}

extension State.Key {
    struct Show: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show where the keys are, and what each of them encrypts",
            discussion: """
                Examples:
                  clover state key show
                  clover state key show | jq -r .file
                  clover state key show | jq 'select(.current)'

                Prints one JSON object a line for each key of this machine, and for each that the database needs and \
                this machine lacks: its file is null, and its keyring is false. The keys themselves are not shown. The \
                keyring is asked for those in it; while it cannot be used, their keyring is null.

                use says what needs a key: current (it encrypts new tokens), signIns (it encrypts some), keptTokens \
                (they are on this machine only), next (it is to replace the current one), otherDatabase (one of \
                databases), unknown, or unused. An unknown one encrypts no sign-in of this database, but something else may \
                need it; a message says why, and what would show that nothing does. Only one that is unused can be \
                removed without --force.
                """
        )

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let keys = try await State.Key.shown(State.database(in: environment), in: environment)
            let path = try environment.stateKeys().path
            let lines = keys.map { key in
                var line = JSONLine()
                line.add("id", key.id)
                line.add("file", key.place == .file ? path : nil)
                line.add("keyring", Self.isInKeyring(key))
                line.add("createdAt", key.createdAt)
                line.add("current", key.isCurrent)
                line.add("signIns", Int64(key.credentials))
                line.add("use", key.use.name)
                line.add("databases", key.databases)
                return line.text + "\n"
            }
            try await StandardOutput.print(lines.joined(), in: environment)
            for key in keys where key.place != .elsewhere {
                if let problem = key.problem(in: path) { environment.diagnostics.notice(problem.description) }
                if case .unknown(let doubt) = key.use { environment.diagnostics.notice(Self.words(doubt, key)) }
            }
            if keys.isEmpty { environment.diagnostics.notice("there is no key yet: clover state key create") }
            return 0
        }

        /// What is known of a key that something may need, and what would prove that nothing does.
        private static func words(_ doubt: StateKeys.Doubt, _ key: StateKeys.Shown) -> String {
            let isOutside = "it is not known to be a former key of it"
            let reason =
                switch doubt {
                case .unreadable(let error): "something else may need it: \(error)"
                case .unrecorded: "another database may have used it, because uses cannot be recorded now"
                case .lacksCurrent(let id):
                    "\(isOutside); the entry of the current key \(id) may show that: add it from a machine that has it "
                        + "(docs/fleet.md)"
                case .notFormer where key.databases.isEmpty:
                    "\(isOutside), and no database is recorded; to record another one that uses it, run this with its "
                        + "address in CLOVER_STATE"
                case .notFormer:
                    "\(isOutside); only this address is recorded for it: if it has always been that of this database, "
                        + "only backups can need it"
                }
            return "no sign-in of this database needs the key \(key.id), but \(reason)"
        }

        /// Nil if the keyring cannot be asked.
        private static func isInKeyring(_ key: StateKeys.Shown) -> Bool? {
            if case .unusable = key.place { return nil }
            return key.place == .keyring
        }
    }

    struct Create: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make the first key, or one in place of a key that was lost",
            discussion: """
                Examples:
                  clover state key create
                  clover state key create --keyring
                  clover state key create --forget-sign-ins

                'clover state init' makes the first key too. If this machine has the key of the database, nothing is \
                made (78); to change the key: clover state key rotate. If it is in a keyring that is locked or missing, \
                nothing is made either (77, 69).

                If the key of the database is not on this machine, or no longer in its keyring, first look for it on the others: copy their \
                state-keys.json. If no machine has it, the sign-ins that it encrypts are lost. They are named (78), \
                and stay until you sign out of them, or add --forget-sign-ins: other machines may have their key. When \
                there are none, a new key is made, and these merchants have to sign in again.

                The new key is where the lost one was, or in the keyring with --keyring, or in the file with --file. If \
                the keyring is lost for good, --forget-sign-ins --file gives up the keys in it.
                """
        )

        @Flag(
            name: .customLong("forget-sign-ins"),
            help: "Sign out, on all machines, of the sign-ins whose key this machine does not have.")
        var forgetsSignIns = false

        @OptionGroup
        var place: State.KeyringOption

        @Flag(name: .long, help: "Store the key in a private file, also if the lost one was in the keyring.")
        var file = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if place.keyring, file { throw ValidationError("--keyring and --file cannot be used together") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let forgets = forgetsSignIns
            let inKeyring: Bool? = place.keyring ? true : file ? false : nil
            let (made, location) = try await State.Key.withKeys(State.database(in: environment), in: environment) {
                (keys) throws(CredentialError) -> (StateKeys.Made, String) in
                let made = try keys.replace(forgets: forgets, inKeyring: inKeyring)
                return (made, try keys.place(of: made.id))
            }
            for key in made.forgotten {
                environment.diagnostics.notice("signed out of \(key.words) on all machines: its key is not here")
            }
            if let replaced = made.replaced {
                environment.diagnostics.warning(
                    "the key \(made.id) replaces \(replaced), which is not on this machine: until they have the new key, "
                        + "other machines cannot use the sign-ins")
            }
            if made.replaced != nil || made.forgotten.isEmpty {
                State.Key.announce((made.id, location), in: environment)
            }
            return 0
        }
    }

    struct Rotate: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Encrypt all sign-ins with the next key",
            discussion: """
                Examples:
                  clover state key rotate --prepare
                  clover state key rotate
                  clover state key show | jq 'select(.current)'

                First --prepare makes the next key, which encrypts nothing yet. Copy state-keys.json to all machines; \
                then run it without --prepare on one of them. It encrypts each sign-in under its lock, while others \
                work; if it is interrupted, run it again. A machine without the new key ends with 78 and names it.

                The next key is in the keyring if the current one is, or with --keyring. It is stored and read back \
                before any sign-in is encrypted with it. The old key stays where it is, because backups of the \
                database need it: see 'clover state key remove'.
                """
        )

        @Flag(name: .long, help: "Only make the next key.")
        var prepare = false

        @OptionGroup
        var place: State.KeyringOption

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if place.keyring, !prepare { throw ValidationError("--keyring needs --prepare, which makes the next key") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let url = try State.database(in: environment)
            let inKeyring = place.keyring
            if prepare {
                let next = try await State.Key.withKeys(url, in: environment) {
                    (keys) throws(CredentialError) -> (id: String, place: String) in
                    let id = try keys.prepareNext(inKeyring: inKeyring)
                    return (id: id, place: try keys.place(of: id))
                }
                environment.diagnostics.notice(
                    "the next key is \(next.id) in \(next.place): " + State.Key.copying(next.place, to: "all")
                        + "; then run: clover state key rotate")
                return 0
            }
            let rotated = try await State.Key.withKeys(url, in: environment) { (keys) throws(CredentialError) in
                try keys.rotate()
            }
            environment.diagnostics.notice(
                "the key \(rotated.id) encrypts all sign-ins now; \(rotated.credentials) "
                    + "\(rotated.credentials == 1 ? "was" : "were") encrypted anew")
            return 0
        }
    }

    struct Move: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move this machine's keys into the desktop's keyring, or back into the file",
            discussion: """
                Examples:
                  clover state key move
                  clover state key move --back
                  clover state key show | jq .keyring

                Moves all keys of this machine from state-keys.json into the desktop's keyring, which has to be \
                unlocked; the file then only names them. --back moves them into the file, to copy it to other machines. \
                A key is stored and read back in its new place before it is removed from the former one.
                """
        )

        @Flag(name: .long, help: "Move from the keyring into the file.")
        var back = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let toKeyring = !back
            let moved = try await State.Key.withKeys(State.database(in: environment), in: environment) {
                (keys) throws(CredentialError) in try keys.move(toKeyring: toKeyring)
            }
            let place = toKeyring ? "the keyring" : try environment.stateKeys().path
            for id in moved { environment.diagnostics.notice("moved the key \(id) to \(place)") }
            if moved.isEmpty { environment.diagnostics.notice("no key was left to move to \(place)") }
            return 0
        }
    }

    struct Remove: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a key from this machine that the database no longer needs",
            discussion: """
                Examples:
                  clover state key remove 0f1e2d3c4b5a6978
                  clover state key remove 0f1e2d3c4b5a6978 --force
                  clover state key show | jq -r 'select(.use == "unused").id'

                A key that encrypts sign-ins of this database, or new ones, is not removed (78); nor is \
                one of tokens that are kept on this machine because the database could not store them. A backup of \
                the database from before the rotation cannot be used without it.

                Without --force, only a former key of this database is removed that no other database is known to \
                have used. The keys of another database that this machine uses are in the same file: see 'clover state \
                key show'. If it could not be recorded that a database uses a key, a warning named both: run 'clover \
                state key show' with that database first.
                """
        )

        @Argument(help: ArgumentHelp("The key's identifier.", valueName: "id"))
        var id: String

        @Flag(
            name: .long,
            help: "Remove a key that something else may need, or that is in a keyring that cannot be used.")
        var force = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let (id, forced) = (id, force)
            let place = try await State.Key.withKeys(State.database(in: environment), in: environment) {
                (keys) throws(CredentialError) in try keys.remove(id, forced: forced)
            }
            environment.diagnostics.notice("removed the key \(id) from \(place)")
            return 0
        }
    }
}

extension State {
    /// Where a new key is kept.
    struct KeyringOption: ParsableArguments {
        @Flag(name: .long, help: "Store the key in the desktop's keyring instead of a private file.")
        var keyring = false
    }
}
