import CloverAuth
import CloverHTTP
import CloverRateLimit
import CloverSystem
import CloverTables

/// The encrypted document of a credential.
struct SealedTokens: Equatable, Sendable {
    /// The raw value of its `Credential.Kind`.
    let kind: String
    /// The key that it is encrypted with.
    let keyID: String
    let bytes: [UInt8]
}

/// A row of `clover_state.credentials` as it was read.
struct CredentialRow: Equatable, Sendable {
    let sealed: SealedTokens
    let journal: String?
    let revision: Int64
    let writer: Int64
    /// Milliseconds since the last change, by the server's clock.
    let age: Int64

    /// Whether it is the same state of the row.
    func isSame(as other: CredentialRow) -> Bool { revision == other.revision && writer == other.writer }
}

/// Reads and writes credentials in the database over one connection. Used by one thread at a time.
struct CredentialTable {
    let connection: FleetConnection
    let keys: StateKeyFile

    /// A session that needs no clock.
    init(
        _ url: String, _ keys: StateKeyFile, channels: [String] = [], openLimit: Double? = nil,
        waits: DatabaseWaits? = nil, onSilence: (@Sendable (_ isSilent: Bool) -> Void)? = nil
    ) {
        connection = FleetConnection(
            url, command: "tokens", channels: channels, needsClock: false, openLimit: openLimit,
            waits: waits, onSilence: onSilence)
        self.keys = keys
    }

