import CPostgreSQL
import CloverJSON

/// The rows of one statement in a transaction that only reads, one at a time as the server finds them.
final class PostgreSQLQuery: DatabaseRows {
    private let connection: PostgreSQLConnection
    private let path: String
    private var isDone = false
    /// Rows of the page that are read already, from before the columns were known.
    private var first: OpaquePointer?
    private var names: [String] = []
    private var types: [PostgreSQLType?] = []
    let columns: [String]

    private static let pageSize = 500
    private static let pageBytes = 1 << 20

    init(_ url: String, _ sql: String) throws(TableError) {
        path = url
        connection = try PostgreSQLConnection(url) { false }
        do {
            // Times as in other formats, whatever the user's settings are.
            try connection.run(
                """
                SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false),
                    set_config('default_transaction_read_only', 'on', false)
                """)
            try connection.run("BEGIN READ ONLY")
            guard try connection.begin(sql) else { throw TableError.notQuery(path: path) }
            guard let result = try connection.next() else { throw TableError.notQuery(path: path) }
            if let failure = connection.failure(result) {
                connection.pq.pointee.PQclear(result)
                throw failure
            }
            let pq = connection.pq
            let places = 0..<pq.pointee.PQnfields(result)
            columns = places.map { pq.pointee.PQfname(result, $0).map { String(cString: $0) } ?? "" }
            names = DatabaseQuery.distinct(columns).map { JSONString.quoted($0, isShown: false) + ":" }
            types = places.map { PostgreSQLType(rawValue: pq.pointee.PQftype(result, $0)) }
            first = result
        } catch {
            throw Self.translated(error, path: url)
        }
    }

    deinit { if let first { connection.pq.pointee.PQclear(first) } }

    func next() throws(TableError) -> RecordBatch? {
        guard !isDone else { return nil }
        do {
            var batch = RecordBatch()
            var line: [UInt8] = []
            while batch.records.count < Self.pageSize, batch.bytes.count < Self.pageBytes {
                guard let result = try takeResult() else {
                    isDone = true
                    // Some functions write in a transaction that only reads, such as those of large objects before
                    // PostgreSQL 16. The end of the connection takes that back.
                    let writes = try connection.run("SELECT txid_current_if_assigned() IS NOT NULL").first?.first
                    guard writes?.isTrue != true else { throw TableError.notQuery(path: path) }
                    break
                }
                defer { connection.pq.pointee.PQclear(result) }
                if let failure = connection.failure(result) { throw failure }
                for row in 0..<connection.pq.pointee.PQntuples(result) {
                    line.removeAll(keepingCapacity: true)
                    append(row, of: result, to: &line)
                    line.withUnsafeBytes { batch.append($0) }
                }
            }
            return batch.isEmpty ? nil : batch
        } catch {
            throw Self.translated(error, path: path)
        }
    }

    private func takeResult() throws -> OpaquePointer? {
        defer { first = nil }
        return try first ?? connection.next()
    }

    private func append(_ row: Int32, of result: OpaquePointer, to line: inout [UInt8]) {
        let pq = connection.pq
        for (place, name) in names.enumerated() {
            line += (place == 0 ? "{" : ",").utf8
            line += name.utf8
            let column = Int32(place)
            guard pq.pointee.PQgetisnull(result, row, column) == 0,
                let start = pq.pointee.PQgetvalue(result, row, column)
            else {
                line += "null".utf8
                continue
            }
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(pq.pointee.PQgetlength(result, row, column)))
            Self.append(bytes, types[place], to: &line)
        }
        line += "}".utf8
    }

    /// Appends a value as JSON.
    static func append(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType?, to line: inout [UInt8]) {
        func text() -> String { String(decoding: bytes, as: UTF8.self) }
        func quoted(_ text: String) { line += JSONString.quoted(text, isShown: false).utf8 }
        switch type {
        case .bool: line += (bytes.first == UInt8(ascii: "t") ? "true" : "false").utf8
        case .int2, .int4, .int8, .oid: line.append(contentsOf: bytes)
        case .float4, .float8, .numeric:
            // JSON has no infinity.
            let isNumber = bytes.allSatisfy { $0 < 0x3A || $0 == UInt8(ascii: "e") }
            if isNumber { line.append(contentsOf: bytes) } else { line += "null".utf8 }
        // A line break outside a string is white space, and there is none inside.
        case .json, .jsonb: line += bytes.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        case .bytea: quoted(text().hasPrefix("\\x") ? String(text().dropFirst(2)) : text())
        case .timestamptz: quoted(utc(text()))
        case nil: quoted(text())
        }
    }

    /// `2026-01-31T22:01:25.528Z` for `2026-01-31 22:01:25.528+00`.
    private static func utc(_ text: String) -> String {
        guard text.hasSuffix("+00"), let space = text.firstIndex(of: " ") else { return text }
        let time = text[text.index(after: space)...].dropLast(3)
        let fraction = time.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        let padding = String(repeating: "0", count: max(0, 3 - fraction.count))
        return "\(text[..<space])T\(time.prefix(8)).\(fraction)\(padding)Z"
    }

    /// What SQLSTATE begins with where the statement is at fault, or a function that it calls.
    private static let statementClasses = [
        "0A", "21", "22", "23", "24", "26", "2D", "2F", "34", "38", "39", "3B", "42", "54", "55000", "P0",
    ]

    /// What is wrong with the statement is its writer's to know; the rest is as for any database.
    private static func translated(_ error: any Error, path: String) -> TableError {
        if let error = error as? TableError { return error }
        guard let failure = error as? PostgreSQLFailure else {
            return .failed(path: path, code: "", message: "\(error)")
        }
        switch failure.code {
        // A statement that writes or would begin to, or more than one statement.
        case "25001", "25006": return .notQuery(path: path)
        case "42601" where failure.message.contains("multiple commands"): return .notQuery(path: path)
        case "42501": return .notAllowed(path: path, message: failure.message)
        default: break
        }
        if Self.statementClasses.contains(where: failure.code.hasPrefix) {
            return .badStatement(path: path, message: failure.message)
        }
        return failure.error(path: path)
    }
}
