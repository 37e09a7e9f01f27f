import FoundationEssentials

/// A refresh journal as JSON, version 1: `{"version":1,"tokenHash":"...","state":"sent","at":1700000000000,"pid":42}`,
/// with `httpStatus` and `message` after a refusal, and `deadTokenHash` when the access token is refused as well.
enum RefreshJournalDocument {
    static let version = 1

    /// The file's bytes, ending in a line break.
    static func encode(_ journal: RefreshJournal) throws(CredentialError) -> [UInt8] {
        try JSONDocument.encode(
            Fields(
                version: version, tokenHash: journal.tokenHash, state: journal.state.rawValue, at: journal.at,
                pid: journal.pid, httpStatus: journal.httpStatus, message: journal.message,
                deadTokenHash: journal.deadTokenHash))
    }

    /// Reads the file.
    ///
    /// - Parameter path: for errors only.
    static func decode(_ bytes: [UInt8], path: String) throws(CredentialError) -> RefreshJournal {
        let fields: Fields = try JSONDocument.decode(bytes, version: version, path: path)
        guard let state = RefreshJournal.State(rawValue: fields.state) else {
            throw .malformed(path: path, field: "state")
        }
        return RefreshJournal(
            tokenHash: fields.tokenHash, state: state, at: fields.at, pid: fields.pid, httpStatus: fields.httpStatus,
            message: fields.message, deadTokenHash: fields.deadTokenHash)
    }

    private struct Fields: Codable {
        let version: Int
        let tokenHash: String
        let state: String
        let at: Int64
        let pid: Int32
        let httpStatus: Int?
        let message: String?
        let deadTokenHash: String?
    }
}
