package import CloverAuth
import CloverHTTP
import CloverSystem

/// New tokens of a credential that may not be in the database yet, in a private file of this machine's state directory,
/// encrypted like the row that they replace.
///
/// The file is written before the database is asked to store them, because the refresh token that they replace is used up, and
/// removed afterwards. If the process is killed, or the database cannot store them, the next process of this machine that takes
/// the lock of the credential stores them. Version 1:
/// `{"version":1,"spent":"HASH","kind":"oauth","keyID":"...","sealed":"HEXADECIMAL"}`. All methods block.
struct UnstoredTokens: Sendable {
    private let state: StateDirectory
    private let name: String

    static let prefix = "unstored-"
    private static let suffix = ".json"
    /// As in the database: two tokens of 8192 bytes in hexadecimal digits, and the rest.
    private static let sizeLimit = 65_536

    init(of key: CredentialKey, in state: StateDirectory) {
        self.state = state
        let parts = [key.environment, key.merchantID, key.appID ?? ""]
        let hash = SHA256.hash(Array(parts.joined(separator: "\n").utf8)).hexadecimalDigits.prefix(16)
        name = Self.prefix + hash + Self.suffix
    }

    private init(name: String, in state: StateDirectory) {
        self.state = state
        self.name = name
    }

    /// The files of all credentials.
    static func all(in state: StateDirectory) throws(CredentialError) -> [UnstoredTokens] {
        guard let directory = try CredentialError.storing(try state.existing()) else { return [] }
        return try CredentialError.storing(try directory.names()).sorted()
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
            .map { UnstoredTokens(name: $0, in: state) }
    }

    /// The content of the file.
    struct Document: Codable {
        /// `SecretHash` of the refresh token that the tokens replace.
        let spent: String
        let kind: String
        let keyID: String
        private let sealed: String

        init(spent: String, _ tokens: SealedTokens) {
            self.spent = spent
            kind = tokens.kind
            keyID = tokens.keyID
            sealed = tokens.bytes.hexadecimalDigits
        }

        var tokens: SealedTokens? {
            [UInt8](hexadecimal: sealed).map { SealedTokens(kind: kind, keyID: keyID, bytes: $0) }
        }
    }

    var path: String { state.path + "/" + name }

    /// Nil if there are none.
    func read() throws(CredentialError) -> Document? {
        guard let directory = try CredentialError.storing(try state.existing()) else { return nil }
        let bytes = try CredentialError.storing(
            try PrivateFile.read(name, in: directory, limit: Self.sizeLimit))
        return try bytes.map { (bytes) throws(CredentialError) in try JSONDocument.decode(bytes, path: path) }
    }

    /// Replaces the file; it is on disk when this returns.
    func write(_ document: Document) throws(CredentialError) {
        let bytes = try JSONDocument.encode(document)
        let directory = try CredentialError.storing(try state.prepare())
        let lock = try lock(in: directory)
        try CredentialError.storing(try AtomicFile.replace(name, in: directory, with: bytes, holding: lock))
    }

    func remove() throws(CredentialError) {
        guard let directory = try CredentialError.storing(try state.existing()),
            try CredentialError.storing(try directory.kind(of: name)) != nil
        else { return }
        let lock = try lock(in: directory)
        _ = try CredentialError.storing(try AtomicFile.remove(name, in: directory, holding: lock))
    }

    /// Excludes a process that lost the lock of the credential with its session.
    private func lock(in directory: borrowing OpenDirectory) throws(CredentialError) -> FileLock {
        try CredentialError.storing(try FileLock.acquire(".unstored.lock", in: directory))
    }
}

/// A sign-in whose new tokens may be on another machine only.
package struct UnstoredSignIn: Equatable, Sendable {
    package let key: CredentialKey
    package let profile: String?
}

/// New tokens that this machine kept; see `UnstoredTokens`.
package struct KeptTokens: Equatable, Sendable {
    package let path: String
    /// The sign-in that needs them; nil if it has ended, or was made anew.
    package let key: CredentialKey?
    package let profile: String?
}
