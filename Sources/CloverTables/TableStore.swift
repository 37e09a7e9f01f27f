/// A database of one kind, as exports use it: statements in the SQL that all kinds share, and what differs between them.
///
/// Statements have parameters as `$1`, `$2`, in the order of their first use. Names of tables without a schema are those of
/// the destination. All methods block; one thread at a time may use a store.
protocol TableStore: AnyObject {
    /// What messages name: the path of the file, or the address of the server's database.
    var path: String { get }

    /// Runs `body` without a further transaction.
    func access<Value>(_ body: () throws -> Value) throws(TableError) -> Value

    /// Runs `body` in a transaction that excludes the writes of other exports. It may be run again after an error.
    ///
    /// - Throws: `.away` when it is not known whether the transaction is there.
    func write<Value>(_ body: () throws -> Value) throws(TableError) -> Value

    /// The same for what ends a window, together with the rows that were written before its end.
    func writeWindow<Value>(_ body: () throws -> Value) throws(TableError) -> Value

    /// Takes back the rows that were written before the end of a window that is given up.
    func abandonWindow() throws(TableError)

    /// Runs `body`, which only reads, in a transaction that sees the database as it is at one time.
    func snapshot<Value>(_ body: () throws -> Value) throws(TableError) -> Value

    /// Whether it is fast to count the rows of a table, which is given by its name with the schema.
    func countsFast(_ table: String) throws -> Bool

    /// What is wrong with the database's own structure, as far as that can be looked for; nil for nothing.
    func damage() throws -> String?

    /// The sums of the rows of a table.
    ///
    /// - Parameters:
    ///   - table: its name with the schema.
    ///   - keys: columns of its key.
    ///   - columns: all columns that count, with their types, in a fixed order.
    ///   - condition: about the row `entry`.
    func digest(
        of table: String, keys: [String], columns: [(name: String, type: String)], where condition: String
    ) throws -> TableDigest

    /// The sums of each row by itself. The parameters are those of `digest`.
    func digests(
        of table: String, keys: [String], columns: [(name: String, type: String)], where condition: String
    ) throws -> [TableDigest]

    /// Runs one statement, inside `access`, `write` or `snapshot`.
    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> [[SQLValue]]

    /// What has this name in the schema of the destination; nil for nothing.
    func relation(_ name: String) throws -> Relation?

    /// The columns of a table by name, with their types as the database writes them; empty when there is no table.
    func columns(of table: String) throws -> [String: String]

    /// Creates a table. Its key may wait for `makeKeys`, in the same transaction: it is faster after the rows.
    ///
    /// - Parameters:
    ///   - name: its name with the schema.
    ///   - columns: their definitions.
    ///   - key: the columns of its key, separated by commas.
    func makeTable(_ name: String, columns: [String], key: String) throws

    /// Makes the keys that wait.
    func makeKeys() throws

    /// Creates an index, if there is none of this name.
    func makeIndex(_ name: String, on table: RecordTable, _ column: TableColumn) throws

    /// Creates a view in place of the one of this name.
    ///
    /// - Returns: false when it cannot be made, because others depend on the one that is there, or changed a column.
    func replaceView(_ name: String, _ definition: String) throws -> Bool

    /// A place for the rows of a table until their window is committed.
    ///
    /// - Parameter makeTable: creates the table, or adds the columns that it lacks, for rows that are written before their
    ///   window's end; nil where all have to wait.
    func stagedRows(of table: RecordTable, number: Int, _ makeTable: (() throws -> Void)?) -> any StagedRows

    /// Runs `body`, which adds or drops staged rows.
    func stage(_ body: () throws -> Void) throws(TableError)

    /// Creates an empty temporary table with the text column `id` as key.
    func makeList(named name: String) throws

    /// Drops temporary tables, where they outlive their transaction.
    func dropTemporary(_ names: [String]) throws

    /// Name of a temporary table, with its schema.
    func temporary(_ name: String) -> String

