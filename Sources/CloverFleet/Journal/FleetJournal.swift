package import CloverPayments
import CloverRateLimit
package import CloverSystem
import CloverTables
import Glibc
import Synchronization

/// The journal of charges in a PostgreSQL database, which many machines share; see `FleetSchema.journalTables`.
///
/// Changes are one at a time in the whole database, as in a file: one advisory lock is held by the transaction of each. Locks of
/// operations belong to a session of their own.
package struct FleetJournal: JournalStore {
    package let lockPause = 0.25
    private let session: FleetSession
    private let locks: FleetOperationLocks
    private let machine: FleetMachine

    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - url: address without a password.
    ///   - state: keeps this machine's name, and outcomes that the database could not record.
    ///   - openLimit: seconds from now in which the first sessions must have begun; nil for the usual ones.
    ///   - waits: counts the time that a charge waits for the database.
    ///   - onAway: called once for each change that waits for the database, on any thread.
    package init(
        _ url: String, state: StateDirectory, openLimit: Double? = nil, waits: DatabaseWaits? = nil,
        onAway: @escaping @Sendable (JournalError) -> Void = { _ in }
    ) {
        machine = FleetMachine(state)
        session = FleetSession(url, openLimit: openLimit, waits: waits, onAway: onAway)
        locks = FleetOperationLocks(url, openLimit: openLimit, waits: waits)
    }

    package func read<Value: Sendable>(
        _ body: @Sendable (any JournalTransaction) throws -> Value
    ) throws -> Value {
        try session.read { try body(Transaction(connection: $0, locks: locks)) }
    }

    package func write<Value: Sendable>(
        for patience: Double, _ body: @Sendable (any JournalTransaction) throws -> Value
    ) throws -> Value {
        try session.write(for: patience) { try body(Transaction(connection: $0, locks: locks)) }
    }

    package func lock(_ place: Int64) throws -> OperationLock? { try locks.take(.operation(place)) }

    package func claim(_ text: String) throws -> OperationLock? { try locks.take(.claim(text)) }

    package func age(ofPlace place: Int64) throws -> Int64? {
        try session.read { connection in
            try connection.runInSession(
                """
                SELECT (extract(epoch FROM clock_timestamp() - recorded_at) * 1000)::bigint
                FROM clover_state.operations WHERE place = $1
                """, [.integer(place)]
            ).first?.first?.integer
        }
    }

    package func machine(creates: Bool) throws -> String? {
        creates ? try machine.identifier() : try machine.knownIdentifier()
    }

    package func keepOutcome(_ outcome: String?, of id: String) throws {
        if let outcome { try machine.keep(outcome, of: id) } else { try machine.forgetOutcome(of: id) }
    }

    package func keptOutcome(of id: String) throws -> String? { try machine.keptOutcome(of: id) }

    package func keptOutcomes() throws -> [String] { try machine.keptOutcomes() }

    private struct Transaction: JournalTransaction {
        let connection: FleetConnection
        let locks: FleetOperationLocks

        func rows(_ sql: String, _ arguments: [JournalValue]) throws -> [[JournalValue]] {
            try connection.journalRows(sql, arguments)
        }

        func execute(_ sql: String, _ arguments: [JournalValue]) throws { _ = try rows(sql, arguments) }

        func lockNew(_ place: Int64) throws -> OperationLock {
            let lock = try locks.takeNew(place)
            try connection.runInSession(
                "UPDATE clover_state.operations SET owner = $1, alive_at = clock_timestamp() WHERE place = $2",
                [.integer(locks.client), .integer(place)])
            return lock
        }

        /// The session's lock may be lost and not noticed yet, so the row decides.
        func confirmLock(of id: String) throws {
            let rows = try connection.runInSession(
                """
                UPDATE clover_state.operations SET alive_at = clock_timestamp() WHERE id = $1 AND owner = $2
                RETURNING place
                """, [.text(id), .integer(locks.client)])
            if rows.isEmpty { throw JournalError.overtaken(id: id) }
        }

        /// The tables are there before the first row.
        func markUsed() {}
    }
}

extension FleetConnection {
    func journalRows(_ sql: String, _ arguments: [JournalValue]) throws -> [[JournalValue]] {
        try runInSession(sql, arguments.map(JournalText.sqlValue)).map { $0.map(JournalText.value) }
    }
}

/// Text as PostgreSQL can store it. It has no NUL character, which a hand-off's state may contain, and its JSON functions refuse
/// the escape of one. In its place is U+10FFFF, which is no character, and a digit.
enum JournalText {
    private static let mark = Unicode.Scalar(0x10FFFF).map(Character.init) ?? "?"

    static func sqlValue(_ value: JournalValue) -> SQLValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .text(encoded(text))
        case .json(let text): .text(encoded(withoutEscapedNUL(text)))
        }
    }

    static func value(_ value: SQLValue) -> JournalValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .text(decoded(text))
        }
    }

    private static func encoded(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value == 0 || $0.value == 0x10FFFF }) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar.value == 0 || scalar.value == 0x10FFFF else {
                scalars.append(scalar)
                continue
            }
            scalars += "\(mark)\(scalar.value == 0 ? "0" : "1")".unicodeScalars
        }
        return String(scalars)
    }

    private static func decoded(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value == 0x10FFFF }) else { return text }
        var scalars = String.UnicodeScalarView()
        var isMarked = false
        for scalar in text.unicodeScalars {
            if isMarked {
                scalars += (scalar == "0" ? "\0" : "\(mark)").unicodeScalars
                isMarked = false
            } else if scalar.value == 0x10FFFF {
                isMarked = true
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Replaces each escape of a NUL by the character. One that ends another escape, as in `\\\\u0000`, is none.
    private static func withoutEscapedNUL(_ json: String) -> String {
        let (bytes, escape) = (Array(json.utf8), Array("\\u0000".utf8))
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] != UInt8(ascii: "\\") {
                result.append(bytes[place])
                place += 1
            } else if bytes[place...].starts(with: escape) {
                result.append(0)
                place += escape.count
            } else {
                result += bytes[place..<min(place + 2, bytes.count)]
                place += 2
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
