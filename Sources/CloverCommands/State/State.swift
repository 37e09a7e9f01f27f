import ArgumentParser
import CloverAuth
import CloverConfiguration
import CloverCore
import CloverFleet
import CloverJSON
import CloverRateLimit
import CloverSystem

struct State: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Share sign-ins, charges and the rate limit of several machines in PostgreSQL",
        discussion: """
            Examples:
              clover config set state postgresql://clover@db.example.com/clover
              clover state init
              clover state check

            With state set on several machines, they count their requests in one database, and together stay within \
            Clover's limits. Sign-ins and their names are there too, encrypted with a key that only the machines have: \
            each token is renewed once, by one of them. The journal of charges is there as well, so that one key is \
            charged once by all of them, and so is who exports what of an export that they share. 'clover state move' \
            moves what a machine has into the database; 'clover fleet' shows who does what. The choice of the default \
            sign-in stays in each machine's state directory.

            While the database cannot be reached, reads and exports wait, at most for --max-time; a charge ends with \
            status 75 before anything is sent, and so does any other command that needs a sign-in. Files are never \
            used instead. For new tokens and the outcome of a charge that was sent, the database is tried for a minute. \
            What it cannot store then is kept on this machine: tokens, encrypted, which the next run that renews them \
            stores, and outcomes, which 'clover charge recover' records.

            Passwords come from ~/.pgpass, PGPASSWORD or a service file, never from the address. Beyond this machine, \
            the server's certificate is verified (sslmode=verify-full).
            """,
        subcommands: [Initialize.self, Migrate.self, Check.self, Move.self, Key.self]
    )

    /// No database is set.
    struct NoDatabase: Error {
        var report: ErrorReport {
            ErrorReport(
                "no_database", .configuration, "no database is set: state",
                "clover config set state postgresql://USER@HOST/DATABASE")
        }
    }

    /// A keyring was asked for, and a database keeps the tokens.
    struct KeyringUnused: Error {
        var report: ErrorReport {
            ErrorReport(
                "keyring_unused", .usage,
                "--keyring cannot be used with the setting state: the database keeps the tokens",
                "sign in without --keyring; to see the setting: clover config list --explain")
        }
    }

    /// The user may not do in the database what each machine does there.
    struct PrivilegesMissing: Error {
        private let address: String
        private let found: FleetMigration.Check

        init(_ address: String, _ found: FleetMigration.Check) {
            self.address = address
            self.found = found
        }

        var report: ErrorReport {
            let missing = found.missing.map { "\($0.privilege) on \($0.table)" }.joined(separator: ", ")
            let grants = found.missing.map { "GRANT \($0.privilege) ON \($0.table) TO \(found.user)" }
            return ErrorReport(
                "database_unusable", .configuration, "cannot use \(address): the user \(found.user) lacks \(missing)",
                "let the owner of the tables grant it: " + grants.joined(separator: "; "))
        }
    }

    /// The database cannot be used by a command that is about it, and counts no requests there.
    struct Unreachable: Error {
        let error: LedgerError

        var report: ErrorReport {
            var report = ErrorReport(error)
            switch error {
            case .away(let address, let message):
                report.message = "cannot use \(address): \(message)"
                let fix = FleetConnection.fix(of: message) ?? "check the address, the network, and that the server runs"
                report.hints = [fix + "; then run it again"]
            case .unusable(let address, let message, _): report.message = "cannot use \(address): \(message)"
            case .storage, .system: break
            }
            return report
        }
    }

    /// Charges of unknown outcome that the database does not have.
    static func leftInFile(_ count: Int, in environment: CommandEnvironment) throws -> String {
        let charges = count == 1 ? "1 charge" : "\(count) charges"
        let them = count == 1 ? "it" : "them"
        if try environment.isMoving() {
            return "the journal in this machine's state directory has \(charges) of unknown outcome, and "
                + unfinishedMove
        }
        return "the journal in this machine's state directory has \(charges) of unknown outcome: settle \(them) there "
            + "with '\(recoveryInFiles)', or move \(them) into the database with 'clover state move'"
    }

    /// There are charges that the database does not have.
    static func chargesLeft(in environment: CommandEnvironment) throws -> String {
        let words = "the charges in this machine's state directory are not used while state is set"
        return try environment.isMoving()
            ? "\(words), and \(unfinishedMove)"
            : "\(words): clover state move; or see them: CLOVER_STATE=files clover charge list"
    }

    /// What closes the directory, too, and what to do about it.
    private static let unfinishedMove =
        "a move is not complete: complete it with 'clover state move', or take it back with 'clover state move --back'"

    /// Settles charges that the database does not have, whatever the configuration file says.
    static let recoveryInFiles = "CLOVER_STATE=files clover charge recover --all"

    /// Sign-ins that the database does not have.
    static func signInsLeft(_ count: Int) -> String {
        "the \(count == 1 ? "sign-in" : "\(count) sign-ins") in this machine's state directory "
            + "\(count == 1 ? "is" : "are") not used while state is set: clover state move"
    }

    /// The address of the database in effect.
    static func database(in environment: CommandEnvironment) throws -> String {
        guard let url = try environment.sharedState() else { throw NoDatabase() }
        return url
    }
}

