/// Rows in the form of `COPY ... (FORMAT binary)`, on this machine until their window is written.
///
/// Those of a table that does not exist yet are also sent while the window is read: see `PostgreSQLEarlyRows`.
final class PostgreSQLStagedRows: StagedRows {
    let table: RecordTable
    let name: String
    private unowned let store: PostgreSQLStore
    private var spool = RowSpool()
    /// Where rows with this number of columns begin.
    private var segments: [(columns: Int, start: Int)] = []
    private var columns: [(kind: TableColumn.Kind, seed: Int64, isKey: Bool)] = []
    private var digest = TableDigest()
    private var row: [UInt8] = []
    /// Whether rows are sent before their window's end.
    private var isEarly: Bool
    /// The table that these rows are in; nil before there are any.
    private var early: PostgreSQLEarlyRows.Table?
    /// Number of bytes that are sent early, or wait for it.
    private var earlyCount = 0
    /// The columns by then.
    private var earlyColumns: [PostgreSQLEarlyRows.Column] = []

    init(_ table: RecordTable, in store: PostgreSQLStore, number: Int, isEarly: Bool) {
        self.table = table
        self.store = store
        self.isEarly = isEarly
        name = store.temporary("stage_\(number)")
    }

    func add(_ cells: [Cell]) throws {
        if segments.last?.columns != cells.count {
            segments.append((cells.count, spool.count))
            let keys = TableDatabase.key(table.columns.map(\.name))
            columns = table.columns.map { ($0.kind, TableDigest.seed(of: $0.name), keys.contains($0.name)) }
        }
        // Its memory is used again.
        var row: [UInt8] = []
        swap(&row, &self.row)
        row.removeAll(keepingCapacity: true)
        let columns = columns
        PostgreSQLRow.append(UInt16(cells.count), to: &row)
        var (keyHash, hash) = (0 as UInt64, 0 as UInt64)
        for place in cells.indices {
            let (column, start) = (columns[place], row.count)
            PostgreSQLRow.append(cells[place], column.kind, to: &row)
            // The value is after its length, which is -1 for NULL.
            guard row[start] & 0x80 == 0 else { continue }
            let one = row.withUnsafeBytes {
                PostgreSQLRow.hash(UnsafeRawBufferPointer(rebasing: $0[(start + 4)...]), column.kind, column.seed)
            }
            hash ^= one
            if column.isKey { keyHash ^= one }
        }
        digest.rows += 1
        digest.keys &+= Self.sum(of: keyHash)
        digest.contents &+= Self.sum(of: hash)
        try row.withUnsafeBytes { try spool.append($0) }
        self.row = row
        if isEarly, spool.stored > earlyCount { sendEarly() }
    }

    /// Begins to send the rows that went to the file.
    private func sendEarly() {
        early = early ?? store.earlyTable(for: table)
        guard let early, let file = spool.file else {
            isEarly = false
            return
        }
        if earlyColumns.count < table.columns.count {
            earlyColumns = table.columns.map { ($0.quoted, store.definition(of: $0)) }
        }
        for part in parts(from: earlyCount, to: spool.stored) {
            // Mostly the same array for all pieces that wait.
            let columns = part.columns < earlyColumns.count ? Array(earlyColumns[..<part.columns]) : earlyColumns
            store.sendEarly(
                PostgreSQLEarlyRows.Piece(
                    table: early, columns: columns, file: file, start: part.start, end: part.end))
        }
        earlyCount = spool.stored
    }

    /// What a row adds to the sums.
    private static func sum(of hash: UInt64) -> Int64 {
        Int64(PostgreSQLHash.of(Int64(bitPattern: hash), 0) & 0xFFFF_FFFF)
    }

