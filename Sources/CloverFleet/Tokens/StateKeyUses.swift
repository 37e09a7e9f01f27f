package import CloverAuth
import CloverSystem

/// Which databases use which keys, where the file of keys could not be changed to say so: `state-key-uses.json` of this
/// machine's state directory, version 1: `{"version":1,"databases":{"KEY":["postgresql://..."]}}`. All methods block.
struct StateKeyUses: Sendable {
    private static let name = "state-key-uses.json"
    private static let sizeLimit = 65_536

    let state: StateDirectory

    private struct Document: Codable {
        var databases: [String: [String]] = [:]
    }

    /// The addresses of databases by the identifiers of the keys that they use.
    func read() throws(CredentialError) -> [String: [String]] {
        guard let directory = try CredentialError.storing(try state.existing()) else { return [:] }
        return try read(in: directory).databases
    }

    /// Adds a database that uses these keys; it is on disk when this returns.
    func add(_ database: String, to ids: Set<String>) throws(CredentialError) {
        // A file that cannot be changed now may have them already.
        let known = try read()
        guard ids.contains(where: { known[$0]?.contains(database) != true }) else { return }
        let directory = try CredentialError.storing(try state.prepare())
        let lock = try CredentialError.storing(try FileLock.acquire("." + Self.name + ".lock", in: directory))
        var document = try read(in: directory)
        for id in ids where document.databases[id]?.contains(database) != true {
            document.databases[id, default: []].append(database)
        }
        let bytes = try JSONDocument.encode(document)
        try CredentialError.storing(try AtomicFile.replace(Self.name, in: directory, with: bytes, holding: lock))
    }

    private func read(in directory: borrowing OpenDirectory) throws(CredentialError) -> Document {
        let bytes = try CredentialError.storing(try PrivateFile.read(Self.name, in: directory, limit: Self.sizeLimit))
        guard let bytes else { return Document() }
        return try JSONDocument.decode(bytes, path: state.path + "/" + Self.name)
    }
}

/// A use of keys that could not be recorded on this machine.
package struct UnrecordedKeyUse: CustomStringConvertible, Sendable {
    package let database: String
    /// The identifiers of the keys.
    package let keys: [String]
    package let cause: CredentialError

    package var description: String {
        "cannot record that \(database) uses the key \(keys.joined(separator: " and ")): \(cause)"
    }
}
