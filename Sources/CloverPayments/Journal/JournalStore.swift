/// Where the journal's rows and locks are: a file of one machine, or a database that machines share.
///
/// Statements are in the SQL that SQLite and PostgreSQL have in common, with arguments `$1`, `$2`. `json_extract` gives truths as
/// 1 and 0; anything else that is compared with a number is cast to bigint. All methods block.
package protocol JournalStore: Sendable {
    /// Seconds between two looks at a lock that another process holds.
    var lockPause: Double { get }

    /// Runs `body` in a transaction that only reads.
    func read<Value: Sendable>(_ body: @Sendable (any JournalTransaction) throws -> Value) throws -> Value

    /// Runs `body` in a transaction that excludes other writers. When it returns, everything is on the device; when it throws,
    /// nothing has changed, except that a database may not say whether it has: then the error is `JournalError.away`.
    ///
    /// - Parameters:
    ///   - patience: seconds to try again while a database is away that was there before.
    ///   - body: called again if its transaction did not take place.
    func write<Value: Sendable>(
        for patience: Double, _ body: @Sendable (any JournalTransaction) throws -> Value
    ) throws -> Value

    /// Tries to take the lock of an operation without waiting.
    ///
    /// - Parameter place: the operation's row number.
    /// - Returns: nil if another process holds it, or may be alive.
    func lock(_ place: Int64) throws -> OperationLock?

    /// Tries to take the lock of something that is named by a text. Two texts may share one, which only makes them wait.
    func claim(_ text: String) throws -> OperationLock?

    /// Milliseconds since the operation was recorded, by a clock that all its machines share; nil if there is none.
    func age(ofPlace place: Int64) throws -> Int64?

    /// The name of this machine among those that share the journal; nil if no other machine uses it.
    ///
    /// - Parameter creates: whether it is made if there is none.
    func machine(creates: Bool) throws -> String?

    /// Keeps, changes or removes an outcome on this machine which the journal could not record.
    func keepOutcome(_ outcome: String?, of id: String) throws

    /// The outcome that this machine kept; nil if there is none.
    func keptOutcome(of id: String) throws -> String?

    /// The IDs of the operations of which this machine kept an outcome.
    func keptOutcomes() throws -> [String]
}

/// The statements of one transaction.
package protocol JournalTransaction {
    func rows(_ sql: String, _ arguments: [JournalValue]) throws -> [[JournalValue]]
    func execute(_ sql: String, _ arguments: [JournalValue]) throws

    /// Takes the lock of a row that this transaction adds, before other processes can see the row.
    func lockNew(_ place: Int64) throws -> OperationLock

    /// Makes sure that this process still has the operation's lock, and keeps it to the end of the transaction.
    ///
    /// - Throws: `JournalError.overtaken` if another process took it.
    func confirmLock(of id: String) throws

    /// Shows from now on that the journal has had rows.
    func markUsed() throws
}

/// A value of a statement or a row.
package enum JournalValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
    /// The text of a column that keeps JSON. It is read as `text`.
    case json(String)

    package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var text: String? {
        switch self {
        case .text(let text), .json(let text): text
        case .integer(let number): "\(number)"
        case .null: nil
        }
    }
}

/// The lock of an operation, held while a process works on it. It prevents another process from recovering an operation in
/// progress, and lets only one of two recovering processes proceed. It is released with this value, and when the process dies.
package final class OperationLock: Sendable {
    private let held: any AnyObject & Sendable

    /// - Parameter held: releases the lock when it is released itself.
    package init(_ held: any AnyObject & Sendable) {
        self.held = held
    }
}

/// Errors of the journal itself. Trouble with its file is a `StateDatabaseError`.
package enum JournalError: Error, Equatable, Sendable {
    /// Another process has settled the operation in the meantime.
    case transition(id: String, from: OperationState, to: OperationState)
    /// Another process has taken the operation's lock, after this one had lost it with the connection.
    case overtaken(id: String)
    /// No row has this ID.
    case missing(id: String)
    /// A row that no version of this program could have written.
    case malformed(id: String)
    /// The lock file cannot be used.
    case lock(path: String, errno: Int32)
    /// The database with the journal cannot be reached now.
    case away(address: String, message: String)
    /// The database cannot keep the journal until someone changes something: its settings, its tables or this program.
    case unusable(address: String, message: String, fix: String)
}

extension JournalError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .transition(let id, let from, let to):
            "\(id) is now \(from.rawValue), and cannot become \(to.rawValue): another process settled it"
        case .overtaken(let id): "the connection to the journal was lost, and another process has taken over \(id)"
        case .missing(let id): "no operation \(id) in the journal"
        case .malformed(let id): "the journal has a row that cannot be read: \(id)"
        case .lock(let path, let number): "\(path) cannot be locked (errno \(number))"
        case .away(let address, let message), .unusable(let address, let message, _):
            "the journal in \(address) cannot be used: \(message)"
        }
    }
}