    /// The rows of a table that has others would not be found again without reading it as a whole.
    func writeDirectly(isEmpty: Bool) throws -> WrittenRows? {
        guard isEmpty else { return nil }
        let types = try store.columns(of: table.name)
        // A column that the user changed has another form.
        guard table.columns.allSatisfy({ types[$0.name] == store.type(of: $0.kind) }) else { return nil }
        try store.run("SAVEPOINT direct")
        do {
            try copy(to: store.name(of: table), from: store.adopt(early, as: table))
            try store.makeKeys()
        } catch let failure as PostgreSQLFailure where failure.code == "23505" {
            // Rows with the same key.
            try store.run("ROLLBACK TO direct")
            return nil
        }
        try store.run("RELEASE direct")
        return WrittenRows(condition: "true", digest: try store.keepsValues(of: table) ? digest : nil)
    }

    let hasOneRowForEachKey = true

    func load(key: [String], newerBy time: String?) throws {
        let columns = table.columns.map { "\($0.quoted) \(store.type(of: $0.kind))" }
        try store.run("CREATE TEMPORARY TABLE \(name) (\(columns.joined(separator: ", "))) ON COMMIT DROP")
        try copy(to: name)
        let key = key.joined(separator: ", ")
        // A statement cannot change a row twice.
        let hasTwins = try store.value("SELECT EXISTS (SELECT 1 FROM \(name) GROUP BY \(key) HAVING count(*) > 1)")
        if hasTwins.isTrue {
            let newest = time.map { "\($0) DESC NULLS LAST, " } ?? ""
            try store.run(
                """
                DELETE FROM \(name) WHERE ctid NOT IN (
                    SELECT DISTINCT ON (\(key)) ctid FROM \(name) ORDER BY \(key), \(newest)ctid DESC)
                """)
        }
        try store.run("ANALYZE \(name)")
    }

    private func copy(to name: String, from start: Int = 0) throws {
        for part in parts(from: start, to: spool.count) {
            let columns = table.columns[..<part.columns].map(\.quoted)
            try store.current().copy(columns, to: name, from: part.start, to: part.end) {
                try spool.read(from: $0, to: part.end)
            }
        }
    }

    /// The rows between two places, with their numbers of columns.
    private func parts(from start: Int, to end: Int) -> [(columns: Int, start: Int, end: Int)] {
        segments.indices.compactMap { number -> (columns: Int, start: Int, end: Int)? in
            let next = number + 1 < segments.count ? segments[number + 1].start : spool.count
            let (first, last) = (max(start, segments[number].start), min(end, next))
            guard first < last else { return nil }
            return (columns: segments[number].columns, start: first, end: last)
        }
    }

    /// The join of a whole table needs none.
    func index(key: [String]) throws {}

    func discard() throws {
        spool = RowSpool()
        segments = []
        digest = TableDigest()
        (early, isEarly) = (nil, false)
    }
}

extension PostgreSQLConnection {
    /// The signature, flags, and the length of a header extension (PostgreSQL: COPY, binary format).
    private static let header: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    private static let trailer: [UInt8] = [0xFF, 0xFF]

    /// Sends rows of these columns to a table.
    ///
    /// - Parameter read: gives the next bytes from a place on, and none beyond `end`.
    func copy(
        _ columns: [String], to name: String, from start: Int, to end: Int, _ read: (Int) throws -> ArraySlice<UInt8>
    ) throws {
        var place = start
        var (isBegun, isDone) = (false, false)
        try copy("COPY \(name) (\(columns.joined(separator: ", "))) FROM STDIN (FORMAT binary)") {
            guard isBegun else {
                isBegun = true
                return Self.header[...]
            }
            guard place < end else {
                defer { isDone = true }
                return isDone ? nil : Self.trailer[...]
            }
            let bytes = try read(place)
            place += bytes.count
            return bytes
        }
    }
}

/// Values in the binary form of PostgreSQL's types.
enum PostgreSQLRow {
    static func append<Number: FixedWidthInteger>(_ number: Number, to buffer: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { buffer.append(contentsOf: $0) }
    }

