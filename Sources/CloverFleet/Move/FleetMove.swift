package import CloverAuth
import CloverPayments
import CloverRateLimit
package import CloverSystem
import Glibc

/// Moves sign-ins, their names and the journal of charges from the state directory to the database, or back.
///
/// At each time, one of both places may be used at most:
///
/// 1. The source refuses all programs, durably, after a check that nothing in it is in use and that the target takes it.
/// 2. The target gets everything. The database does so in one transaction; a directory refuses all programs until it is complete.
/// 3. The source records that it was left, and tokens are removed from it.
///
/// A move that was killed at any point is completed by the same move. Before the second step, the opposite move takes it back:
/// also without the database, until the directory's mark says that it may have committed something.
package struct FleetMove: Sendable {
    private let url: String
    private let keys: StateKeyFile
    private let state: StateDirectory
    private let store: FileCredentialStore
    private let names: ProfileStore
    private let pause: Double
    private let onRemoval: @Sendable (_ path: String) -> Void
    private let onStep: @Sendable (Step) throws -> Void

    /// What this run, or an earlier one that it completed, moved; nothing if nothing was left to move.
    package struct Moved: Equatable, Sendable {
        package var signIns = 0
        package var names = 0
        package var charges = 0

        package var isEmpty: Bool { self == Moved() }
    }

    /// The end of a move to a directory.
    package enum Back: Equatable, Sendable {
        case moved(Moved)
        /// A move to the database was begun, and was taken back instead.
        case undone
    }

    /// A point at which the process may be killed, for tests.
    package enum Step: CaseIterable, Sendable {
        case marked, sealed, sending, filled, left, removed, closed, arriving, journal, tokens, arrived
    }

    private static let lockName = ".moved.lock"

    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - vault: the keyring, for sign-ins in it.
    ///   - pause: seconds between the last use of the source and the first of the target: Clover counts requests for a second, and
    ///     the target does not know of those that the source counted.
    ///   - onRemoval: called for each file with tokens that this machine kept for a sign-in that has ended since.
    ///   - onStep: called after each step; throws as if the process had ended, in tests.
    package init(
        _ url: String, keys: StateKeyFile, state: StateDirectory, vault: (any SecretVault)?, pause: Double = 1.1,
        onRemoval: @escaping @Sendable (_ path: String) -> Void = { _ in },
        onStep: @escaping @Sendable (Step) throws -> Void = { _ in }
    ) {
        self.url = url
        self.keys = keys
        self.state = state.forMoving
        store = FileCredentialStore(state: state.forMoving, vault: vault)
        names = ProfileStore(state: state.forMoving)
        self.pause = pause
        self.onRemoval = onRemoval
        self.onStep = onStep
    }

    // MARK: To the database

    /// Moves the directory's sign-ins and charges into the database. What it has already must be the same.
    ///
    /// - Throws: `FleetMoveError`, and the errors of both places.
    package func toDatabase() async throws -> Moved {
        let lock = try await lock()
        let found = try await mark()
        try await check(found)
        if let found, found.stage == .left || found.stage == .arriving && found.replaces == true,
            let left = try await inSession("", { try $0.value.left() }), left.place == place, !left.isComplete
        {
            return try await takeBack(left.move, as: found.stage == .left ? found.move : left.move, lock)
        }
        if found?.stage == .left, let found {
            let moved = try await result(of: found.move)
            let isCompleted = try await removeTokens()
            try await refuseClosed()
            // A move that was complete before is not reported again.
            return isCompleted ? moved ?? Moved() : Moved()
        }
        if found?.stage == .arrived, let move = found?.move {
            // The database does not know yet that it was left.
            let left = try await inSession(move) { try $0.value.left() }
            if let left, left.move == move, !left.isComplete { try await inSession(move) { try $0.value.empty() } }
        }
        let isResumed = found?.stage == .leaving
        let needsKey = try await !store.keysInUse().isEmpty
        if !isResumed { try await inSession("") { try $0.value.check(needsKey: needsKey) } }
        let journal = try await takeJournal()
        // Half a move to the directory needs the database to be taken back.
        let isFirst = !isResumed && found?.stage != .arriving
        let mark = MoveMark(
            isFirst ? .preparing : .leaving, move: isResumed ? found?.move ?? "" : Self.identifier(), place: url)
        try await set(mark, lock)
        let moved: Moved
        var isFilling = false
        do {
            try onStep(.marked)
            if isResumed, let earlier = try await result(of: mark.move) {
                moved = earlier
            } else {
                isFilling = true
                let leases = try await leases()
                moved = try await fill(mark.move, leases, journal, lock, former: found?.move)
                for lease in leases { lease.release() }
            }
        } catch {
            if isFilling, try await isUndone(error) {
                // The transaction did not take place, and none of an earlier process can any more.
                try await DedicatedThread.run { try journal.giveBack() }
                try await set(isResumed || found?.stage == .preparing ? nil : found, lock)
            }
            throw error
        }
        try onStep(.filled)
        try await set(MoveMark(.left, move: mark.move, place: url), lock)
        try onStep(.left)
        try await removeTokens()
        try onStep(.removed)
        // An earlier process may have filled it, before another machine moved it away.
        if !isFilling { try await refuseClosed() }
        return moved
    }

    /// Refuses to report an earlier move into a database whose content is in the directory of another machine by now.
    ///
    /// This directory stays closed, too: it does not know which keys were charged since.
    private func refuseClosed() async throws {
        guard let left = try await inSession("", { try $0.value.left() }) else { return }
        throw FleetMoveError.closed(by: left.place, isComplete: left.isComplete)
    }

    /// Takes back a move to this directory that is not complete: the database has everything still.
    private func takeBack(_ back: String, as move: String, _ lock: HeldLock) async throws -> Moved {
        let journal = try await takeJournal()
        // Programs that know nothing of moves refuse it again.
        try await DedicatedThread.run { try journal.read { _ in } }
        let moved = try await inSession(back) { try $0.value.takeBack(as: move) }
        try await set(MoveMark(.left, move: move, place: url), lock)
        try await removeTokens()
        return moved
    }

    /// - Parameter former: the directory's last move, by which it may use a database again that was moved to it.
    private func fill(
        _ move: String, _ leases: [any CredentialLease], _ journal: MovingJournal, _ lock: HeldLock, former: String?
    ) async throws -> Moved {
        var content = MoveSession.Content()
        for lease in leases {
            guard var credential = try await lease.load() else { continue }
            credential.isInKeyring = false
            content.credentials.append((credential, try await lease.journal()))
        }
        content.names = try await names.all()
        let whole = content
        return try await inSession(move) { session in
            let machine = try FleetMachine(state).identifier()
            return try journal.read { source in
                try onStep(.sealed)
                usleep(useconds_t(pause * 1e6))
                return try session.value.add(whole, move, source, machine: machine, former: former) {
                    try write(MoveMark(.leaving, move: move, place: url), lock)
                    try onStep(.sending)
                }
            }
        }
    }

    private func result(of move: String) async throws -> Moved? {
        try await inSession(move) { try $0.value.result(of: move) }
    }

    /// Removes the tokens and names that the database has.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    private func removeTokens() async throws -> Bool {
        var leftover: CredentialError?
        var wereThere = false
        for lease in try await leases() {
            do throws(CredentialError) {
                if try await lease.remove() { wereThere = true }
            } catch {
                guard case .leftInKeyring = error else { throw error }
                leftover = error
            }
        }
        for (name, _) in try await names.all() {
            _ = try await names.remove(name)
            wereThere = true
        }
        if let leftover { throw leftover }
        return wereThere
    }

    // MARK: To the directory

    /// Moves everything in the database into the directory. What it has already must be the same.
    ///
    /// - Throws: `FleetMoveError`, and the errors of both places.
    package func toDirectory() async throws -> Back {
        let lock = try await lock()
        let found = try await mark()
        try await check(found)
        if let found, found.stage == .preparing || found.stage == .leaving {
            // Nothing was committed, or it is asked whether that took place.
            if found.stage == .leaving, try await result(of: found.move) != nil { throw FleetMoveError.unfinished }
            let journal = try await takeJournal()
            try await DedicatedThread.run { try journal.giveBack() }
            try await set(nil, lock)
            return .undone
        }
        let left = try await inSession("") { try $0.value.left() }
        if let left, left.place != place || left.isComplete && found?.move != left.move {
            throw FleetMoveError.closed(by: left.place, isComplete: left.isComplete)
        }
        if found?.stage == .arrived, let left, found?.move == left.move {
            // Only the database does not know yet that it is complete.
            if !left.isComplete { try await inSession(left.move) { try $0.value.empty() } }
            return .moved(Moved())
        }
        try await checkKept()
        let move = left?.move ?? Self.identifier()
        let replaces = found?.stage == .left || found?.stage == .arriving && found?.replaces == true
        let journal = try await takeJournal()
        let content = try await inSession(move) { try $0.value.content() }
        if !replaces { try await compare(content) }
        if left == nil { try await inSession(move) { try $0.value.leave(move) } }
        try onStep(.closed)
        try await set(MoveMark(.arriving, move: move, place: url, replaces: replaces), lock)
        try onStep(.arriving)
        // Nothing changes in the database any more.
        let last = try await inSession(move) { try $0.value.content() }
        let charges = try await inSession(move) { session in
            let machine = try FleetMachine(state).knownIdentifier()
            return try journal.write(replaces: replaces) {
                try session.value.copyJournal(to: $0, machine: machine)
            }
        }
        try onStep(.journal)
        try await store(last)
        try onStep(.tokens)
        try await Task.sleep(for: .seconds(pause))
        try await set(MoveMark(.arrived, move: move, place: url), lock)
        try onStep(.arrived)
        try await inSession(move) { try $0.value.empty() }
        return .moved(Moved(signIns: last.credentials.count, names: last.names.count, charges: charges))
    }

    /// Refuses to replace a sign-in or a name that the database does not have.
    private func compare(_ content: MoveSession.Content) async throws {
        for (credential, _) in content.credentials {
            guard var own = try await store.load(credential.key) else { continue }
            own.isInKeyring = false
            if own != credential { throw FleetMoveError.differs("the sign-in of \(credential.key.words)") }
        }
        let own = try await names.all()
        for (name, key) in content.names where own[name] != nil && own[name] != key {
            throw FleetMoveError.differs("the name '\(name)'")
        }
    }

    private func store(_ content: MoveSession.Content) async throws {
        for (credential, journal) in content.credentials {
            let lease = try await store.lease(credential.key, patience: 0, onWait: {})
            defer { lease.release() }
            try await lease.save(credential)
            try await lease.setJournal(journal)
        }
        for (name, key) in content.names { try await names.set(name, key) }
    }

    /// Refuses to leave a database that does not have what this machine kept for it.
    private func checkKept() async throws {
        if let id = try FleetMachine(state).keptOutcomes().first {
            throw FleetMoveError.kept(path: "\(state.path)/\(FleetMachine.name(id))")
        }
        let state = state
        let kept = try await inSession("") { try $0.value.kept(in: state) }
        if let first = kept.first(where: { $0.key != nil }) { throw FleetMoveError.keptTokens(first) }
        guard !kept.isEmpty else { return }
        for path in try await inSession("", { try $0.value.removeUnneeded(in: state) }) { onRemoval(path) }
    }

    // MARK: Both

    /// This directory, for others.
    private var place: String { "\(FleetConnection.host):\(state.path)" }

    private static func identifier() -> String { (0..<8).map { _ in UInt8.random(in: 0...255) }.hexadecimalDigits }

    /// Excludes other moves of the directory.
    private func lock() async throws -> HeldLock {
        let state = state
        return try await DedicatedThread.run {
            let directory = try state.prepare()
            // One that has just ended may not have released it yet.
            for _ in 0..<200 {
                if let lock = try FileLock.tryAcquire(Self.lockName, in: directory) { return HeldLock(lock) }
                usleep(10_000)
            }
            throw FleetMoveError.inUse("the state: another 'clover state move' runs")
        }
    }

    private final class HeldLock: Sendable {
        let lock: FileLock

        init(_ lock: consuming FileLock) { self.lock = lock }
    }

    private func mark() async throws -> MoveMark? {
        let state = state
        return try await DedicatedThread.run { try MoveMark.read(in: state) }
    }

    private func set(_ mark: MoveMark?, _ held: HeldLock) async throws {
        try await DedicatedThread.run { try write(mark, held) }
    }

    private func write(_ mark: MoveMark?, _ held: HeldLock) throws {
        try MoveMark.set(mark, in: try state.prepare(), holding: held.lock)
    }

    /// Refuses a database that does not have what this directory had, or is not the one that is getting it. The address of the
    /// right one may have changed.
    private func check(_ mark: MoveMark?) async throws {
        guard let mark, mark.stage != .arrived, mark.stage != .preparing, mark.place != url else { return }
        if mark.stage == .arriving {
            if try await inSession(mark.move, { try $0.value.left() })?.move == mark.move { return }
        } else if try await result(of: mark.move) != nil {
            return
        }
        throw FleetMoveError.elsewhere(mark.place)
    }

    private func takeJournal() async throws -> MovingJournal {
        let state = state
        guard let journal = try await DedicatedThread.run({ try MovingJournal.take(in: state) }) else {
            throw FleetMoveError.inUse("a charge")
        }
        return journal
    }

    /// Leases of all sign-ins of the directory.
    private func leases() async throws -> [any CredentialLease] {
        var leases: [any CredentialLease] = []
        for key in try await store.keysInUse() {
            do throws(CredentialError) {
                leases.append(try await store.lease(key, patience: 0, onWait: {}))
            } catch .lockBusy {
                throw FleetMoveError.inUse("the tokens of \(key.words)")
            }
        }
        return leases
    }

    /// The session, in a separate thread.
    private final class Confined: @unchecked Sendable {
        // Made and used in one thread only.
        let value: MoveSession

        init(_ value: MoveSession) { self.value = value }
    }

    private func inSession<Value: Sendable>(
        _ move: String, _ body: @escaping @Sendable (Confined) throws -> Value
    ) async throws -> Value {
        let (url, keys, place) = (url, keys, place)
        return try await DedicatedThread.run {
            let session = Confined(MoveSession(url, keys, place: place, move: move))
            defer { session.value.close() }
            return try body(session)
        }
    }

    /// Whether it is certain after this error that the database has nothing of the move.
    private func isUndone(_ error: any Error) async throws -> Bool {
        // As if this process had been killed.
        if case FleetMoveError.ended = error { return false }
        if Self.isRefusal(error) { return true }
        return try await mark()?.stage == .preparing
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as LedgerError: if case .away = error { false } else { true }
        case let error as CredentialError: !error.isAway
        case let error as JournalError: if case .away = error { false } else { true }
        default: true
        }
    }
}

