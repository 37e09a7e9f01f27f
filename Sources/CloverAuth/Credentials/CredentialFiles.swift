import CloverStorage

/// Reading what is kept about one credential in the directory of credentials. Blocks: only for a thread that may.
enum CredentialFiles {
    /// The largest file that is read, in bytes.
    static let sizeLimit = 65_536
    /// The directory's name in the state directory.
    static let directoryName = "credentials"

    /// What the credential's file says; nil when there is none.
    static func read(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> CredentialDocument.Content? {
        let name = CredentialFileName.name(for: key)
        guard let bytes = try bytes(of: name, in: directory) else { return nil }
        return try CredentialDocument.decode(bytes, key: key, path: directory.path(of: name))
    }

    /// The journal of a refresh; nil when there is none.
    static func readJournal(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> RefreshJournal? {
        let name = CredentialFileName.journalName(for: key)
        guard let bytes = try bytes(of: name, in: directory) else { return nil }
        return try RefreshJournalDocument.decode(bytes, path: directory.path(of: name))
    }

    private static func bytes(
        of name: String, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> [UInt8]? {
        do {
            return try PrivateFile.read(name, in: directory, limit: sizeLimit)
        } catch {
            throw .storage(error)
        }
    }
}
