import CloverAuth
import CloverHTTP
import CloverSystem
import Glibc

/// A key that encrypts credentials in the database. It is never sent to the server.
struct StateKey: Sendable {
    /// Made from the key itself, so that one that was changed is not taken for it.
    let id: String
    let bytes: [UInt8]
    /// Seconds since 1970.
    let createdAt: Int64

    init(bytes: [UInt8], createdAt: Int64) {
        id = String(SHA256.hash(Array("clover state key".utf8) + bytes).hexadecimalDigits.prefix(16))
        self.bytes = bytes
        self.createdAt = createdAt
    }
}

/// The keys of this machine, in a private file beside the configuration file: `state-keys.json`, version 1:
/// `{"version":1,"keys":[{"id":"...","key":"HEXADECIMAL","createdAt":1700000000}]}`. The database says which of them
/// encrypts new tokens.
package struct StateKeyFile: Sendable {
    package static let name = "state-keys.json"
    private static let sizeLimit = 65_536

    private let directory: StateDirectory

    /// - Parameter directory: absolute path; created when a key is.
    package init(directory: String) {
        // Keys are written by hand and rarely: locks of a network file system are good enough.
        self.directory = StateDirectory(path: directory, allowsNetworkFileSystem: true)
    }

    package var path: String { directory.path + "/" + Self.name }

    private struct Document: Codable {
        let keys: [Entry]

        struct Entry: Codable {
            let id: String
            let key: String
            let createdAt: Int64
        }
    }

    /// The keys, oldest first; none without a file. Blocks.
    func keys() throws(CredentialError) -> [StateKey] {
        guard let directory = try CredentialError.storing(try directory.existing()) else { return [] }
        return try read(in: directory)
    }

    /// The key of this identifier.
    ///
    /// - Throws: `.stateKey(.unknown)`.
    func key(_ id: String) throws(CredentialError) -> StateKey {
        guard let key = try keys().first(where: { $0.id == id }) else {
            throw .stateKey(.unknown(id: id, path: path))
        }
        return key
    }

    /// Makes a key; it is on disk when this returns.
    func add(now: Int64) throws(CredentialError) -> StateKey {
        let made = StateKey(
            bytes: (0..<AESGCM.keySize).map { _ in .random(in: .min ... .max) }, createdAt: now)
        try change { $0.append(made) }
        return made
    }

    /// Removes the key of this identifier.
    func remove(_ id: String) throws(CredentialError) {
        _ = try key(id)
        try change { keys in keys.removeAll { $0.id == id } }
    }

    private func change(_ body: (inout [StateKey]) -> Void) throws(CredentialError) {
        let place = try CredentialError.storing(try directory.prepare())
        let lock = try CredentialError.storing(try FileLock.acquire("." + Self.name + ".lock", in: place))
        var keys = try read(in: place)
        body(&keys)
        let bytes = try JSONDocument.encode(
            Document(
                keys: keys.map {
                    Document.Entry(id: $0.id, key: $0.bytes.hexadecimalDigits, createdAt: $0.createdAt)
                }))
        try CredentialError.storing(try AtomicFile.replace(Self.name, in: place, with: bytes, holding: lock))
    }

    private func read(in directory: borrowing OpenDirectory) throws(CredentialError) -> [StateKey] {
        let bytes = try CredentialError.storing(
            try PrivateFile.read(Self.name, in: directory, limit: Self.sizeLimit))
        guard let bytes else { return [] }
        let document: Document
        do throws(CredentialError) {
            document = try JSONDocument.decode(bytes, path: path)
        } catch {
            switch error {
            // It may be the only copy, so unlike a sign-in it is not to be removed.
            case .notJSON, .malformed: throw .stateKey(.unreadable(path: path))
            default: throw error
            }
        }
        return try document.keys.map { (entry) throws(CredentialError) in
            guard let bytes = [UInt8](hexadecimal: entry.key), bytes.count == AESGCM.keySize else {
                throw .stateKey(.unreadable(path: path))
            }
            let key = StateKey(bytes: bytes, createdAt: entry.createdAt)
            guard key.id == entry.id else { throw .stateKey(.unreadable(path: path)) }
            return key
        }
    }
}