/// Why nothing was moved.
package enum FleetMoveError: Error, Equatable, Sendable {
    /// A process works on this.
    case inUse(String)
    /// Both places have this, and it is not the same.
    case differs(String)
    /// Both places have a charge with this ID or idempotency key, and it is not the same.
    case chargesDiffer(key: String, inDirectory: String, inDatabase: String)
    /// What is to be moved is elsewhere, or on its way there.
    case elsewhere(String)
    /// The content of the database was moved to this directory of another machine, or is on its way there.
    case closed(by: String, isComplete: Bool)
    /// A move in the other direction has got so far that it must be completed.
    case unfinished
    /// This machine keeps something that the database does not have yet.
    case kept(path: String)
    /// The same, which are tokens.
    case keptTokens(KeptTokens)
    /// The database does not have the new tokens of this sign-in, and another machine may.
    case unstored(UnstoredSignIn)
    /// The tables belong to this role, and the user is another one.
    case notOwner(String)
    /// The process ended, in tests.
    case ended
}

extension FleetMoveError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let what): "cannot move: a process is using \(what)"
        case .differs(let what): "cannot move: both places have \(what), and it is not the same"
        case .elsewhere(let place): "cannot move: the sign-ins and charges are in \(place), or on their way there"
        case .closed(let place, let isComplete):
            "cannot move: the database is closed; its sign-ins and charges "
                + (isComplete ? "were moved to \(place)" : "are on their way to \(place)")
        case .unfinished: "cannot move back: a move to the database is not complete"
        case .chargesDiffer(_, let id, let other) where id == other:
            "cannot move: both places have the charge \(id), and it is not the same"
        case .chargesDiffer(let key, let inDirectory, let inDatabase):
            "cannot move: the idempotency key '\(key)' belongs to \(inDirectory) in the state directory, and to "
                + "\(inDatabase) in the database, which do not have the same payment"
        case .kept(let path): "cannot move: the database may not have what is in \(path) yet"
        case .keptTokens(let kept):
            "cannot move: the database may not have the new tokens of \(kept.key?.words ?? "a sign-in") yet, which are "
                + "in \(kept.path)"
        case .unstored(let signIn):
            "cannot move back: the tokens of \(signIn.key.words) were renewed, and the new ones are not in the database"
        case .notOwner(let owner): "cannot move back: only the owner of the tables, the role \(owner), can close them"
        case .ended: "the process ended"
        }
    }
}
