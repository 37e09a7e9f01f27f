import CloverDatabase
package import CloverSystem
import FoundationEssentials

/// The journal in a file while its rows are moved to a database, or back. No other process uses it meanwhile. All methods block.
package final class MovingJournal: Sendable {
    private let directory: StateDirectory
    private let locks: KernelLock

    private init(_ directory: StateDirectory, _ locks: KernelLock) {
        self.directory = directory
        self.locks = locks
    }

    /// Takes the locks of all operations. A journal that does not exist is created, so that no process creates one meanwhile.
    ///
    /// - Returns: nil if a process works on an operation.
    package static func take(in directory: StateDirectory) throws -> MovingJournal? {
        let mover = directory.forMoving
        do {
            _ = try JournalFile.open(in: mover)
        } catch StateDatabaseError.storage(.moved) {
            // A move has begun.
        }
        try KernelLock.prepare(in: mover)
        return try KernelLock.tryAcquireAll(in: mover).map { MovingJournal(mover, $0) }
    }

    /// Makes the file refuse all other programs, and reads it in one transaction.
    package func read<Value: Sendable>(
        _ body: @Sendable (any JournalTransaction) throws -> Value
    ) throws -> Value {
        try JournalFile.sealed(in: directory).read(body)
    }

    /// Lets other programs open the file again, with its rows as they are.
    package func giveBack() throws {
        try JournalFile.sealed(in: directory).write(for: 0) { try JournalFile.unseal($0) }
    }

    /// Adds rows, and lets other programs open the file again, in one transaction.
    ///
    /// - Parameter replaces: whether the rows of the file are removed before.
    package func write<Value: Sendable>(
        replaces: Bool, _ body: @Sendable (any JournalTransaction) throws -> Value
    ) throws -> Value {
        try JournalFile.sealed(in: directory).write(for: 0) { database in
            if replaces {
                try database.execute("DELETE FROM transitions", [])
                try database.execute("DELETE FROM operations", [])
            }
            let value = try body(database)
            try JournalFile.unseal(database)
            return value
        }
    }
}