    /// Appends a value with its length, as the type of the column; one that does not fit as NULL.
    static func append(_ cell: Cell, _ kind: TableColumn.Kind, to buffer: inout [UInt8]) {
        switch kind {
        case .text, .any, .parent, .record: appendText(cell, to: &buffer)
        case .integer, .money, .milliseconds, .seconds, .position: appendInteger(cell, to: &buffer)
        case .boolean: appendTruth(cell, to: &buffer)
        case .real: appendReal(cell, to: &buffer)
        case .utc:
            guard case .time(let milliseconds) = cell else { return appendNull(to: &buffer) }
            append(Int32(8), to: &buffer)
            append((milliseconds - epoch * 1000) * 1000, to: &buffer)
        case .local:
            guard case .localTime(let seconds) = cell else { return appendNull(to: &buffer) }
            append(Int32(8), to: &buffer)
            append((Int64(seconds) - epoch) * 1_000_000, to: &buffer)
        }
    }

    /// The hash of a value in this form, as `PostgreSQLStore.hash` lets the server compute it.
    static func hash(_ value: UnsafeRawBufferPointer, _ kind: TableColumn.Kind, _ seed: Int64) -> UInt64 {
        switch kind {
        case .text, .any, .parent, .record: return PostgreSQLHash.ofText(value, seed)
        case .boolean: return PostgreSQLHash.of(value[0] == 0 ? 0 : 1 as Int64, seed)
        case .integer, .money, .milliseconds, .seconds, .position: return PostgreSQLHash.of(number(value), seed)
        case .real: return PostgreSQLHash.of(Double(bitPattern: UInt64(bitPattern: number(value))), seed)
        case .utc, .local: return PostgreSQLHash.of(Double(number(value) + epoch * 1_000_000) / 1_000_000, seed)
        }
    }

    private static func number(_ value: UnsafeRawBufferPointer) -> Int64 {
        Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    }

    /// 2000-01-01 in seconds since 1970, from which PostgreSQL counts microseconds.
    private static let epoch: Int64 = 946_684_800

    private static func appendNull(to buffer: inout [UInt8]) { append(Int32(-1), to: &buffer) }

    private static func appendText(_ cell: Cell, to buffer: inout [UInt8]) {
        switch cell {
        case .bytes(let bytes):
            append(Int32(bytes.count), to: &buffer)
            buffer.append(contentsOf: bytes)
        case .text(let text): appendText(text, to: &buffer)
        case .integer(let number): appendText("\(number)", to: &buffer)
        case .real(let number): appendText("\(number)", to: &buffer)
        case .boolean(let isTrue): appendText(isTrue ? "true" : "false", to: &buffer)
        case .null, .time, .localTime: appendNull(to: &buffer)
        }
    }

    /// PostgreSQL has no text with the character 0.
    private static func appendText(_ text: String, to buffer: inout [UInt8]) {
        let text = text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
        append(Int32(text.utf8.count), to: &buffer)
        buffer.append(contentsOf: text.utf8)
    }

    private static func appendInteger(_ cell: Cell, to buffer: inout [UInt8]) {
        let number: Int64? =
            switch cell {
            case .integer(let number): number
            case .real(let number): Int64(exactly: number)
            case .boolean(let isTrue): isTrue ? 1 : 0
            case .bytes(let bytes): Int64(String(decoding: bytes, as: UTF8.self))
            case .text(let text): Int64(text)
            case .null, .time, .localTime: nil
            }
        guard let number else { return appendNull(to: &buffer) }
        append(Int32(8), to: &buffer)
        append(number, to: &buffer)
    }

    private static func appendReal(_ cell: Cell, to buffer: inout [UInt8]) {
        let number: Double? =
            switch cell {
            case .integer(let number): Double(number)
            case .real(let number): number
            case .bytes(let bytes): Double(String(decoding: bytes, as: UTF8.self))
            case .text(let text): Double(text)
            case .null, .boolean, .time, .localTime: nil
            }
        guard let number else { return appendNull(to: &buffer) }
        append(Int32(8), to: &buffer)
        append(number.bitPattern, to: &buffer)
    }

    private static func appendTruth(_ cell: Cell, to buffer: inout [UInt8]) {
        let isTrue: Bool? =
            switch cell {
            case .boolean(let isTrue): isTrue
            case .integer(let number): number == 0 ? false : number == 1 ? true : nil
            default: nil
            }
        guard let isTrue else { return appendNull(to: &buffer) }
        append(Int32(1), to: &buffer)
        buffer.append(isTrue ? 1 : 0)
    }
}
