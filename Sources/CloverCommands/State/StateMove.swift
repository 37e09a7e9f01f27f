import ArgumentParser
import CloverAuth
import CloverCore
import CloverFleet
import CloverOutput
import CloverRateLimit
import CloverSystem

extension State {
    struct Move: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move this machine's sign-ins and charges into the database, or back",
            discussion: """
                Examples:
                  clover state move
                  clover state move --back
                  clover state check && clover state move

                Moves sign-ins, their names and the journal of charges from this machine's state directory into the \
                database that the setting state names; --back moves everything in the database into this machine's \
                state directory. Tokens are encrypted with the key of the database, and removed where they were. \
                Bookmarks of exports, feeds, webhooks and the default sign-in stay where they are: in the directory, or \
                in the destination.

                The source refuses all programs from then on (78), so that no charge is sent and no token is renewed in \
                two places. While a charge is being made or a token is renewed in the source, nothing is moved (75). If \
                the move is interrupted, run it again: it is completed. A move that was complete says that nothing was left to \
                move. Before the target has everything, the opposite \
                move takes it back. What the database never got is taken back without it, also after the setting state \
                was changed. Nothing is closed for a database that cannot be reached, is read-only, or lacks its tables or \
                the key.

                What the target has already stays. A charge, sign-in or name that both have must be the same, or else \
                nothing is moved (78); two charges of one key are the same if their payment is. If \
                both have a sign-in to the same merchant, sign out of the one in the directory: \
                CLOVER_STATE=files clover auth logout --profile NAME

                After --back, unset the setting state on this machine. Only it has the sign-ins and charges then: the \
                directory of another machine that once moved into the database stays closed, because it does not \
                know which idempotency keys were charged. 'clover state move' on this machine shares them again.
                """
        )

        @Flag(name: .long, help: "Move from the database into this machine's state directory.")
        var back = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let state = try environment.stateDirectory()
            let url = try database(of: state, in: environment)
            let move = FleetMove(
                url, keys: try environment.stateKeys(), state: state, vault: environment.secretVault(),
                onRemoval: { [diagnostics = environment.diagnostics] path in
                    diagnostics.notice("removed \(path): the sign-in that its tokens belong to has ended")
                })
            do {
                return try await run(move, url, state, in: environment)
            } catch let error as LedgerError {
                throw State.Unreachable(error: error)
            }
        }

        /// The database in effect; without one, that of a move that can be taken back without it.
        private func database(of state: StateDirectory, in environment: CommandEnvironment) throws -> String {
            if back, try environment.sharedState() == nil, let mark = try MoveMark.read(in: state),
                mark.stage == .preparing
            {
                return mark.place
            }
            return try State.database(in: environment)
        }

        private func run(
            _ move: FleetMove, _ url: String, _ state: StateDirectory, in environment: CommandEnvironment
        ) async throws -> Int32 {
            if !back {
                let moved = try await move.toDatabase()
                environment.diagnostics.notice(Self.words(moved, from: state.path, to: url))
                // The move is complete, whatever has become of the key since.
                guard moved.signIns > 0 else { return 0 }
                do throws(CredentialError) {
                    if let key = try await State.Key.current(url, in: environment) {
                        environment.diagnostics.notice(State.Key.words(key))
                    }
                } catch {
                    environment.diagnostics.warning("the key of the moved sign-ins cannot be used now: \(error)")
                }
                return 0
            }
            switch try await move.toDirectory() {
            case .moved(let moved):
                environment.diagnostics.notice(Self.words(moved, from: url, to: state.path))
                guard !moved.isEmpty else {
                    environment.diagnostics.notice(
                        "the database is closed; to use this machine's directory: clover config unset state; to use the "
                            + "database again: clover state move")
                    break
                }
                environment.diagnostics.notice(
                    "to use them on this machine: clover config unset state; to share them again, also here: clover state move"
                )
                environment.diagnostics.notice(
                    "other machines do not know these charges now: a machine that charges on its own can charge one of their "
                        + "idempotency keys again")
            case .undone:
                environment.diagnostics.notice(
                    "took the move to the database back, which was not complete: everything is in \(state.path)")
            }
            return 0
        }

        private static func words(_ moved: FleetMove.Moved, from source: String, to target: String) -> String {
            if moved.isEmpty { return "nothing was left to move from \(source) to \(target)" }
            func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
            return "moved \(count(moved.signIns, "sign-in")), \(count(moved.names, "name")) and "
                + "\(count(moved.charges, "charge")) from \(source) to \(target)"
        }
    }
}

extension ErrorReport {
    /// A move between a directory and the database that did not take place.
    init(_ error: FleetMoveError) {
        switch error {
        case .inUse:
            self.init(
                "state_in_use", .tryAgain, "\(error)", "try again when it has ended; to list processes: ps -C clover")
        case .differs:
            self.init(
                "state_differs", .configuration, "\(error)",
                "nothing was moved; sign out of the one in the state directory: CLOVER_STATE=files clover auth logout "
                    + "--profile NAME")
        case .elsewhere:
            self.init(
                "state_elsewhere", .configuration, "\(error)",
                "to see which database is set: clover config list --explain")
        case .closed(_, true):
            self.init(
                "state_moved", .configuration, "\(error)",
                "to share them again, run on that machine: clover state move",
                "or start anew on this machine, without the setting state: set CLOVER_STATE_DIR to an empty directory, and "
                    + "sign in there; it does not know which idempotency keys were charged before, so use new ones",
                "if that machine is lost for good, use a new database")
        case .closed:
            self.init(
                "state_moved", .configuration, "\(error)",
                "complete that move first, on that machine: clover state move --back",
                "or use the database again, also there: clover state move")
        case .unfinished:
            self.init("move_unfinished", .configuration, "\(error)", "complete it first: clover state move")
        case .chargesDiffer(_, let inDirectory, let inDatabase):
            self.init(
                "state_differs", .configuration, "\(error)",
                "nothing was moved; see what is known of each: CLOVER_STATE=files clover charge show \(inDirectory), and: "
                    + "clover charge show \(inDatabase)",
                "if one of them is open, settle it, and move again: CLOVER_STATE=files clover charge recover \(inDirectory), "
                    + "or: clover charge recover \(inDatabase)",
                "two charges of one key are moved as one when they have the same payment at Clover")
        case .kept:
            self.init("state_kept", .tryAgain, "\(error)", "record it: clover charge recover --all")
        case .keptTokens(let kept):
            self.init("state_kept", .tryAgain, "\(error)")
            if let key = kept.key { hints = ["store them: " + State.Key.renewal(of: key, named: kept.profile)] }
        case .unstored(let signIn):
            self.init("state_kept", .tryAgain, "\(error)", hints: State.Key.storing(signIn))
        case .notOwner(let owner):
            self.init(
                "state_not_owner", .configuration, "\(error)",
                "run it with the address of that role: CLOVER_STATE=postgresql://\(owner)@HOST/DATABASE clover state move --back"
            )
        case .ended:
            self.init("move_ended", .bug, "\(error)")
        }
    }
}