extension ErrorReport {
    /// Adds what follows from the setting `state`, which the error does not know.
    mutating func complete(in environment: CommandEnvironment) async throws {
        switch code {
        case "not_signed_in":
            let left = try await environment.signInsInFiles()
            if left > 0 { hints.insert(State.signInsLeft(left), at: 0) }
        case "not_found" where hints.contains(Self.chargeList):
            if await environment.hasChargesInFile() { hints.insert(try State.chargesLeft(in: environment), at: 0) }
        case "refresh_lost":
            guard try environment.sharedState() != nil else { return }
            hints.append(
                "only if another machine has the new tokens, in 'unstored-....json' of its state directory, run there: "
                    + "clover auth refresh")
        default: break
        }
    }
}

extension State {
    struct Initialize: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Create the tables in the database, and the key of the tokens",
            discussion: """
                Examples:
                  clover state init
                  clover state init --keyring
                  CLOVER_STATE=postgresql:///clover clover state init

                Creates the schema clover_state in the database of state. If it exists, it is upgraded \
                to the version of this program. If no key encrypts tokens yet, one is made in the configuration \
                directory, or in the keyring with --keyring, as by 'clover state key create'. A server that is \
                read-only, such as a standby, is refused (78).
                """
        )

        @OptionGroup
        var place: KeyringOption

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let url = try await State.migrate(creates: true, in: environment)
            do {
                try await Key.create(url, inKeyring: place.keyring, in: environment)
            } catch {
                guard case .stateKey(let problem) = error else { throw error }
                environment.diagnostics.notice(try words(problem))
            }
            return 0
        }

        /// Why the key was not created, in words.
        ///
        /// - Throws: what makes the command fail.
        private func words(_ problem: StateKeyProblem) throws(CredentialError) -> String {
            if case .exists(let id, let location) = problem {
                // As after a first run.
                let isElsewhere = place.keyring && location.hasPrefix("/")
                return Key.words((id, location))
                    + (isElsewhere ? "; to move it into the keyring: clover state key move" : "")
            }
            guard !problem.isOfKeyring else { throw .stateKey(problem) }
            let reasons = [problem.description] + ErrorReport(problem).hints
            return "this machine cannot use the sign-ins: " + reasons.joined(separator: "; ")
        }
    }

    struct Migrate: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Upgrade the tables in the database to the version of this program",
            discussion: """
                Examples:
                  clover state migrate
                  clover state migrate --quiet
                  clover state check && clover state migrate

                A program that is older than the tables refuses to use them (78), so update clover on all machines \
                first. Version 2 added sign-ins, version 3 the journal of charges: those in each machine's directory \
                are no longer used, and stay there; 'clover state move' moves them. Version 4 added such moves, and exports \
                that machines share.
                """
        )

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            _ = try await State.migrate(creates: false, in: environment)
            return 0
        }
    }

    /// - Returns: the address of the database.
    fileprivate static func migrate(
        creates: Bool, in environment: CommandEnvironment
    ) async throws -> String {
        let url = try database(in: environment)
        let versions: (from: Int, to: Int)
        do throws(LedgerError) {
            versions = try await DedicatedThread.run { () throws(LedgerError) in
                try FleetMigration(url).migrate(creates: creates)
            }
        } catch {
            throw Unreachable(error: error)
        }
        environment.diagnostics.notice(
            versions.from == versions.to
                ? "the tables in \(url) have version \(versions.to) already"
                : versions.from == 0
                    ? "created the tables in \(url), version \(versions.to)"
                    : "upgraded the tables in \(url) from version \(versions.from) to \(versions.to)")
        return url
    }

    struct Check: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check that the database can be used",
            discussion: """
                Examples:
                  clover state check
                  clover state check --json
                  clover state check | jq .inFiles

                Connects as a run does: to the server itself, not through a connection pooler, with tables of this \
                program's version, and with responses within 10 milliseconds, which the rate limit needs. Prints one \
                JSON object, which also says where this machine has the key (keyPlace, or null), which keys it needs and \
                cannot use (missingKeys), and what stays in files of each machine (inFiles); exits with 78 if this machine cannot use the database, also for want of the key or \
                of a privilege, with 77 or 69 if the key is in a keyring that is locked or missing, and with 75 if the \
                database is away or too slow.
                """
        )

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let url = try State.database(in: environment)
            let found: FleetMigration.Check
            do throws(LedgerError) {
                found = try await DedicatedThread.run { () throws(LedgerError) in try FleetMigration(url).check() }
            } catch {
                throw Unreachable(error: error)
            }
            let (keys, path) = (try await Key.shown(url, in: environment), try environment.stateKeys().path)
            let unusable = keys.filter { $0.isNeeded && $0.problem(in: path) != nil }
            var line = JSONLine()
            line.add("database", url)
            line.add("version", Int64(found.version))
            line.add("server", found.server)
            line.add("roundTripMilliseconds", json: "\(found.roundTrip)")
            line.add("budgets", Int64(found.budgets))
            line.add("sizeInBytes", Int64(found.size))
            line.add("sessions", Int64(found.sessions))
            line.add("signIns", Int64(found.signIns))
            line.add("key", found.keyID)
            line.add("keyPlace", keys.first(where: \.isCurrent).flatMap { Self.words($0.place, path) })
            line.add("missingKeys", unusable.map(\.id))
            line.add("charges", Int64(found.charges))
            line.add("openCharges", Int64(found.openCharges))
            line.add("inDatabase", ["requests", "signIns", "charges", "sharedExports"])
            line.add("inFiles", ["exports", "defaultSignIn"])
            try await StandardOutput.print(line.text + "\n", in: environment)
            if found.isBloated { environment.diagnostics.notice(found.bloat) }
            if !found.missing.isEmpty { throw PrivilegesMissing(url, found) }
            try await notices(of: found, url, in: environment)
            guard keys.contains(where: \.isCurrent) else { throw CredentialError.stateKey(.none(address: url)) }
            if let problem = unusable.first?.problem(in: path) { throw CredentialError.stateKey(problem) }
            return 0
        }

        /// Where a key is; nil if it cannot be used.
        private static func words(_ place: StateKeyPlace, _ path: String) -> String? {
            switch place {
            case .file: path
            case .keyring: "the keyring"
            case .goneFromKeyring, .unusable, .elsewhere: nil
            }
        }

        private func notices(
            of found: FleetMigration.Check, _ url: String, in environment: CommandEnvironment
        ) async throws {
            if !found.isDurable {
                environment.diagnostics.notice(
                    "fsync or full_page_writes is off: a loss of power can damage the database, and with it the sign-ins"
                )
            }
            let count = try await environment.signInsInFiles()
            if count > 0 { environment.diagnostics.notice(State.signInsLeft(count)) }
            let open = try await environment.openChargesInFile()
            if open > 0 { environment.diagnostics.notice(try State.leftInFile(open, in: environment)) }
            for signIn in try await Key.unstored(url, in: environment) {
                environment.diagnostics.warning(
                    (["the tokens of \(signIn.key.words) were renewed, and the new ones are not in the database"]
                        + Key.storing(signIn)).joined(separator: "; "))
            }
        }
    }
}
