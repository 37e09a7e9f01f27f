import CloverHTTP
import CloverSystem

/// What a watch remembers of one credential: enough to detect changes, and no token.
struct TokenState: Equatable, Sendable {
    /// Identifies the access token; for a credential in the keyring, whose token cannot be read at every change, the
    /// rest of the pointer.
    let fingerprint: String
    let origin: Credential.Origin
    let generation: Int
    let createdAt: Int64
    /// Whether the journal shows that these tokens can no longer be renewed.
    let isInvalid: Bool
    let accessTokenExpires: Int64?
    let refreshTokenExpires: Int64?

    /// Reads the files of `key`; nil if there is no credential.
    static func read(
        _ key: CredentialKey, in directory: borrowing OpenDirectory
    ) throws(CredentialError) -> TokenState? {
        guard let content = try CredentialFiles.read(key, in: directory) else { return nil }
        let journal = try CredentialFiles.readJournal(key, in: directory)
        let end = journal.flatMap { $0.state == .sent || !$0.isAboutSpending ? nil : $0.tokenHash }
        switch content {
        case .whole(let credential, _):
            let refreshTokenHash = credential.refreshToken.map { SecretHash.hexadecimal(of: $0) }
            return TokenState(
                fingerprint: SecretHash.hexadecimal(of: credential.accessToken), origin: credential.origin,
                generation: credential.generation, createdAt: credential.createdAt,
                isInvalid: end != nil && end == refreshTokenHash,
                accessTokenExpires: credential.accessTokenExpires, refreshTokenExpires: credential.refreshTokenExpires)
        case .pointer(let pointer):
            return TokenState(
                fingerprint: "\(pointer)", origin: pointer.origin, generation: pointer.generation,
                createdAt: pointer.createdAt, isInvalid: end != nil && end == pointer.refreshTokenHash,
                accessTokenExpires: pointer.accessTokenExpires, refreshTokenExpires: pointer.refreshTokenExpires)
        }
    }

    /// The changes between two readings. Intermediate changes that left no trace are not reported.
    static func changes(from before: TokenState?, to after: TokenState?) -> [TokenEvent.Kind] {
        guard let after else { return before == nil ? [] : [.deleted] }
        var changes: [TokenEvent.Kind] = []
        if before?.fingerprint != after.fingerprint {
            // A renewal keeps the time of the sign-in and increments the generation; any other change of the token is
            // new.
            let isRenewal =
                after.origin == .refresh && before?.createdAt == after.createdAt
                && before.map { $0.generation < after.generation } == true
            changes.append(isRenewal ? .refreshed : .new)
        }
        let wasInvalid = before?.isInvalid == true && before?.fingerprint == after.fingerprint
        if after.isInvalid, !wasInvalid { changes.append(.invalidated) }
        return changes
    }
}
