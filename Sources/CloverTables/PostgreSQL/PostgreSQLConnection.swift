import CPostgreSQL
import CloverSystem
import Glibc

/// A connection to a PostgreSQL server. It never waits in libpq itself, so that a wait ends when the run does.
///
/// All methods block; one thread at a time may use it.
package final class PostgreSQLConnection {
    let url: String
    let pq: UnsafePointer<clover_pq>
    let handle: OpaquePointer
    /// Whether waits are to end.
    private let isStopped: () -> Bool

    /// The message of a wait that `isStopped` ended.
    package static let stopped = "the run ended"

    /// Milliseconds between looks at `isStopped`.
    private static let slice: Int32 = 200
    private static let connectSeconds = 10
    /// The oldest server that the statements were tried with is 15; what they need is in 12.
    private static let oldestServer: Int32 = 120_000

    /// Connects.
    ///
    /// - Throws: `.badAddress`, `.away`, `.refused`, `.notSecure`, `.missing`, `.libraryMissing`.
    package init(_ url: String, isStopped: @escaping () -> Bool) throws(TableError) {
        let library = try PostgreSQLLibrary.load()
        pq = library.functions
        self.url = url
        self.isStopped = isStopped
        var connection = try Self.start(url, [], pq)
        let settings = try Self.missingSettings(connection, url, pq)
        if !settings.isEmpty {
            pq.pointee.PQfinish(connection)
            connection = try Self.start(url, settings, pq)
        }
        handle = connection
        // An error ends the connection in `deinit`.
        try finishConnecting()
    }

    deinit { pq.pointee.PQfinish(handle) }

    /// Begins to connect. Nothing is sent yet.
    private static func start(
        _ url: String, _ further: [(name: String, value: String)], _ pq: UnsafePointer<clover_pq>
    ) throws(TableError) -> OpaquePointer {
        // Those before the address give way to it, and the others do not.
        let settings: [(name: String, value: String)] =
            [
                ("fallback_application_name", "clover"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
                ("keepalives_count", "3"), ("tcp_user_timeout", "30000"), ("dbname", url), ("client_encoding", "UTF8"),
            ] + further
        let names = settings.map { strdup($0.name) }
        let values = settings.map { strdup($0.value) }
        defer { for text in names + values { free(text) } }
        let handle = (names + [nil]).map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
            (values + [nil]).map { UnsafePointer($0) }.withUnsafeBufferPointer { values -> OpaquePointer? in
                guard let names = names.baseAddress, let values = values.baseAddress else { return nil }
                return pq.pointee.PQconnectStartParams(names, values, 1)
            }
        }
        guard let handle else { throw .away(path: url, message: "no memory") }
        _ = pq.pointee.PQsetNoticeProcessor(handle, clover_pq_ignore, nil)
        _ = pq.pointee.PQsetErrorVerbosity(handle, Int32(CLOVER_PQ_ERRORS_VERBOSE))
        return handle
    }

    /// What to set besides the address: how a connection beyond this machine is protected, if no setting says so; and the
    /// password of the environment, if there is no other (PostgreSQL: libpq, environment variables).
    private static func missingSettings(
        _ handle: OpaquePointer, _ url: String, _ pq: UnsafePointer<clover_pq>
    ) throws(TableError) -> [(name: String, value: String)] {
        var message: UnsafeMutablePointer<CChar>?
        guard let typed = pq.pointee.PQconninfoParse(url, &message) else {
            defer { pq.pointee.PQfreemem(message) }
            pq.pointee.PQfinish(handle)
            throw .badAddress(path: url, message: message.map { String(cString: $0).trimmedLine } ?? "")
        }
        defer { pq.pointee.PQconninfoFree(typed) }
        var found: [String: String] = [:]
        if let options = pq.pointee.PQconninfo(handle) {
            defer { pq.pointee.PQconninfoFree(options) }
            found = values(options)
        }
        var missing: [(name: String, value: String)] = []
        if found["password"] == nil, let password = ChildVariables.databasePassword {
            missing.append(("password", password))
        }
        let hosts = found["hostaddr"] ?? found["host"] ?? ""
        let isLocal =
            !found.isEmpty && hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isThisMachine)
        // Another one than libpq's own default may come from a service file.
        let isChosen =
            values(typed)["sslmode"] != nil || getenv("PGSSLMODE") != nil
            || found["sslmode"].map { $0 != "prefer" } ?? false
        if !isLocal, !isChosen { missing.append(("sslmode", "verify-full")) }
        return missing
    }

    private static func values(_ options: UnsafeMutablePointer<clover_pq_option>) -> [String: String] {
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val, value.pointee != 0 {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return values
    }

    /// The first setting of an address with a password in it; nil if it has none.
    package static func passwordSetting(in url: String) throws(TableError) -> String? {
        let pq = try PostgreSQLLibrary.load().functions
        var message: UnsafeMutablePointer<CChar>?
        guard let typed = pq.pointee.PQconninfoParse(url, &message) else {
            defer { pq.pointee.PQfreemem(message) }
            // The message may repeat a part of the address.
            throw .badAddress(path: "the address", message: "libpq does not understand it")
        }
        defer { pq.pointee.PQconninfoFree(typed) }
        return ["password", "sslpassword"].first { values(typed)[$0] != nil }
    }

    /// Whether a host is a socket in the file system, or an address of the loopback interface.
    static func isThisMachine(_ host: some StringProtocol) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    private func finishConnecting() throws(TableError) {
        let end = Self.now + Int64(Self.connectSeconds) * 1000
        var next = CLOVER_PQ_POLLING_WRITING
        while true {
            guard pq.pointee.PQstatus(handle) != Int32(CLOVER_PQ_CONNECTION_BAD) else { throw connectionError() }
            switch next {
            case CLOVER_PQ_POLLING_OK:
                _ = pq.pointee.PQsetErrorVerbosity(handle, Int32(CLOVER_PQ_ERRORS_DEFAULT))
                _ = pq.pointee.PQsetnonblocking(handle, 1)
                let version = pq.pointee.PQserverVersion(handle)
                guard version >= Self.oldestServer else {
                    throw .badAddress(path: url, message: "the server is PostgreSQL \(version / 10_000); 12 is needed")
                }
                return
            case CLOVER_PQ_POLLING_FAILED: throw connectionError()
            default:
                let isReading = next == CLOVER_PQ_POLLING_READING
                while try !wait(reading: isReading, writing: !isReading) {
                    if Self.now > end {
                        throw .away(path: url, message: "no answer for \(Self.connectSeconds) s")
                    }
                }
            }
            next = Int(pq.pointee.PQconnectPoll(handle))
        }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Waits for a moment until the socket is ready.
    ///
    /// - Returns: whether it is.
    private func wait(reading: Bool, writing: Bool) throws(TableError) -> Bool {
        if isStopped() { throw .away(path: url, message: Self.stopped) }
        let descriptor = pq.pointee.PQsocket(handle)
        guard descriptor >= 0 else { throw connectionError() }
        var entry = pollfd(
            fd: descriptor, events: Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), revents: 0)
        return poll(&entry, 1, Self.slice) > 0
    }

    // MARK: Errors

    private func connectionError() -> TableError {
        let text = pq.pointee.PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        let failure = PostgreSQLFailure(connecting: text)
        if pq.pointee.PQconnectionNeedsPassword(handle) == 1 {
            return .refused(path: url, message: failure.message, needsPassword: true)
        }
        return failure.error(path: url, isConnecting: true)
    }

    /// The error of a result, or of the connection.
    private func error(_ result: OpaquePointer?) -> PostgreSQLFailure {
        func field(_ code: Int) -> String? {
            result.flatMap { pq.pointee.PQresultErrorField($0, Int32(code)) }.map { String(cString: $0) }
        }
        let code = field(CLOVER_PQ_SQLSTATE) ?? ""
        var message = field(CLOVER_PQ_MESSAGE) ?? ""
        if message.isEmpty {
            message = pq.pointee.PQerrorMessage(handle).map { String(cString: $0).trimmedLine } ?? ""
        }
        if let detail = field(CLOVER_PQ_DETAIL), !code.hasPrefix("22") { message += " (\(detail))" }
        let isLost = pq.pointee.PQstatus(handle) == Int32(CLOVER_PQ_CONNECTION_BAD)
        return PostgreSQLFailure(code: code, message: message, isLost: isLost)
    }

    /// Whether the connection can be used.
    package var isUsable: Bool { pq.pointee.PQstatus(handle) == Int32(CLOVER_PQ_CONNECTION_OK) }

    // MARK: The session

    /// Process ID of the server's side, as the server reported it; a pooler reports another one.
    package var backendPID: Int32 { pq.pointee.PQbackendPID(handle) }

    /// Readable when the server has sent something, such as a notification; -1 if the connection is gone.
    package var descriptor: Int32 { pq.pointee.PQsocket(handle) }

    /// The payloads of notifications that have arrived (PostgreSQL: NOTIFY). Does not wait.
    ///
    /// - Throws: `PostgreSQLFailure` if the connection is gone.
    package func takeNotifications() throws -> [String] {
        guard pq.pointee.PQconsumeInput(handle) == 1 else { throw error(nil) }
        var payloads: [String] = []
        while let notification = pq.pointee.PQnotifies(handle) {
            payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
            pq.pointee.PQfreemem(notification)
        }
        return payloads
    }

    // MARK: Statements

    /// Runs one statement.
    ///
    /// - Throws: `PostgreSQLFailure`, `TableError`.
    @discardableResult
    package func run(_ sql: String, _ arguments: [SQLValue] = []) throws -> [[SQLValue]] {
        try send(sql, arguments)
        return try finish()
    }

    private func send(_ sql: String, _ arguments: [SQLValue]) throws {
        let texts = arguments.map { value in value.text.map { strdup($0) } ?? nil }
        defer { for text in texts { free(text) } }
        let sent = texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
            pq.pointee.PQsendQueryParams(
                handle, sql, Int32(arguments.count), nil, values.isEmpty ? nil : values.baseAddress, nil, nil, 0)
        }
        guard sent == 1 else { throw error(nil) }
        try flush()
    }

    /// Sends what libpq still has.
    private func flush() throws {
        while true {
            switch pq.pointee.PQflush(handle) {
            case 0: return
            case 1:
                // A server that is sending reads nothing until its own words are taken.
                if try wait(reading: true, writing: true) { _ = pq.pointee.PQconsumeInput(handle) }
            default: throw error(nil)
            }
        }
    }

    /// The next result of the statement under way; nil at its end. The caller clears it.
    func next() throws -> OpaquePointer? {
        while pq.pointee.PQisBusy(handle) == 1 {
            guard try wait(reading: true, writing: false) else { continue }
            guard pq.pointee.PQconsumeInput(handle) == 1 else { throw error(nil) }
        }
        return pq.pointee.PQgetResult(handle)
    }

    /// Reads all results of the statement under way.
    private func finish() throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        var failure: PostgreSQLFailure?
        while let result = try next() {
            defer { pq.pointee.PQclear(result) }
            switch Int(pq.pointee.PQresultStatus(result)) {
            case CLOVER_PQ_COMMAND_OK: break
            case CLOVER_PQ_TUPLES_OK: rows += values(result)
            // Ends no statement by itself.
            case CLOVER_PQ_COPY_IN: _ = pq.pointee.PQputCopyEnd(handle, "no rows")
            default: failure = failure ?? error(result)
            }
            if failure?.isLost == true { break }
        }
        if let failure { throw failure }
        return rows
    }

    private func values(_ result: OpaquePointer) -> [[SQLValue]] {
        let columns = 0..<pq.pointee.PQnfields(result)
        return (0..<pq.pointee.PQntuples(result)).map { row in
            columns.map { column in
                guard pq.pointee.PQgetisnull(result, row, column) == 0,
                    let start = pq.pointee.PQgetvalue(result, row, column)
                else { return .null }
                let text = String(cString: start)
                return switch PostgreSQLType(rawValue: pq.pointee.PQftype(result, column)) {
                case .int2, .int4, .int8, .oid: Int64(text).map { .integer($0) } ?? .text(text)
                case .bool: .integer(text == "t" ? 1 : 0)
                default: .text(text)
                }
            }
        }
    }

    /// Sends the data of a `COPY ... FROM STDIN`.
    ///
    /// - Parameter data: gives the next bytes; nil at the end.
    func copy(_ sql: String, _ data: () throws -> ArraySlice<UInt8>?) throws {
        try send(sql, [])
        guard let result = try next() else { throw error(nil) }
        defer { pq.pointee.PQclear(result) }
        guard Int(pq.pointee.PQresultStatus(result)) == CLOVER_PQ_COPY_IN else {
            let failure = error(result)
            while let more = try next() { pq.pointee.PQclear(more) }
            throw failure
        }
        do {
            while let bytes = try data() {
                try bytes.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
                    let text = start.assumingMemoryBound(to: CChar.self)
                    guard pq.pointee.PQputCopyData(handle, text, Int32(bytes.count)) == 1 else { throw error(nil) }
                }
                try flush()
            }
        } catch {
            guard isUsable, !isStopped() else { throw error }
            // The rows could not be read: the statement fails, and its transaction with it.
            _ = pq.pointee.PQputCopyEnd(handle, "the rows cannot be read")
            try flush()
            while let more = try next() { pq.pointee.PQclear(more) }
            throw error
        }
        guard pq.pointee.PQputCopyEnd(handle, nil) == 1 else { throw error(nil) }
        try flush()
        _ = try finish()
    }

    /// Prepares a statement, and runs it if it gives rows, so that they can be taken one by one with `next`.
    ///
    /// - Returns: whether it gives rows. Nothing was run when it does not.
    func begin(_ sql: String) throws -> Bool {
        guard pq.pointee.PQsendPrepare(handle, "", sql, 0, nil) == 1 else { throw error(nil) }
        try flush()
        _ = try finish()
        guard pq.pointee.PQsendDescribePrepared(handle, "") == 1 else { throw error(nil) }
        try flush()
        var columns: Int32 = 0
        while let result = try next() {
            columns = max(columns, pq.pointee.PQnfields(result))
            pq.pointee.PQclear(result)
        }
        guard columns > 0 else { return false }
        guard pq.pointee.PQsendQueryPrepared(handle, "", 0, nil, nil, nil, 0) == 1 else { throw error(nil) }
        guard pq.pointee.PQsetSingleRowMode(handle) == 1 else { throw error(nil) }
        try flush()
        return true
    }

    /// The error of a result that `next` gave; nil for one with rows, or the end of them.
    func failure(_ result: OpaquePointer) -> PostgreSQLFailure? {
        switch Int(pq.pointee.PQresultStatus(result)) {
        case CLOVER_PQ_SINGLE_TUPLE, CLOVER_PQ_TUPLES_OK, CLOVER_PQ_COMMAND_OK: nil
        default: error(result)
        }
    }
}

/// Types of results that are not text in JSON (PostgreSQL: pg_type.dat).
enum PostgreSQLType: UInt32 {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case oid = 26
    case json = 114
    case float4 = 700
    case float8 = 701
    case timestamptz = 1184
    case numeric = 1700
    case jsonb = 3802
}

extension String {
    /// The first line without white space around it.
    var trimmedLine: String {
        let line = split(whereSeparator: \.isNewline).first ?? ""
        var text = line.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