    /// What precedes the name of a table of the destination, so that no temporary one of this name is meant.
    var schema: String { get }

    /// The type of a column; empty for one that converts nothing.
    func type(of kind: TableColumn.Kind) -> String

    var limits: TableLimits { get }

    /// Creates a table of the export itself, whose definition uses types that both kinds know.
    func makeOwnTable(_ definition: String) throws

    /// A number with this many decimals, where the database would show more.
    func rounded(_ number: String, to decimals: Int) -> String

    /// The day of a time.
    func day(of time: String) -> String

    /// A value of a column in a form that can be compared.
    func comparable(_ value: String, _ column: TableColumn) -> String
}

/// What a name in a database belongs to.
enum Relation: Equatable {
    case table
    /// Its definition, in the words with which it was created, unless it was changed since.
    case view(String)
    case other
}

package struct TableLimits: Sendable, Equatable {
    /// Columns of a table. Others may add some, too.
    package var columns: Int
    /// Bytes of a name; nil without a limit.
    package var name: Int?

    package init(columns: Int, name: Int? = nil) {
        self.columns = columns
        self.name = name
    }
}

/// The rows of one table that wait for their window's end. They need no lock of the database.
protocol StagedRows: AnyObject {
    var table: RecordTable { get }
    /// Name of the temporary table, with its schema.
    var name: String { get }

    /// Adds a row with a cell for each column that the table has by now.
    func add(_ cells: [Cell]) throws

    /// Waits until nothing is written any more, outside `access` and `write`.
    func finish() throws

    /// Whether rows were written to the table before their window's end. It was made for them, and has no others.
    var areWritten: Bool { get }

    /// Writes the rows to the table itself, if it has none of their keys and that is faster.
    ///
    /// - Parameter isEmpty: whether the table has no rows.
    /// - Returns: nil when none is written, because they have to go through the temporary table.
    func writeDirectly(isEmpty: Bool) throws -> WrittenRows?

    /// Makes the temporary table, in the transaction that writes the window, with one row for each key if the database needs
    /// that.
    ///
    /// - Parameter time: column that says which of two rows is newer; nil when the later row is.
    func load(key: [String], newerBy time: String?) throws

    /// Whether the temporary table has one row for each key.
    var hasOneRowForEachKey: Bool { get }

    /// Makes the temporary table fast to search by its key.
    func index(key: [String]) throws

    /// Forgets the rows.
    func discard() throws
}

/// Rows that were written to a table that had none of their keys.
struct WrittenRows {
    /// The condition about the row `entry` by which exactly these rows are found.
    let condition: String
    /// Their sums; nil when the database may have other values than it was given.
    let digest: TableDigest?
}

/// A value of a parameter or a result.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)

    package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    /// Truths are 1 and 0.
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var text: String? {
        switch self {
        case .null: nil
        case .integer(let number): "\(number)"
        case .text(let text): text
        }
    }
    package var isTrue: Bool { integer == 1 }
}

extension StagedRows {
    func finish() throws {}

    var areWritten: Bool { false }
}

extension TableStore {
    func writeWindow<Value>(_ body: () throws -> Value) throws(TableError) -> Value { try write(body) }

    func abandonWindow() throws(TableError) {}

    func countsFast(_ table: String) throws -> Bool { true }

    /// The table of the destination, with its schema.
    func name(of table: RecordTable) -> String { schema + TableColumn.quoted(table.name) }

    /// The definition of a column of a new table.
    func definition(of column: TableColumn) -> String {
        "\(column.quoted) \(type(of: column.kind))\(TableDatabase.isKey(column) ? " NOT NULL" : "")"
    }

    @discardableResult
    func run(_ sql: String, _ arguments: SQLValue...) throws -> [[SQLValue]] { try run(sql, arguments) }

    /// The first value of the first row.
    func value(_ sql: String, _ arguments: SQLValue...) throws -> SQLValue {
        try run(sql, arguments).first?.first ?? .null
    }
}