/// Copies all operations from one journal to another, with their transitions, in their order.
package struct JournalCopy {
    /// What becomes of the name of the machine that recorded an operation.
    package enum Machine: Sendable {
        /// Operations of a file have none, and get this one.
        case enters(String)
        /// Operations of this machine have none in its file.
        case leaves(String?)
    }

    /// An operation that both journals have, and that is not the same in both.
    package struct Difference: Error, Equatable, Sendable {
        package let id: String
        /// The target's operation: with the same ID, or with the same idempotency key.
        package let other: String
        package let key: String
    }

    private let source: any JournalTransaction
    private let target: any JournalTransaction
    private let machine: Machine

    /// Rows that are read at once.
    private static let pageSize: Int64 = 500
    private static let parentColumn = 2
    private static let requestColumn = 10
    private static let outcomeColumn = 12
    private static let keyColumn = 6

    package init(from source: any JournalTransaction, to target: any JournalTransaction, _ machine: Machine) {
        self.source = source
        self.target = target
        self.machine = machine
    }

    /// Copies what the target does not have. New rows are the newest of the target. An operation that has the key and the
    /// payment of one of the target is that one, whatever its ID.
    ///
    /// - Returns: number of operations in the source.
    /// - Throws: `Difference`.
    package func run() throws -> Int {
        /// The IDs in the target of operations that both have, by those in the source.
        var known: [String: String] = [:]
        var (count, last) = (0, Int64(0))
        while true {
            let rows = try source.rows(
                "SELECT place, \(OperationRow.columns) FROM operations WHERE place > $1 ORDER BY place LIMIT $2",
                [.integer(last), .integer(Self.pageSize)])
            for row in rows {
                var values = try converted(Array(row.dropFirst()))
                if let parent = values[Self.parentColumn].text, let same = known[parent] {
                    values[Self.parentColumn] = .text(same)
                }
                if let id = try match(values) { known[values[0].text ?? ""] = id } else { try add(values) }
            }
            count += rows.count
            guard let next = rows.last?.first?.integer else { break }
            last = next
        }
        try copyTransitions(besides: Set(known.keys))
        return count
    }

    private func copyTransitions(besides known: Set<String>) throws {
        var last = Int64(0)
        while true {
            let rows = try source.rows(
                "SELECT rowid, operation, at, state, detail FROM transitions WHERE rowid > $1 ORDER BY rowid LIMIT $2",
                [.integer(last), .integer(Self.pageSize)])
            for row in rows where !known.contains(row[1].text ?? "") {
                try target.execute(
                    "INSERT INTO transitions (operation, at, state, detail) VALUES ($1, $2, $3, $4)",
                    Array(row.dropFirst()))
            }
            guard let next = rows.last?.first?.integer else { return }
            last = next
        }
    }

    /// The ID of the operation in the target; nil if the target does not have it.
    private func match(_ values: [JournalValue]) throws -> String? {
        let id = values[0]
        let found = try target.rows(
            "SELECT \(OperationRow.columns) FROM operations WHERE id = $1 OR idempotency_key = $2",
            [id, values[Self.keyColumn]])
        guard let row = found.first else { return nil }
        if found.count == 1, row[0] != id, try Self.isSamePayment(row, values) { return row[0].text }
        let changes = "SELECT at, state, detail FROM transitions WHERE operation = $1 ORDER BY rowid"
        guard found.count == 1, row.map(Self.escaped) == values.map(Self.escaped),
            try target.rows(changes, [id]) == source.rows(changes, [id])
        else {
            let other = found.first { $0[0] != id } ?? row
            throw Difference(id: id.text ?? "", other: other[0].text ?? "", key: values[Self.keyColumn].text ?? "")
        }
        return id.text
    }

    /// Whether both have the same payment at Clover.
    private static func isSamePayment(_ first: [JournalValue], _ second: [JournalValue]) throws -> Bool {
        let one = try OperationRow.operation(first)
        let other = try OperationRow.operation(second)
        return one.kind == other.kind && one.environment == other.environment && one.merchantID == other.merchantID
            && one.outcome.paymentID != nil && one.outcome.paymentID == other.outcome.paymentID
    }

    private func add(_ values: [JournalValue]) throws {
        // No machine knows how long ago the operation was recorded, so it counts as old.
        let isShared = if case .enters = machine { true } else { false }
        try target.execute(
            """
            INSERT INTO operations (\(OperationRow.columns)\(isShared ? ", recorded_at" : ""))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15\(isShared ? ", 'epoch'" : ""))
            """, values)
    }

    /// The row as it is written to the target.
    private func converted(_ row: [JournalValue]) throws -> [JournalValue] {
        var values = row
        for column in [Self.requestColumn, Self.outcomeColumn] {
            values[column] = .json(Self.escaped(row[column]) ?? "")
        }
        values[Self.requestColumn] = .json(try named(values[Self.requestColumn].text ?? ""))
        return values
    }

    /// A database gives the character in place of its escape, which JSON cannot have.
    private static func escaped(_ value: JournalValue) -> String? { value.text?.replacing("\0", with: "\\u0000") }

    /// A request with the machine's name, or without it. Other bytes stay as they are.
    private func named(_ text: String) throws -> String {
        var request = try JSONDecoder().decode(OperationRequest.self, from: Data(text.utf8))
        switch machine {
        case .enters(let name):
            guard request.machine == nil, text.hasPrefix("{\"") else { return text }
            return Self.prefix(name) + text.dropFirst()
        case .leaves(let name):
            guard let name, request.machine == name else { return text }
            if text.hasPrefix(Self.prefix(name)) { return "{" + text.dropFirst(Self.prefix(name).count) }
            request.machine = nil
            return try BodyText.encode(request)
        }
    }

    private static func prefix(_ machine: String) -> String { "{\"machine\":\"\(machine)\"," }
}