    /// Statements of another client's session.
    init(_ connection: FleetConnection, _ keys: StateKeyFile) {
        self.connection = connection
        self.keys = keys
    }

    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue] = []) throws(CredentialError) -> [[SQLValue]] {
        try CredentialError.ofDatabase { () throws(LedgerError) in try connection.run(sql, arguments) }
    }

    // MARK: Rows

    private static let columns = """
        kind, key_id, encode(sealed, 'hex'), journal, revision, writer,
        (extract(epoch FROM clock_timestamp() - changed_at) * 1000)::bigint
        """

    /// The words of a statement that find the row of a key, whose parts are the first three arguments.
    static let isRow = "environment = $1 AND merchant = $2 AND app = $3"

    static func arguments(_ key: CredentialKey) -> [SQLValue] {
        [.text(key.environment), .text(key.merchantID), .text(key.appID ?? CredentialKey.noApp)]
    }

    func row(of key: CredentialKey) throws(CredentialError) -> CredentialRow? {
        try run(
            "SELECT \(Self.columns) FROM clover_state.credentials WHERE \(Self.isRow)", Self.arguments(key)
        ).first.flatMap { Self.row($0[...]) }
    }

    /// All rows, in the order of their keys. A row whose key this program does not accept is left out.
    func rows() throws(CredentialError) -> [(key: CredentialKey, row: CredentialRow)] {
        try run(
            """
            SELECT environment, merchant, app, \(Self.columns) FROM clover_state.credentials
            ORDER BY environment COLLATE "C", merchant COLLATE "C", app COLLATE "C"
            """
        ).compactMap { values in
            guard let key = Self.key(values[...]), let row = Self.row(values[3...]) else { return nil }
            return (key, row)
        }
    }

    static func key(_ values: ArraySlice<SQLValue>) -> CredentialKey? {
        let parts = values.prefix(3).compactMap(\.text)
        guard parts.count == 3 else { return nil }
        do {
            return try CredentialKey(
                environment: parts[0], merchantID: parts[1], appID: parts[2] == CredentialKey.noApp ? nil : parts[2])
        } catch {
            return nil
        }
    }

    private static func row(_ values: ArraySlice<SQLValue>) -> CredentialRow? {
        let values = Array(values)
        guard values.count == 7, let kind = values[0].text, let keyID = values[1].text,
            let sealed = values[2].text.flatMap({ [UInt8](hexadecimal: $0) }), let revision = values[4].integer,
            let writer = values[5].integer
        else { return nil }
        return CredentialRow(
            sealed: SealedTokens(kind: kind, keyID: keyID, bytes: sealed), journal: values[3].text, revision: revision,
            writer: writer, age: values[6].integer ?? .max)
    }

    // MARK: Encryption

    /// What is encrypted with the credential's document, so that no row can be taken for another.
    private static func identity(_ key: CredentialKey, kind: String, keyID: String) -> [UInt8] {
        let parts = ["clover credential 1", key.environment, key.merchantID, key.appID ?? "", kind, keyID]
        return Array(parts.joined(separator: "\n").utf8)
    }

    /// The identifier of the key that encrypts new tokens; nil if there is none yet.
    func currentKeyID() throws(CredentialError) -> String? {
        try run("SELECT id FROM clover_state.token_key").first?.first?.text
    }

    /// The key that encrypts new tokens.
    ///
    /// - Throws: `.stateKey`.
    func currentKey() throws(CredentialError) -> StateKey {
        guard let id = try currentKeyID() else { throw .stateKey(.none(address: connection.url)) }
        return try keys.key(id, for: connection.url)
    }

    func seal(_ credential: Credential, with stateKey: StateKey) throws(CredentialError) -> SealedTokens {
        let kind = credential.kind.rawValue
        let bytes = AESGCM.seal(
            try CredentialDocument.bytes(of: credential), key: stateKey.bytes,
            authenticating: Self.identity(credential.key, kind: kind, keyID: stateKey.id))
        return SealedTokens(kind: kind, keyID: stateKey.id, bytes: bytes)
    }

    /// - Throws: `.stateKey`: a row that cannot be read is never taken for a missing one.
    func open(_ tokens: SealedTokens, of key: CredentialKey) throws(CredentialError) -> Credential {
        let stateKey = try keys.key(tokens.keyID, for: connection.url)
        let bytes = AESGCM.open(
            tokens.bytes, key: stateKey.bytes,
            authenticating: Self.identity(key, kind: tokens.kind, keyID: tokens.keyID))
        guard let bytes else { throw .stateKey(.altered(key, id: tokens.keyID)) }
        return try CredentialDocument.credential(from: bytes, key: key, path: place(of: key))
    }

    /// Where the row is, for errors.
    func place(of key: CredentialKey) -> String { "\(connection.url): \(key.words)" }

    func journal(_ row: CredentialRow, of key: CredentialKey) throws(CredentialError) -> RefreshJournal? {
        guard let text = row.journal else { return nil }
        return try JSONDocument.decode(Array(text.utf8), path: place(of: key)) as RefreshJournal
    }

    /// New tokens that this machine kept because the database could not store them.
    func kept(in state: StateDirectory) throws(CredentialError) -> [KeptTokens] {
        let files = try UnstoredTokens.all(in: state)
        guard !files.isEmpty else { return [] }
        let rows = try self.rows()
        let names = try profiles()
        return files.map { file in
            let found = rows.first { UnstoredTokens(of: $0.key, in: state).path == file.path }
            let key = found.flatMap { isNeeded(file, for: $0.row, of: $0.key) ? $0.key : nil }
            return KeptTokens(path: file.path, key: key, profile: names.filter { $0.value == key }.keys.min())
        }
    }

    /// Sign-ins whose refresh token was used, and whose new tokens the database does not have: the machine that renewed them
    /// may have kept these. Renewals that may still be under way are left out.
    func unstored() throws(CredentialError) -> [UnstoredSignIn] {
        let rows = try run(
            """
            SELECT environment, merchant, app FROM clover_state.credentials
            WHERE journal::json ->> 'state' = 'lost' OR journal::json ->> 'state' = 'sent'
                AND changed_at <= clock_timestamp() - interval '\(Int(FleetCredentialStore.usualGrace)) s'
            ORDER BY environment COLLATE "C", merchant COLLATE "C", app COLLATE "C"
            """)
        guard !rows.isEmpty else { return [] }
        let names = try profiles()
        return rows.compactMap { Self.key($0[...]) }.map { key in
            UnstoredSignIn(key: key, profile: names.filter { $0.value == key }.keys.min())
        }
    }

    /// Removes the files of tokens that no sign-in needs.
    ///
    /// - Returns: their paths.
    func removeUnneeded(in state: StateDirectory) throws(CredentialError) -> [String] {
        let paths = try kept(in: state).filter { $0.key == nil }.map(\.path)
        for file in try UnstoredTokens.all(in: state) {
            if paths.contains(file.path) { try file.remove() }
        }
        return paths
    }

    /// Whether the row may still have the tokens that those of the file replace.
    private func isNeeded(_ file: UnstoredTokens, for row: CredentialRow, of key: CredentialKey) -> Bool {
        do throws(CredentialError) {
            guard let document = try file.read() else { return false }
            guard let token = try open(row.sealed, of: key).refreshToken else { return false }
            return SecretHash.hexadecimal(of: token) == document.spent
        } catch {
            // A file or a row that cannot be read is left to the user.
            return true
        }
    }

    /// The names of credentials.
    func profiles() throws(CredentialError) -> [String: CredentialKey] {
        let pairs = try run("SELECT environment, merchant, app, name FROM clover_state.profiles").compactMap { values in
            Self.key(values[...]).flatMap { key in values[3].text.map { ($0, key) } }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension CredentialError {
    static func ofDatabase<Value>(_ work: () throws(LedgerError) -> Value) throws(CredentialError) -> Value {
        do {
            return try work()
        } catch {
            switch error {
            case .storage(let error): throw .storage(error)
            case .system(let call, let number):
                throw .databaseAway(address: call, message: "error \(number)")
            case .away(let address, let message): throw .databaseAway(address: address, message: message)
            case .unusable(let address, let message, let fix):
                throw .databaseUnusable(address: address, message: message, fix: fix)
            }
        }
    }

    var isAway: Bool { if case .databaseAway = self { true } else { false } }
    var isOutOfTime: Bool { if case .databaseAway(_, FleetConnection.outOfTime) = self { true } else { false } }
}
