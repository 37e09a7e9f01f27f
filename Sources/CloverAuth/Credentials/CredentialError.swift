package import CloverStorage

/// Why a credential cannot be read or kept. No case holds a byte of a token.
package enum CredentialError: Error, Equatable, Sendable {
    /// Not a known environment, nor a short enough http or https URL.
    case invalidEnvironment(String)
    /// Not 1 to 64 ASCII letters and digits.
    case invalidMerchant(String)
    /// Not 1 to 64 ASCII letters and digits, or the reserved word `static`.
    case invalidApp(String)
    /// A token of this field is empty, too long, or has characters that no header can carry.
    case unusableToken(field: String)
    /// Directory or file cannot be used: loose mode, other owner, link, wrong kind, size, or a failed call.
    case storage(StorageError)
    /// The file is not JSON, or not an object.
    case notJSON(path: String)
    /// The file is JSON, but this field is missing or cannot be understood.
    case malformed(path: String, field: String)
    /// A later version of this program wrote the file.
    case newerVersion(path: String, found: Int, supported: Int)
    /// The file says that it belongs to another key than the one its name is for.
    case otherKey(path: String)
    /// Foundation's encoder refused plain strings and numbers.
    case notEncodable
    /// Somebody else works on the credential for longer than we were willing to wait; the lock file.
    case lockBusy(path: String)
    /// The lease of this lock file was used after it had been released.
    case leaseEnded(path: String)
    /// The task was cancelled while it waited for the lock.
    case cancelled
    /// The file of this credential says that the tokens are in the keyring, and the keyring has no such item.
    case missingInKeyring(CredentialKey)
    /// The credential is gone from its file, or has other tokens, and the item of this name could not be removed from the
    /// keyring.
    case leftInKeyring(CredentialKey, item: String, SecretVaultError)
    /// The tokens of this file are in the keyring, or should go there, and the keyring cannot be used.
    case keyring(path: String, SecretVaultError)
    /// Not 1 to 64 ASCII letters, digits, `-`, `_` or `.`, or starting with `.` or `-`.
    case invalidProfile(String)
}

extension CredentialError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidEnvironment(let text): "'\(text)' is not an environment"
        case .invalidMerchant(let text): "'\(text)' is not a merchant id"
        case .invalidApp(let text): "'\(text)' is not an app id"
        case .unusableToken(let field): "the \(field) cannot be used in a request"
        case .storage(let error): error.description
        case .notJSON(let path): "\(path) is not a JSON object"
        case .malformed(let path, let field): "\(path) has no usable '\(field)'"
        case .newerVersion(let path, let found, let supported):
            "\(path) has version \(found), and this program knows versions up to \(supported)"
        case .otherKey(let path): "\(path) belongs to another credential than its name says"
        case .notEncodable: "the credential cannot be written as JSON"
        case .lockBusy(let path): "another process holds \(path)"
        case .leaseEnded(let path): "\(path) is not held any more"
        case .cancelled: "waiting for the credential was cancelled"
        case .missingInKeyring(let key):
            "the tokens of merchant \(key.merchantID) (\(key.environment)) are no longer in the keyring"
        case .leftInKeyring(let key, _, let error):
            "tokens of merchant \(key.merchantID) (\(key.environment)) stay in the keyring: \(error)"
        case .keyring(let path, let error): "the tokens of \(path) cannot be reached: \(error)"
        case .invalidProfile(let text): "'\(text)' is not a profile name"
        }
    }
}

extension CredentialError {
    /// How a person takes an item out of the keyring that we cannot reach (secret-tool(1)).
    package static func removal(of item: String) -> String {
        "nothing here uses them any more; when the keyring can be used, remove them with: "
            + "secret-tool clear application clover item \(item)"
    }

    /// What becomes of an item that others have taken the place of, and whose name is kept beside them.
    package static func laterRemoval(of item: String) -> String {
        "nothing here uses them any more, and the first renewal or sign-in that finds the keyring usable removes them; by hand: "
            + "secret-tool clear application clover item \(item)"
    }

    /// Runs work on files and passes its errors on as `.storage`.
    static func wrapping<Value: ~Copyable>(
        _ work: () throws(StorageError) -> Value
    ) throws(CredentialError) -> Value {
        do {
            return try work()
        } catch {
            throw .storage(error)
        }
    }
}
